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
