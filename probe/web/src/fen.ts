// Whether a pasted text is a link with moves, positions, or games. The server reads positions in every form; here they
// are only told apart from games.

/** The position of a link's parameter. */
const FEN = /[?&]fen=([^&#\s]+)/;

/** A link to this page that has moves, with its position; null if the text is not such a link. */
export function lineIn(text: string): { fen: string; link: string } | null {
    const link = /^\s*(https?:\S*)/.exec(text)?.[1] ?? "";
    const [, fen] = FEN.exec(link) ?? [];
    return fen && /[?#&]line=./.test(link) ? { fen: decodeURIComponent(fen).replaceAll("_", " "), link } : null;
}

/** Whether a line may be a position: a link with one, or a first word of ranks that is not a tag, comment or move. */
const isPosition = (line: string): boolean =>
    !/\smoves\s/i.test(line) &&
    (/^\W*https?:\/\/\S*(fen=|(\/[^/\s]+){8})/i.test(line) ||
        /^\W*((position\s+)?fen\b[\s:=]*)?[^\s[\]{}.:]+\/[^[\]{}.]+/i.test(line));

/** A line without what other programs write around a position. */
const bared = (line: string) =>
    line
        .trim()
        .replaceAll("／", "/")
        .replace(/^setboard\s+|^\[FEN\s+"|"\]$/gi, "");

/** The positions of a text that has nothing else, as they are written; none of a game. */
export function fensIn(text: string): string[] {
    const lines = text.split(/\r\n|\r|\n/).filter((line) => !/^\s*([#;].*)?$/.test(line));
    const positions = lines.map(bared);
    return positions.every(isPosition) ? positions : [];
}

/** The ranks and the side of a text that was read, but whose position is illegal: to be corrected on the board. */
export function boardIn(text: string): string {
    const board = /((?:[1-8a-z~+]+\/){7}[1-8a-z~+]+)[\s_]+([wb])/i.exec(
        decodeURIComponent(text.replaceAll("%20", " ")),
    );
    return board ? `${board[1]} ${board[2]}` : text;
}
