// The line: a tree of positions, joined by moves and by changes made by hand.
import type { GamePosition, JudgedMove, ReadGame, Side } from "./api.ts";
import { readFen } from "./position.ts";

/** A way through the line. */
export type Way = "start" | "back" | "forward" | "end";

/** A move, the result or the time that it gave away, and the best one. */
export type Judged = Pick<JudgedMove, "san" | "gave_away" | "lost_moves" | "best">;
export type LineEnd = "checkmate" | "count_expired" | "draw" | "truncated";

/** A position and the way that leads to it from the one before. */
export interface Step {
    fen: string;
    /** The move that led here; null where the position was set up. */
    san: string | null;
    uci: string | null;
    /** Changes of the count in a row are one. */
    edit?: string;
    /** The side whose count runs, where it was said. */
    counter?: Side;
    judged?: Judged;
    /** The reason why the line of best play ends here. */
    end?: LineEnd;
    /** The position's place in the game that was pasted. */
    ply?: number;
}

export interface Node extends Step {
    readonly id: number;
    readonly parent: Node | null;
    /** The moves tried from here; the first is the main line. */
    readonly next: Node[];
    /** The next node that was visited last. */
    onward: Node | null;
}

/** A line as it is kept: every node after its parent. */
export interface KeptLine {
    id: string;
    at: number;
    nodes: (Step & { id: number; parent: number | null; onward: number | null })[];
}

/** A move with its number, if it is written, or a sign around a variation. */
export type Written = { node: Node; isWhite: boolean; number: number | null } | "(" | ")";

/** What is written after a mistake. */
export const MARKS = { win: "??", draw: "??", time: "?!" };

export class Line {
    /** Tells one line from another in the browser's history. */
    readonly id: string;
    readonly first: Node;
    now: Node;
    private nodes = 0;

    constructor(fen: string, id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`) {
        this.id = id;
        this.first = this.node({ fen, san: null, uci: null }, null);
        this.now = this.first;
    }

    static ofGame(positions: GamePosition[], at: number): Line {
        const line = new Line(positions[0]!.fen);
        line.first.ply = 0;
        for (const [ply, position] of positions.entries()) {
            const played = positions[ply - 1]?.played;
            if (!played) continue;
            line.now = line.add(line.now, {
                fen: position.fen,
                san: played.san,
                uci: played.uci,
                ply,
                ...(played.status === "judged" && { judged: played }),
            });
        }
        line.goPly(at);
        return line;
    }

    static revive({ id, at, nodes }: KeptLine): Line {
        const line = new Line(nodes[0]!.fen, id);
        const made = new Map<number, Node>();
        for (const { id, parent, onward: _, ...step } of nodes) {
            const above = parent === null ? null : made.get(parent)!;
            if (above) made.set(id, line.add(above, step, id));
            else made.set(id, Object.assign(line.first, step));
        }
        for (const { id, onward } of nodes) made.get(id)!.onward = onward === null ? null : (made.get(onward) ?? null);
        line.now = made.get(at) ?? line.first;
        return line;
    }

    kept(): KeptLine {
        const nodes = [...this.all()].map(({ parent, next: _, onward, ...step }) => ({
            ...step,
            parent: parent?.id ?? null,
            onward: onward?.id ?? null,
        }));
        return { id: this.id, at: this.now.id, nodes };
    }

    private node(step: Step, parent: Node | null, id = this.nodes): Node {
        this.nodes = Math.max(this.nodes, id) + 1;
        return { ...step, id, parent, next: [], onward: null };
    }

    private add(parent: Node, step: Step, id?: number): Node {
        const node = this.node(step, parent, id);
        parent.next.push(node);
        parent.onward = node;
        return node;
    }

    /** Every node, each after its parent. */
    *all(from: Node = this.first): Generator<Node> {
        const rest = [from];
        for (let node = rest.pop(); node; node = rest.pop()) {
            yield node;
            rest.push(...node.next.slice().reverse());
        }
    }

    find(id: number): Node | null {
        for (const node of this.all()) if (node.id === id) return node;
        return null;
    }

    /** Makes a move. A move that was made before is followed; another becomes a variation. */
    push(step: Step): void {
        const known = this.now.next.find(({ uci, fen }) => step.uci !== null && uci === step.uci && fen === step.fen);
        if (known) {
            if (step.judged) known.judged = step.judged;
            this.go(known);
            return;
        }
        if (step.edit === "count" && this.now.edit === "count" && this.now.next.length === 0) {
            Object.assign(this.now, step);
            return;
        }
        this.now = this.add(this.now, step);
    }

    /** Moves to follow, as far as they are known, without going there. */
    append(steps: Step[]): void {
        const { now } = this;
        for (const step of steps) this.push(step);
        const last = this.now;
        const end = steps[steps.length - 1]?.end;
        if (end) last.end = end;
        this.now = now;
        for (let node: Node | null = last; node && node !== now; node = node.parent) node.parent!.onward = node;
    }

    go(to: Node | null): boolean {
        if (!to || to === this.now) return false;
        this.now = to;
        for (let node = to; node.parent; node = node.parent) node.parent.onward = node;
        return true;
    }

    goPly(ply: number): boolean {
        for (const node of this.all()) if (node.ply === ply) return this.go(node);
        return false;
    }

    get back(): Node | null {
        return this.now.parent;
    }

    get forward(): Node | null {
        return this.now.onward;
    }

    /** The last position of the way on from here. */
    get last(): Node {
        let last = this.now;
        while (last.onward) last = last.onward;
        return last;
    }

    /** The position before the first of the moves that lead here: the last change by hand. */
    get root(): Node {
        let root = this.now;
        while (root.parent && root.san !== null) root = root.parent;
        return root;
    }

    /** From the root to here, both included. */
    get path(): Node[] {
        const path: Node[] = [];
        const { root } = this;
        for (let node: Node | null = this.now; node; node = node === root ? null : node.parent) path.unshift(node);
        return path;
    }

    /** The number of times that the same men with the same side to move stood on the board on the way here. */
    get times(): number {
        const same = (fen: string) => fen.split(" ", 2).join(" ");
        return this.path.filter(({ fen }) => same(fen) === same(this.now.fen)).length;
    }

    /** Removes this position and all that follows it. */
    remove(): void {
        const { now } = this;
        if (!now.parent) return;
        now.parent.next.splice(now.parent.next.indexOf(now), 1);
        now.parent.onward = now.parent.next[0] ?? null;
        this.now = now.parent;
    }

    /** Makes the way that leads here the main line. */
    promote(): void {
        for (let node = this.now; node.parent; node = node.parent) {
            const { next } = node.parent;
            next.unshift(...next.splice(next.indexOf(node), 1));
        }
    }

    /** Whether this is a variation, or within one. */
    get isAside(): boolean {
        for (let node = this.now; node.parent; node = node.parent) if (node.parent.next[0] !== node) return true;
        return false;
    }

    /** The moves around here as they are written, each variation in parentheses. `isNoted`: a comment follows. */
    *written(isNoted: (node: Node) => boolean): Generator<Written> {
        const { root } = this;
        const start = readFen(root.fen);
        const before = 2 * (start.move - 1) + (start.side === "white" ? 0 : 1);
        const one = (node: Node, depth: number, isForced: boolean): Written => {
            const plies = before + depth;
            const isWhite = plies % 2 === 0;
            return { node, isWhite, number: isWhite || isForced ? Math.floor(plies / 2) + 1 : null };
        };
        function* write(from: Node, depth: number, isForced: boolean): Generator<Written> {
            for (let node = from; ; depth += 1) {
                const [main, ...others] = node.next.filter(({ san }) => san !== null);
                if (!main) return;
                yield one(main, depth, isForced);
                isForced = isNoted(main) || others.length > 0;
                for (const other of others) {
                    yield "(";
                    yield one(other, depth, true);
                    yield* write(other, depth + 1, isNoted(other));
                    yield ")";
                }
                node = main;
            }
        }
        yield* write(root, 0, true);
    }

    /** The moves around here in any notation, with their mistakes by the tables. */
    private moves(
        moveText: (san: string) => string,
        numberText: (number: number) => string,
        note: (node: Node) => string[],
    ): string {
        const words: string[] = [];
        for (const part of this.written((node) => note(node).length > 0)) {
            if (typeof part === "string") {
                words.push(part);
                continue;
            }
            const { node, number, isWhite } = part;
            if (number !== null) words.push(numberText(number) + (isWhite ? "." : "..."));
            words.push(moveText(node.san!), ...note(node));
        }
        return words.join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
    }

    /** The moves around here as text, as players write them. */
    text(moveText: (san: string) => string, numberText: (number: number) => string): string {
        const note = ({ judged }: Node) => (judged?.gave_away ? [MARKS[judged.gave_away]] : []);
        return this.moves(moveText, numberText, note).replace(/ (\?[?!])/g, "$1");
    }

    /** The moves around here as a PGN, with their variations, and the tags and the result of their game. */
    pgn(game: ReadGame | null = null): string {
        const { root } = this;
        const note = ({ judged }: Node) =>
            judged?.gave_away ? [judged.gave_away === "time" ? "$6" : "$4", `{${judged.best} is best}`] : [];
        const moves = this.moves((san) => san, String, note);
        const result = game?.result ?? "*";
        const unknown = ["Event", "Site", "Date", "Round", "White", "Black"].map((name) => [name, "?"]);
        const tags = new Map([...unknown, ...(game?.tags ?? [])] as [string, string][]);
        if (tags.get("Date") === "?") tags.set("Date", "????.??.??");
        for (const name of ["Variant", "SetUp", "FEN"]) tags.delete(name);
        tags.set("Result", result).set("Variant", "makruk").set("SetUp", "1").set("FEN", root.fen);
        const quoted = (value: string) => value.replace(/["\\]/g, "\\$&");
        const lines = `${moves} ${result}`.trimStart().replace(/(.{1,80})(?: |$)/g, "$1\n");
        return `${[...tags].map(([name, value]) => `[${name} "${quoted(value)}"]`).join("\n")}\n\n${lines}`;
    }
}
