// The games of a text, told apart by their tags: a club's file is listed at once, and the game that is chosen is read.

export interface FoundGame {
    text: string;
    tags: Map<string, string>;
}

/** Lines after which the browser has its turn. */
const LINES = 10_000;

/** Lets the browser draw and hear. */
export const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** The games: a tag after moves begins another one. */
export async function gamesIn(text: string): Promise<FoundGame[]> {
    const games: FoundGame[] = [];
    let [start, lines] = [0, 0];
    let [hasMoves, isComment] = [false, false];
    let tags = new Map<string, string>();
    const found = (end: number) => games.push({ text: text.slice(start, end), tags });
    for (let at = 0; at < text.length;) {
        const end = (text.indexOf("\n", at) + 1 || text.length + 1) - 1;
        const line = text.slice(at, end).trim();
        const tag = isComment ? null : /^\[(\w+)\s+"(.*)"\]/.exec(line);
        if (tag) {
            if (hasMoves) {
                found(at);
                [start, hasMoves, tags] = [at, false, new Map()];
            }
            tags.set(tag[1]!, tag[2]!);
        } else if (line !== "") {
            hasMoves = true;
            const [open, close] = [line.lastIndexOf("{"), line.lastIndexOf("}")];
            if (open !== close) isComment = open > close;
        }
        at = end + 1;
        lines += 1;
        if (lines % LINES === 0) await pause();
    }
    found(text.length);
    return games;
}
