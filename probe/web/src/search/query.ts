// A search: the form's fields, their address, and the server's filter made of them.
import { type Man, nameOf, squareOf } from "../position.ts";

export const GIVEN = ["any", "none", "piece", "last", "R", "N", "S", "M"] as const;
export const PLACES = ["any", "corner", "edge", "centre"] as const;
export type Given = (typeof GIVEN)[number];
export type Place = (typeof PLACES)[number];

export interface Query {
    material: string;
    /** The man that a saving move gives up: any or none, none, a piece, the last piece, or one of a role. */
    given: Given;
    side: "any" | "white" | "black";
    /** Only one move saves. */
    isUnique: boolean;
    /** The king that is to be saved, and the other. */
    king: Place;
    hunter: Place;
    /** The attacker is short by so many moves at the most, and at the least. */
    shortLeast: number | null;
    shortMost: number | null;
    /** Moves to mate without the count. */
    mateLeast: number | null;
    mateMost: number | null;
    /** Squares on which a man may stand; on any where there is nothing of it. */
    where: Map<Man, number[]>;
}

export const emptyQuery = (material: string): Query => ({
    material,
    given: "any",
    side: "any",
    isUnique: false,
    king: "any",
    hunter: "any",
    shortLeast: null,
    shortMost: null,
    mateLeast: null,
    mateMost: null,
    where: new Map(),
});

/** A range as a test of the filter. */
function range(field: string, least: number | null, most: number | null): string[] {
    return [...(least === null ? [] : [`${field}>=${least}`]), ...(most === null ? [] : [`${field}<=${most}`])];
}

/** The filter, in the words of `research saves --where`. */
export function filterOf(query: Query): string {
    const { given } = query;
    const giving: Record<Given, string[]> = {
        any: [],
        none: ["sacrifice=none"],
        piece: ["sacrifice=any"],
        last: ["sacrifice=last"],
        R: ["given=R"],
        N: ["given=N"],
        S: ["given=S"],
        M: ["given=M"],
    };
    const plies = (moves: number | null) => (moves === null ? null : 2 * moves);
    return [
        ...giving[given],
        ...(query.isUnique ? ["unique"] : []),
        ...(query.king === "any" ? [] : [`king=${query.king}`]),
        ...(query.hunter === "any" ? [] : [`hunter=${query.hunter}`]),
        ...range("short", query.shortLeast, query.shortMost),
        // The defender is to move: as many plies as the attacker's moves twice.
        ...range("dtm", plies(query.mateLeast), plies(query.mateMost)),
        ...[...query.where].filter(([, at]) => at.length > 0).map(([man, at]) => `${man}=${at.map(nameOf).join(",")}`),
    ].join(" and ");
}

const NUMBERS = ["shortLeast", "shortMost", "mateLeast", "mateMost"] as const;
const CHOICES = ["given", "side", "king", "hunter"] as const;

/** The query string behind "/?find&". */
export function addressOfQuery(query: Query): string {
    const address = new URLSearchParams({ in: query.material });
    for (const name of CHOICES) if (query[name] !== "any") address.set(name, query[name]);
    if (query.isUnique) address.set("unique", "1");
    for (const name of NUMBERS) if (query[name] !== null) address.set(name, String(query[name]));
    for (const [man, at] of query.where) if (at.length > 0) address.set(`at${man}`, at.map(nameOf).join(""));
    return address.toString();
}

const among = <T extends string>(value: string | null, of: readonly T[]): T | undefined =>
    of.find((each) => each === value);

export function queryIn(search: string, material: string): Query {
    const address = new URLSearchParams(search);
    const query = emptyQuery(address.get("in") ?? material);
    query.given = among(address.get("given"), GIVEN) ?? "any";
    query.side = among(address.get("side"), ["white", "black"] as const) ?? "any";
    query.king = among(address.get("king"), PLACES) ?? "any";
    query.hunter = among(address.get("hunter"), PLACES) ?? "any";
    query.isUnique = address.has("unique");
    for (const name of NUMBERS) {
        const value = address.get(name);
        query[name] = value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;
    }
    for (const [name, value] of address) {
        const man = /^at([KRNSM])$/i.exec(name)?.[1];
        if (man) query.where.set(man, (value.match(/[a-h][1-8]/g) ?? []).map(squareOf));
    }
    return query;
}
