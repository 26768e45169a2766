// A bout: the player has a task, the page plays the other side. Nothing of it is drawn here.
import { isWhole, type KnownMove, type Move, server, type Unjudged, type Whole } from "../api.ts";
import { isRunOut, movesIn, tell, winnerOf } from "../told.ts";
import { keeps, type Task } from "./task.ts";
import type { Ending } from "./ending.ts";

/** Whether a side can reach the goal from a position. */
const isFit = (position: Whole, { side, goal }: Task): boolean =>
    goal === "win"
        ? isInTime(position) && winnerOf(position) === side
        : !isInTime(position) || winnerOf(position) === side;

const isInTime = ({ category }: Whole): boolean => category === "win" || category === "loss";

/** The number of moves to find for a save to succeed. */
const HELD = 10;

/** A move that gave away the goal of the task. */
export interface Slip {
    fen: string;
    played: string;
    /** Moves that would have held, the best first. */
    held: string[];
}

/** A bout as the browser's history keeps it, for Back and for a reload. */
export interface KeptBout {
    task: Task;
    /** The position reached. */
    fen: string;
    slips: Slip[];
    hinted: number;
    played: number;
    ending: Ending | null;
}

export class Bout {
    readonly task: Task;
    /** The position with the player to move, or the last. */
    position: Whole | null = null;
    /** Why the bout cannot go on: a table that judges it is missing. Nothing is won or lost then. */
    missing: (Unjudged & { fen: string }) | null = null;
    /** The move that led to it. */
    last: Move | null = null;
    slips: Slip[] = [];
    /** The mistake just made: it is named at once, and another move is tried. */
    slip: Slip | null = null;
    /** Steps of the hint that were asked for here, 0 to 3, and in all. */
    hints = 0;
    hinted = 0;
    played = 0;
    /** The most moves that a win needed. */
    most = 0;
    /** The result of a position that has no such task: nobody can reach its goal. */
    misfit: string | null = null;
    ending: Ending | null = null;
    isThinking = true;
    private readonly changed: () => void;
    private readonly stop = new AbortController();

    constructor(task: Task, changed: () => void) {
        this.task = task;
        this.changed = changed;
    }

    /** The bout was left. */
    end(): void {
        this.stop.abort();
    }

    /** The task succeeded, whatever help it took. */
    get isReached(): boolean {
        if (this.ending === "mated") return this.task.goal === "win";
        return this.ending !== null && this.ending !== "missed" && this.ending !== "left";
    }

    /** The bout succeeded without help. */
    get isGood(): boolean {
        return this.isReached && this.slips.length === 0 && this.hinted === 0;
    }

    async begin(): Promise<void> {
        await this.reach(this.task.fen, null);
    }

    /** The bout as it is, or null while the page thinks. */
    kept(): KeptBout | null {
        const { task, position, slips, hinted, played, ending, isThinking, missing, misfit } = this;
        return position && !isThinking && !missing && misfit === null
            ? { task, fen: position.fen, slips, hinted, played, ending }
            : null;
    }

    /** Goes on with a bout that was kept. */
    async resume({ fen, slips, hinted, played, ending }: KeptBout): Promise<void> {
        Object.assign(this, { slips, hinted, played });
        await this.reach(fen, null);
        if (ending && !this.ending && !this.missing) this.finish(ending);
    }

    /** The winner's moves needed here and those that the count leaves. */
    get spare(): { needs: number | null; left: number | null } {
        const { position } = this;
        const isBare = position?.begins?.counts != null;
        const plies = isBare ? position?.dtm : position?.dtz;
        return { needs: plies ? movesIn(plies) : null, left: position?.count.attacker_moves_left ?? null };
    }

    /** The best move here, for hints. */
    get best(): KnownMove | null {
        return this.position?.moves[0] ?? null;
    }

    hint(): void {
        if (this.hints >= 3) return;
        this.hints += 1;
        this.hinted += 1;
        this.changed();
    }

    /** Gives the bout up: the current position counts as the slip. */
    giveUp(): void {
        const { position } = this;
        if (!position || this.ending || this.missing) return;
        this.slips.push({ fen: position.fen, played: "", held: this.held(position) });
        this.finish("left");
    }

    private held(position: Whole): string[] {
        return position.moves.filter((move) => keeps(move, this.task.goal)).map(({ san }) => san);
    }

    async play(move: KnownMove): Promise<void> {
        const { position, task } = this;
        if (!position || this.isThinking || this.ending || this.missing) return;
        this.slip = null;
        // A result that is lost already cannot be lost again.
        const held = this.held(position);
        if (held.length > 0 && !keeps(move, task.goal)) {
            this.slip = { fen: position.fen, played: move.san, held };
            this.slips.push(this.slip);
            this.changed();
            return;
        }
        this.hints = 0;
        this.played += 1;
        await this.reach(move.fen, move);
    }

    /** Goes to a position; with the opponent to move it plays on until the player is. */
    private async reach(fen: string, move: Move | null): Promise<void> {
        const { signal } = this.stop;
        const { task } = this;
        this.isThinking = true;
        this.last = move;
        this.changed();
        let position = await server.explore(fen, signal);
        if (signal.aborted) return;
        if (!isWhole(position)) return this.lack(position);
        this.position = position;
        if (this.played === 0 && !isFit(position, task)) {
            this.misfit = `${tell(position).head}.`;
            this.isThinking = false;
            return this.changed();
        }
        let ending = this.endingOf(position);
        if (!ending && position.side !== task.side) {
            // The page plays the longest defence.
            const [answer] = position.moves;
            if (answer) {
                position = await server.explore(answer.fen, signal);
                if (signal.aborted) return;
                if (!isWhole(position)) return this.lack(position);
                this.position = position;
                this.last = answer;
                ending = this.endingOf(position);
            }
        }
        this.isThinking = false;
        this.most = Math.max(this.most, this.spare.needs ?? 0);
        if (ending) this.finish(ending);
        else this.changed();
    }

    private lack(missing: Unjudged & { fen: string }): void {
        this.missing = missing;
        this.isThinking = false;
        this.changed();
    }

    private finish(ending: Ending): void {
        this.ending = ending;
        this.isThinking = false;
        this.slip = null;
        this.changed();
    }

    /** Whether it is over, and how. */
    private endingOf(position: Whole): Ending | null {
        const { goal, side } = this.task;
        const isReached = position.checkmate && (position.category === "win" || position.category === "loss");
        if (isReached) return goal === "win" && position.side !== side ? "mated" : "missed";
        // In a draw that nobody can win, the first move is the task.
        const isDead =
            position.moves.length === 0 || (winnerOf(position) === null && (goal === "win" || this.played > 0));
        const isExpired = isRunOut(position);
        if (goal === "win") return isDead || isExpired ? "missed" : null;
        if (isExpired) return "expired";
        if (isDead) return "held";
        return this.played >= HELD && position.side === side && this.held(position).length > 0 ? "held" : null;
    }
}
