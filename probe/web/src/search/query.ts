// A search: the form's fields, their address, and the server's filter made of them.
import { type Man, nameOf, squareOf } from "../position.ts";

/** The kinds of positions that the server searches for. */
export const KINDS = ["saves", "wins", "zugzwangs"] as const;
export type Kind = (typeof KINDS)[number];

export const PLACES = ["corner", "edge", "centre"] as const;
export type Place = (typeof PLACES)[number];

const ALL: readonly Kind[] = KINDS;
const SAVES: readonly Kind[] = ["saves"];
const WINS: readonly Kind[] = ["wins"];
const ZUGZWANGS: readonly Kind[] = ["zugzwangs"];

/** Conditions with one of several values; "any" stands for no condition. */
export const CHOICES = {
    given: { kinds: SAVES, values: ["none", "piece", "last", "R", "N", "S", "M", "P"] },
    poisoned: { kinds: WINS, values: ["last", "capture"] },
    king: { kinds: ALL, values: PLACES },
    attackerKing: { kinds: ALL, values: PLACES },
} as const satisfies Record<string, { kinds: readonly Kind[]; values: readonly string[] }>;
export type Choice = keyof typeof CHOICES;
export type Value<C extends Choice> = (typeof CHOICES)[C]["values"][number] | "any";

/** Quantities between two numbers; those in moves are plies to the server. */
export const RANGES = {
    short: { kinds: SAVES, field: "short" },
    spare: { kinds: WINS, field: "spare" },
    mate: { kinds: ALL, field: "dtm", isMoves: true },
} as const satisfies Record<string, { kinds: readonly Kind[]; field: string; isMoves?: true }>;
export type Range = keyof typeof RANGES;

/** Conditions that hold or not. */
export const FLAGS = {
    unique: { kinds: ALL, test: "unique" },
    byCount: { kinds: ZUGZWANGS, test: "by_count" },
    full: { kinds: ZUGZWANGS, test: "full" },
} as const satisfies Record<string, { kinds: readonly Kind[]; test: string }>;
export type Flag = keyof typeof FLAGS;

const choices = Object.keys(CHOICES) as Choice[];
const ranges = Object.keys(RANGES) as Range[];
const flags = Object.keys(FLAGS) as Flag[];

export interface Query {
    kind: Kind;
    material: string;
    side: "any" | "white" | "black";
    /** The seed of the sample: an address finds the same again. */
    lot: number;
    choices: { [C in Choice]: Value<C> };
    ranges: Record<Range, { least: number | null; most: number | null }>;
    flags: Record<Flag, boolean>;
    /** Squares on which a man may stand; a man without an entry may stand anywhere. */
    where: Map<Man, number[]>;
    /** Further conditions in the server's language of filters. */
    more: string;
}

const each = <K extends string, V>(keys: K[], value: () => V): Record<K, V> =>
    Object.fromEntries(keys.map((key) => [key, value()])) as Record<K, V>;

const emptyQuery = (material: string): Query => ({
    kind: "saves",
    material,
    side: "any",
    lot: 1,
    choices: each(choices, () => "any" as const),
    ranges: each(ranges, () => ({ least: null, most: null })),
    flags: each(flags, () => false),
    where: new Map(),
    more: "",
});

/** Whether this kind of positions has the condition. */
export const has = ({ kind }: Query, condition: { kinds: readonly Kind[] }): boolean => condition.kinds.includes(kind);

/** A choice as a test of the filter. */
function test(choice: Choice, value: string): string {
    switch (choice) {
        case "given":
            if (value === "piece") return "sacrifice=any";
            return value === "none" || value === "last" ? `sacrifice=${value}` : `given=${value}`;
        case "poisoned":
            return `poisoned=${value === "last" ? "last" : "any"}`;
        case "attackerKing":
            return `attacker_king=${value}`;
        case "king":
            return `king=${value}`;
    }
}

/** The filter, in the words of `research saves --where`. */
export function filterOf(query: Query): string {
    const tests: string[] = [];
    for (const name of choices) {
        const value = query.choices[name];
        if (value !== "any" && has(query, CHOICES[name])) tests.push(test(name, value));
    }
    for (const name of flags) if (query.flags[name] && has(query, FLAGS[name])) tests.push(FLAGS[name].test);
    for (const name of ranges) {
        const range = RANGES[name];
        if (!has(query, range)) continue;
        const { least, most } = query.ranges[name];
        const isMoves = "isMoves" in range;
        // n moves of the winner are 2n plies, or one ply less.
        if (least !== null) tests.push(`${range.field}>=${isMoves ? Math.max(0, 2 * least - 1) : least}`);
        if (most !== null) tests.push(`${range.field}<=${isMoves ? 2 * most : most}`);
    }
    for (const [man, at] of query.where) if (at.length > 0) tests.push(`${man}=${at.map(nameOf).join(",")}`);
    if (query.more.trim()) tests.push(`(${query.more.trim()})`);
    return tests.join(" and ");
}

/** The filter of a sample: sampled positions are to be solved, so none has only one legal move. */
export const filterOfLot = (query: Query): string =>
    [filterOf(query), query.kind !== "zugzwangs" && "legal>=2"].filter(Boolean).join(" and ");

/** Whether the query names squares literally, not up to symmetry. */
export const isLiteral = ({ where }: Query): boolean => [...where.values()].some((at) => at.length > 0);

/** The query string after "/?find&". */
export function addressOfQuery(query: Query): string {
    const address = new URLSearchParams({ in: query.material });
    if (query.kind !== "saves") address.set("kind", query.kind);
    if (query.side !== "any") address.set("side", query.side);
    if (query.lot !== 1) address.set("lot", String(query.lot));
    for (const name of choices) if (query.choices[name] !== "any") address.set(name, query.choices[name]);
    for (const name of flags) if (query.flags[name]) address.set(name, "1");
    for (const name of ranges) {
        const { least, most } = query.ranges[name];
        if (least !== null) address.set(`${name}Least`, String(least));
        if (most !== null) address.set(`${name}Most`, String(most));
    }
    for (const [man, at] of query.where) if (at.length > 0) address.set(`at${man}`, at.map(nameOf).join(""));
    if (query.more.trim()) address.set("and", query.more.trim());
    return address.toString();
}

const among = <T extends string>(value: string | null, of: readonly T[]): T | undefined =>
    of.find((each) => each === value);

const whole = (value: string | null): number | null =>
    value !== null && /^\d{1,4}$/.test(value) ? Number(value) : null;

export function queryIn(search: string, material: string): Query {
    const address = new URLSearchParams(search);
    const query = emptyQuery(address.get("in") ?? material);
    query.kind = among(address.get("kind"), KINDS) ?? "saves";
    query.side = among(address.get("side"), ["white", "black"] as const) ?? "any";
    query.lot = whole(address.get("lot")) ?? 1;
    for (const name of choices) {
        const value = among<string>(address.get(name), CHOICES[name].values);
        if (value) Object.assign(query.choices, { [name]: value });
    }
    for (const name of flags) query.flags[name] = address.has(name);
    // The form begins with puzzles.
    if (!address.has("in")) query.flags.unique = true;
    for (const name of ranges) {
        query.ranges[name] = { least: whole(address.get(`${name}Least`)), most: whole(address.get(`${name}Most`)) };
    }
    for (const [name, value] of address) {
        const man = /^at([KRNSMP])$/i.exec(name)?.[1];
        if (man) query.where.set(man, (value.match(/[a-h][1-8]/g) ?? []).map(squareOf));
    }
    query.more = address.get("and") ?? "";
    return query;
}
