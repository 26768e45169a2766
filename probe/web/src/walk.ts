// The walk through positions: the current position, the server's answer to it, and the actions from it. Nothing is
// drawn here.
import { addressOf, gameOf, type Shared } from "./address.ts";
import { Answers, type State } from "./answers.ts";
import {
    type Explored,
    type Glimpse,
    type Known,
    type Move,
    type ReadGame,
    Refusal,
    server,
    type Side,
} from "./api.ts";
import { Desk, firstKnown, type Sheet, type Visit } from "./desk.ts";
import { Editor } from "./editor.ts";
import type { Loaded } from "./game.ts";
import { Line, type Node, type Way } from "./line.ts";
import { bareSide, readFen, type Setup } from "./position.ts";

const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";
/** An answer that takes longer shows that it is waited for, in milliseconds. */
const SOON = 200;

/** A verdict as an answer that has no moves yet. */
function withoutMoves(verdict: Known): Explored {
    const counts = bareSide(readFen(verdict.fen).squares);
    const begins = counts && { limit: 0, ply: 0, counts };
    return { ...verdict, status: "judged", check: false, counts, count_stopped: false, begins, moves: [] };
}

export interface WalkEvents {
    /** The view is to be drawn; while an answer is awaited, the former verdict stays. */
    changed: (isWaiting: boolean) => void;
    /** Another line is on the desk. */
    taken: (sheet: Sheet) => void;
}

export class Walk {
    flipped = false;
    state: State = null;
    /** The result or the verdict alone, where it comes before the moves. */
    early: Explored | Glimpse | null = null;
    /** The ply of the game that the board showed last. */
    gamePly = 0;
    readonly editor = new Editor();
    private sheet: Sheet = { line: new Line(EMPTY), loaded: null };
    /** The best move was asked for before it was known. */
    private wantsBest = false;
    private readonly answers = new Answers();
    private readonly desk = new Desk();
    private readonly events: WalkEvents;

    constructor(events: WalkEvents) {
        this.events = events;
        addEventListener("pagehide", () => this.desk.write());
    }

    get line(): Line {
        return this.sheet.line;
    }

    /** The game that was pasted, if this line is in it. */
    get loaded(): Loaded | null {
        return this.sheet.loaded;
    }

    get fen(): string {
        return this.line.now.fen;
    }

    get isEmpty(): boolean {
        return this.fen === EMPTY;
    }

    /** The answer, if it is that of the position shown. */
    get explored(): Explored | null {
        return this.state instanceof Refusal ? null : this.state;
    }

    /** Puts another line on the desk. */
    private take(sheet: Sheet, visit: Visit): void {
        this.sheet = sheet;
        this.desk.keep(sheet);
        this.editor.turn(false);
        this.editor.clear();
        this.events.taken(sheet);
        this.refresh(visit);
    }

    /** Puts a position on the board. The browser's Back returns to the former line. */
    set(fen: string, visit: Visit = "new"): void {
        this.take({ line: new Line(fen), loaded: null }, visit);
    }

    setGame(game: ReadGame): void {
        const { positions } = game;
        this.gamePly = 0;
        const line = Line.ofGame(positions, firstKnown(positions));
        this.take({ line, loaded: { game, positions } }, "new");
    }

    /** Shows an address: the line of the browser's history, else the position and the moves of a link. */
    async open(fen: string, shared: Shared, visit: Visit = "same"): Promise<void> {
        const known = visit === "same" ? this.desk.recall() : null;
        if (known && known.node.fen === fen) {
            known.sheet.line.go(known.node);
            this.take(known.sheet, "same");
            return;
        }
        this.set(fen, visit);
        if (shared.isFlipped) this.flip();
        if (shared.moves.length === 0) return;
        const { line } = this;
        const { games } = await server.analyse(gameOf(fen, shared.moves));
        const [game] = games;
        if (game?.status !== "read" || this.line !== line) return;
        const steps = game.positions.map((position) => ({ ...position, fen: position.unclaimed_fen ?? position.fen }));
        const walked = Line.ofGame(steps, Math.min(shared.at, steps.length - 1));
        for (const node of walked.all()) delete node.ply;
        this.take({ line: walked, loaded: null }, "same");
    }

    /** Changes the position by hand. */
    edit(change: (setup: Setup) => Setup, kind = "board"): void {
        const fen = this.editor.change(this.fen, change);
        if (fen !== null) this.enter(fen, kind);
    }

    enter(fen: string, kind: string): void {
        const { counter } = this.line.now;
        this.line.push({
            fen,
            san: null,
            uci: null,
            edit: kind,
            ...(counter && kind !== "fen" && { counter }),
        });
        this.refresh(kind === "count" ? "step" : "new");
    }

    /** Says whose count runs here. */
    countedBy(side: Side): void {
        this.line.now.counter = side;
        this.refresh("same");
    }

    play(move: Move): void {
        const best = this.explored?.moves[0];
        if (!best) return;
        // Beside a move that is unknown and may be better, no move is judged.
        const judged = best.status === "judged" && move.status === "judged" && { ...move, best: best.san };
        // While both sides have a piece, no count runs until somebody begins it.
        const fen = move.unclaimed_fen ?? move.fen;
        this.line.push({ fen, san: move.san, uci: move.uci, ...(judged && { judged }) });
        this.refresh("new");
    }

    /** Plays the best move, as soon as it is known. */
    best(): void {
        if (this.editor.isOn) return;
        const best = this.explored?.moves[0];
        if (this.state === null) this.wantsBest = true;
        else if (best?.status === "judged") this.play(best);
        else this.events.changed(false);
    }

    go(to: Way): void {
        const { line } = this;
        this.jump({ start: line.first, back: line.back, forward: line.forward, end: line.last }[to]);
    }

    jump(node: Node | null): void {
        if (this.line.go(node)) this.refresh("step");
    }

    toGame(ply: number): void {
        if (this.line.goPly(ply)) this.refresh("step");
    }

    /** Removes the last move. */
    remove(): void {
        this.line.remove();
        this.refresh("new");
    }

    promote(): void {
        this.line.promote();
        this.events.changed(false);
    }

    flip(): void {
        this.flipped = !this.flipped;
        this.events.changed(this.state === null);
    }

    /** The line of best play follows, next to what was tried. */
    async playOut(): Promise<void> {
        const { fen, line } = this;
        const found = await server.line(fen);
        if (this.line !== line || this.fen !== fen || found.line.length === 0) return;
        const steps = found.line.map(({ fen, san, uci }) => ({ fen, san, uci }));
        line.append(steps.map((step, at) => (at === steps.length - 1 ? { ...step, end: found.end } : step)));
        this.events.changed(false);
    }

    /** Shows the position and requests its verdict. */
    private refresh(visit: Visit): void {
        const { fen, ply, counter = null } = this.line.now;
        if (ply !== undefined) this.gamePly = ply;
        this.wantsBest = false;
        this.early = null;
        this.answers.drop();
        this.state = this.answers.of(fen, counter);
        this.desk.visit(addressOf(this.fen), this.line, this.line.now, visit);
        if (this.state) {
            this.events.changed(false);
            return;
        }
        // The verdict stays until there is another, so that nothing flickers; unless that takes long.
        this.events.changed(true);
        const waiting = setTimeout(() => this.fen === fen && !this.state && this.events.changed(false), SOON);
        const early = (verdict: Known | Glimpse) => {
            clearTimeout(waiting);
            this.early = "dtm" in verdict ? withoutMoves(verdict) : verdict;
            this.events.changed(false);
        };
        this.answers.ask(fen, counter, early, (answer) => {
            clearTimeout(waiting);
            this.state = answer;
            this.early = null;
            if (!(answer instanceof Refusal) && answer.fen !== fen) this.normalise(answer);
            if (this.wantsBest) this.best();
            else this.events.changed(false);
        });
    }

    /** A FEN of fewer fields or other letters, as everyone writes it. */
    private normalise(answer: Explored): void {
        this.line.now.fen = answer.fen;
        this.desk.visit(addressOf(this.fen), this.line, this.line.now, "same");
    }
}
