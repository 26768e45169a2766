// FENs as people paste them: in a link, between quotes, with fields missing; and the problems of their text.

/** A problem in the text of a FEN, and its place. */
export type Fault =
    | { field: "empty" }
    | { field: "ranks"; found: number }
    | { field: "rank"; rank: number; found: string; squares: number }
    | { field: "letter"; rank: number; found: string }
    | { field: "side"; found: string }
    | { field: "limit" | "ply"; found: string };

/** Characters that have no width: they come along when text is copied from web pages. */
const UNSEEN = /[\u200b-\u200f\u2060\ufeff\u00ad]/g;
/** A board in the path of a link, as lichess and others write it, with the fields that follow. */
const IN_PATH = /\/((?:[1-8a-zA-Z~+]+\/){7}[1-8a-zA-Z~+]+(?:[_ ][^/?#\s]*)?)(?=$|[?#\s])/;

const QUOTES = /^[\s"'`“”„«»‘’]+|[\s"'`“”„«»‘’;,]+$/g;

/** Text with its escapes undone, unless they are none. */
function decoded(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** A link to this page that has moves, as its position and the part after the #; null if the text is not such a link. */
export function lineIn(text: string): { fen: string; hash: string } | null {
    const link = /^\s*(https?:\/\/\S+)\s*$/.exec(text.replace(UNSEEN, ""));
    const hash = link ? (/#\S*/.exec(link[1]!)?.[0] ?? "") : "";
    const fen = link && /[#&](line|quiz)=./.test(hash) ? fenIn(link[1]!) : null;
    return fen ? { fen, hash } : null;
}

/** One line of text as a FEN, if it looks like one. A side to move that is missing is White's. */
export function fenIn(line: string): string | null {
    let text = line.replace(UNSEEN, "").trim();
    const isLink = /^["'<]?https?:\/\//i.test(text);
    const link = /[?&]fen=([^&#\s]+)/.exec(text) ?? (isLink ? IN_PATH.exec(decoded(text)) : null);
    if (link) text = decoded(link[1]!.replaceAll("+", " "));
    text = text
        .replace(QUOTES, "")
        .replace(/^fen\b[\s:=]*/i, "")
        .replace(QUOTES, "");
    const fields = text.replaceAll("_", " ").split(/\s+/);
    if (!/^[^\s[\]{}.:]+\/[^[\]{}.:]+$/.test(fields[0]!)) return null;
    // An EPD's operations come after its four fields.
    const isEpd = fields[3] === "-" && /^[a-z]\w*$/.test(fields[4] ?? "");
    if (isEpd) fields.length = 4;
    if (fields.length > 8) return null;
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
