// Names of endings as people type them: in any order, in any letters, in words.
import { ROLE_NAMES } from "./language/roles.ts";
import { type Role, ROLES } from "./position.ts";

/** The number of pawns of both sides in an ending. */
export const pawnsOf = (material: string): number => material.split("P").length - 1;

/** Names of endings with like numbers of pawns together, those without pawns first. */
export function byPawns<T>(all: T[], nameOf: (each: T) => string): [pawns: number, T[]][] {
    const groups = new Map<number, T[]>();
    for (const each of all) {
        const pawns = pawnsOf(nameOf(each));
        groups.set(pawns, [...(groups.get(pawns) ?? []), each]);
    }
    return [...groups].sort(([a], [b]) => a - b);
}

/** Letters of other programs. */
const LETTERS: Record<string, Role> = { B: "S", E: "S", Q: "M", F: "M", ข: "K", ร: "R", ม: "N", ค: "S", บ: "P" };

/** Men of each word, in every language that the page speaks. */
const NAMES = Object.values(ROLE_NAMES)
    .flatMap((roles) => ROLES.map((role): [string, Role] => [roles[role], role]))
    .concat([["ม็", "M"]]);

/** A side's men in letters: "rook and khon" is RS. */
function lettersOf(typed: string): string {
    let rest = typed.toLowerCase().replace(/\b(and|et)\b/g, "");
    for (const [name, role] of NAMES) rest = rest.replace(new RegExp(`${name}s?`, "g"), role);
    return [...rest.toUpperCase()]
        .map((letter) => LETTERS[letter] ?? letter)
        .filter((letter) => ROLES.includes(letter as Role))
        .join("");
}

/** Whether a side has all of these men, as often. */
function holds(side: string, wanted: string): boolean {
    const rest = [...side];
    return [...wanted].every((letter) => {
        const at = rest.indexOf(letter);
        if (at >= 0) rest.splice(at, 1);
        return at >= 0;
    });
}

/** Whether a text has as many kings and men as a side. A king need not be named. */
const isSide = (side: string, wanted: string) => {
    const named = wanted.includes("K") ? wanted : `K${wanted}`;
    return named.length === side.length && holds(side, named);
};

/** Whether an ending matches what was typed: two sides, or men that some side has. */
export function matches(material: string, typed: string): boolean {
    const sides = material.split("v") as [string, string];
    const [a = "", b] = typed
        .trim()
        .replace(/^([krnsmpbeqf]+)v(?=[krnsmpbeqf]+$)/i, "$1-")
        .split(/\s*(?:\bvs?\b\.?|กับ|[-–:/])\s*/i)
        .map(lettersOf);
    if (b === undefined) return typed.trim() === "" || (a !== "" && sides.some((side) => holds(side, a)));
    return (isSide(sides[0], a) && isSide(sides[1], b)) || (isSide(sides[0], b) && isSide(sides[1], a));
}
