// The notation of squares and moves for people: Latin as in a FEN, or Thai. Requests to the server, and
// PGN, are always Latin.
import { type Role } from "./position.ts";
import { kept } from "./store.ts";

const KEY = "makruk-notation";

/** Letters of the competition rules' notation. */
const MEN: Record<Role, string> = { K: "ข", R: "ร", N: "ม", S: "ค", M: "ม็", P: "บ" };
const FILES: Record<string, string> = { a: "ก", b: "ข", c: "ค", d: "ง", e: "จ", f: "ฉ", g: "ช", h: "ญ" };
const DIGITS = "๐๑๒๓๔๕๖๗๘๙";

let isThaiNow = kept.get(KEY) === "thai";

export const isThai = (): boolean => isThaiNow;

export function toggleNotation(): void {
    isThaiNow = !isThaiNow;
    kept.set(KEY, isThaiNow ? "thai" : "latin");
}

/** Letters and digits of the Thai notation, for its moves in texts. */
const LATIN_MEN: Record<string, string> = Object.fromEntries(
    Object.entries(MEN).map(([role, letter]) => [letter, role]),
);
const LATIN_FILES: Record<string, string> = Object.fromEntries(
    Object.entries(FILES).map(([file, letter]) => [letter, file]),
);
const FILE = `[${Object.values(FILES).join("")}]`;
const RANK = `[${DIGITS.slice(1, 9)}1-8]`;
const MAN = "ม็|[ขรมคบ]";
/** A move; what may be a man or a file is a man if a square follows. */
const MOVE = new RegExp(`(^|[\\s.(])(${MAN})?(${FILE})?(${RANK})?(x?)(${FILE})(${RANK})(?:=(${MAN}))?`, "gu");
/** Letters of men that are letters of files too: such a man's capture may be a pawn's. */
const BOTH = Object.values(FILES).filter((letter) => letter in LATIN_MEN);

const latinDigits = (text: string) => text.replace(/[๐-๙]/g, (digit) => String(DIGITS.indexOf(digit)));

/**
 * Moves of the Thai notation in a text as Latin ones; the rest of the text stays. A capture that a king or khon may make, or a
 * pawn of the file with the same letter, is the pawn's if `pawns` has its number among such captures.
 */
export function latinMoves(text: string, pawns: ReadonlySet<number> = new Set()): { text: string; doubtful: string[] } {
    const doubtful: string[] = [];
    if (!/[\u0e00-\u0e7f]/.test(text)) return { text, doubtful };
    // Tags and comments are prose.
    const parts = text.split(/(^\s*\[.*$|\{[^}]*\})/m);
    const latin = (part: string) =>
        latinDigits(
            part.replace(
                MOVE,
                (_, before, man = "", from = "", rank = "", takes = "", file = "", to = "", met = "") => {
                    const isDoubtful = takes && !from && !rank && BOTH.includes(man);
                    const isPawn = isDoubtful && pawns.has(doubtful.length);
                    const role = isPawn ? LATIN_FILES[man] : LATIN_MEN[man] === "P" ? "" : (LATIN_MEN[man] ?? "");
                    const move = [role, LATIN_FILES[from] ?? "", rank, takes, LATIN_FILES[file], to].join("");
                    if (isDoubtful) doubtful.push(latinDigits(move));
                    return `${before}${move}${met ? `=${LATIN_MEN[met]}` : ""}`;
                },
            ),
        );
    return { text: parts.map((part, at) => (at % 2 === 0 ? latin(part) : part)).join(""), doubtful };
}

const digits = (text: string) => text.replace(/\d/g, (digit) => DIGITS[Number(digit)]!);

/** A man's letter. */
export const letterOf = (role: Role): string => (isThaiNow ? MEN[role] : role);

/** A square, a file or a rank. */
export const squareText = (name: string): string =>
    isThaiNow ? digits(name.replace(/[a-h]/g, (file) => FILES[file]!)) : name;

/** A number of a move. */
export const numberText = (number: number): string => (isThaiNow ? digits(String(number)) : String(number));

/** A move in SAN. */
export function moveText(san: string): string {
    if (!isThaiNow) return san;
    return squareText(
        san.replace(/^[KRNSMP]/, (role) => MEN[role as Role]).replace(/=[KRNSMP]/, (to) => `=${MEN[to[1] as Role]}`),
    );
}
