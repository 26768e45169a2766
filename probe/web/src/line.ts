// The positions that were walked through: moves, and changes made by hand.
import type { GamePosition, Move, Played } from "./api.ts";
import { readFen } from "./position.ts";

export interface Node {
    fen: string;
    /** The move that led here; null where the position was set up. */
    san: string | null;
    uci: string | null;
    /** Changes of one kind in a row are one. */
    edit?: string;
    /** What the move gave away, when it was played here. */
    judged?: Pick<Move, "san" | "gave_away" | "lost_moves"> & { best: string };
    /** Why the line of best play ends here. */
    end?: "checkmate" | "count_expired" | "draw" | "truncated";
    /** The position's place in the game that was pasted. */
    ply?: number;
}

export class Line {
    nodes: Node[];
    at = 0;

    constructor(fen: string) {
        this.nodes = [{ fen, san: null, uci: null }];
    }

    static ofGame(positions: GamePosition[], at: number): Line {
        const line = new Line(positions[0]!.fen);
        line.nodes = positions.map((position, ply) => {
            const played: Played | null = ply > 0 ? positions[ply - 1]!.played : null;
            const judged = played?.best
                ? {
                      san: played.san,
                      gave_away: played.gave_away ?? null,
                      lost_moves: played.lost_moves ?? null,
                      best: played.best,
                  }
                : undefined;
            return {
                fen: position.fen,
                san: played?.san ?? null,
                uci: played?.uci ?? null,
                ply,
                ...(judged && { judged }),
            };
        });
        line.at = at;
        return line;
    }

    get now(): Node {
        return this.nodes[this.at]!;
    }

    /** Goes on from here; what came after is gone, unless it is the same move. */
    push(node: Node): void {
        const next = this.nodes[this.at + 1];
        if (node.uci && next?.uci === node.uci && next.fen === node.fen) {
            if (node.judged) next.judged = node.judged;
            this.at += 1;
            return;
        }
        const replaces = node.edit !== undefined && node.edit === this.now.edit && this.at === this.nodes.length - 1;
        this.nodes.length = replaces ? this.at : this.at + 1;
        this.nodes.push(node);
        this.at = this.nodes.length - 1;
    }

    /** Moves to follow, as far as they are known, without going there. */
    append(nodes: Node[]): void {
        this.nodes.length = this.at + 1;
        this.nodes.push(...nodes);
    }

    go(at: number): boolean {
        const to = Math.max(0, Math.min(this.nodes.length - 1, at));
        const moved = to !== this.at;
        this.at = to;
        return moved;
    }

    /** Where the moves begin that lead here: after the last change by hand. */
    get root(): number {
        let root = this.at;
        while (root > 0 && this.nodes[root]!.san !== null) root -= 1;
        return root;
    }

    /** The index behind the last move that follows without a change by hand. */
    get end(): number {
        let end = this.at + 1;
        while (end < this.nodes.length && this.nodes[end]!.san !== null) end += 1;
        return end;
    }

    /** The moves around here as a PGN. */
    pgn(): string {
        const root = this.nodes[this.root]!;
        const start = readFen(root.fen);
        let number = start.move;
        let white = start.side === "white";
        const words: string[] = [];
        for (const node of this.nodes.slice(this.root + 1, this.end)) {
            if (white) words.push(`${number}.`);
            else if (words.length === 0) words.push(`${number}...`);
            words.push(node.san!);
            if (!white) number += 1;
            white = !white;
        }
        const tags = [
            ["Event", "?"],
            ["Site", "?"],
            ["Date", "????.??.??"],
            ["White", "?"],
            ["Black", "?"],
            ["Result", "*"],
            ["Variant", "makruk"],
            ["SetUp", "1"],
            ["FEN", root.fen],
        ];
        const text = [...words, "*"].join(" ").replace(/(.{1,80})(?: |$)/g, "$1\n");
        return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${text}`;
    }
}
