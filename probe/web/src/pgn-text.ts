// Positions as games of PGN.

/** A game that begins with a position; its moves have their numbers. */
export const gameText = (event: string, fen: string, moves: string): string =>
    [
        `[Event "${event.replace(/["\\]/g, "\\$&")}"]`,
        '[Variant "makruk"]',
        '[SetUp "1"]',
        `[FEN "${fen}"]`,
        '[Result "*"]',
        "",
        `${moves} *`.trimStart(),
    ].join("\n");

/** A file of games. */
export const pgnFile = (games: string[]): Blob => new Blob([`${games.join("\n\n")}\n`], { type: "text/plain" });
