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

/** Men of each word, in every language that the page speaks; longer words first. */
const NAMES: [string, Role][] = Object.values(ROLE_NAMES)
    .flatMap((roles) => ROLES.map((role): [string, Role] => [roles[role].toLowerCase(), role]))
    .concat([
        ["bishop", "S"],
        ["queen", "M"],
        ["ม็", "M"],
    ])
    .sort(([a], [b]) => b.length - a.length);

/** A side's men in letters: "rook and khon" is RS. */
function lettersOf(typed: string): string {
    let rest = typed.toLowerCase();
    for (const [name, role] of NAMES) rest = rest.replace(new RegExp(`${name}s?`, "g"), role);
    // "two rooks", "deux tours", and in Thai the number after the men.
    rest = rest.replace(/\b(?:two|both|deux|2)\s*([RNSMP])/g, "$1$1").replace(/([RNSMP])\s*สอง/g, "$1$1");
    const letters = [...rest.replace(/\b(and|et|les|the)\b/g, "").toUpperCase()];
    return letters
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

/** Whether an ending matches what was typed: two sides, one side, or men that some side has. */
export function matches(material: string, typed: string): boolean {
    const text = typed.trim();
    if (text === "") return true;
    const [white, black] = material.split("v") as [string, string];
    const compact = /^([a-z]+)v([a-z]+)$/i.exec(text.replace(/\s+/g, ""));
    const isCompact = compact && [compact[1], compact[2]].every((part) => /^[krnsmpbeqf]+$/i.test(part!));
    const parts = isCompact
        ? compact.slice(1)
        : text.split(/\s*(?:\bvs?\b\.?|\bversus\b|\bcontre\b|\bagainst\b|กับ|[-–:/])\s*/i).filter(Boolean);
    if (parts.length > 1) {
        const [a, b] = [lettersOf(parts[0]!), lettersOf(parts.slice(1).join(""))];
        return (isSide(white, a) && isSide(black, b)) || (isSide(white, b) && isSide(black, a));
    }
    const letters = lettersOf(text);
    if (letters === "") return false;
    // "krrkr": the second king begins the other side.
    const second = letters.indexOf("K", 1);
    if (letters.startsWith("K") && second > 0) {
        const [a, b] = [letters.slice(0, second), letters.slice(second)];
        return (isSide(white, a) && isSide(black, b)) || (isSide(white, b) && isSide(black, a));
    }
    return holds(white, letters) || holds(black, letters);
}
