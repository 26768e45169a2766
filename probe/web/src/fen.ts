// FENs as people paste them: in a link, between quotes, with fields missing; and the problems of their text.

/** A problem in the text of a FEN, and its place. */
export type Fault =
    | { field: "empty" }
    | { field: "ranks"; found: number }
    | { field: "rank"; rank: number; found: string; squares: number }
    | { field: "letter"; rank: number; found: string }
    | { field: "side"; found: string }
    | { field: "limit" | "ply"; found: string };

const QUOTES = /^[\s"'`“”„«»‘’]+|[\s"'`“”„«»‘’;,]+$/g;

/** One line of text as a FEN, if it looks like one. A side to move that is missing is White's. */
export function fenIn(line: string): string | null {
    let text = line.trim();
    const link = /[?&]fen=([^&#\s]+)/.exec(text);
    if (link) {
        try {
            text = decodeURIComponent(link[1]!.replaceAll("+", " "));
        } catch {
            text = link[1]!;
        }
    }
    text = text
        .replace(QUOTES, "")
        .replace(/^fen\b[\s:=]*/i, "")
        .replace(QUOTES, "");
    const fields = text.replaceAll("_", " ").split(/\s+/);
    if (!/^[^\s[\]{}.:]+\/[^[\]{}.:]+$/.test(fields[0]!) || fields.length > 8) return null;
    // An EPD's operations come after its four fields.
    if (fields.length === 1) fields.push("w");
    return fields.join(" ");
}

/** The FENs of a text that has nothing but FENs; none of a game. */
export function fensIn(text: string): string[] {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    const fens = lines.map(fenIn);
    return fens.every((fen): fen is string => fen !== null) ? fens : [];
}

const LETTERS = /[KRNSMPBEQF]/i;
const isCount = (text: string, least: number) => /^\d{1,4}$/.test(text) && Number(text) >= least;

/** The first problem in a FEN's text. The server decides if the position is legal. */
export function faultOf(fen: string): Fault | null {
    const [board = "", side = "", , limit = "-", ply = "0"] = fen.trim().split(/\s+/);
    if (board === "") return { field: "empty" };
    const ranks = board.split("/");
    if (ranks.length !== 8) return { field: "ranks", found: ranks.length };
    for (const [at, text] of ranks.entries()) {
        let squares = 0;
        for (const letter of text) {
            if (/[1-8]/.test(letter)) squares += Number(letter);
            else if (LETTERS.test(letter)) squares += 1;
            else if (letter !== "~") return { field: "letter", rank: 8 - at, found: letter };
        }
        if (squares !== 8) return { field: "rank", rank: 8 - at, found: text, squares };
    }
    if (side !== "w" && side !== "b") return { field: "side", found: side };
    if (limit !== "-" && limit !== "0" && !isCount(limit, 1)) return { field: "limit", found: limit };
    if (limit !== "-" && limit !== "0" && !isCount(ply, 0)) return { field: "ply", found: ply };
    return null;
}
