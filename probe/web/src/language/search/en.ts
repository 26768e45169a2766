// The search in English, and what every language has to say about it.
import type { Choice, Flag, Kind, Range, Value } from "../../search/query.ts";

const places = { any: "anywhere", corner: "in a corner", edge: "at the edge", centre: "in the centre" };

/** The conditions with their values. */
type Choices = { [C in Choice]: Record<Value<C> | "label", string> };

const choices: Choices = {
    given: {
        label: "The saving move gives up",
        any: "anything or nothing",
        none: "nothing",
        piece: "a piece",
        last: "the last piece",
        R: "a rook",
        N: "a knight",
        S: "a khon",
        M: "a met",
        P: "a pawn",
    },
    poisoned: {
        label: "A capture that throws it away",
        any: "there may be one or not",
        last: "of the last piece",
        capture: "of any piece",
    },
    king: { label: "The king of the side that counts", ...places },
    attackerKing: { label: "The other king", ...places },
};

const ranges: Record<Range, string> = {
    short: "Moves the attacker is short",
    spare: "Moves to spare",
    mate: "Moves to mate without the count",
};

const flags: Record<Flag, (kind: Kind) => string> = {
    unique: (kind) => (kind === "wins" ? "Only one move wins" : "Only one move saves"),
    byCount: () => "Only because of the count",
    full: () => "Whoever moves loses",
};

export const search = {
    title: "Find positions",
    needsServer:
        "A search reads whole tables, and this site has no server to do so. makruk-probe serve and makruk-probe research can search.",
    intro: "Positions of an ending, by their properties. Each can be solved on the board.",
    fromMaterial: "Find more of them by their properties",
    kind: "Find",
    kinds: { saves: "draws saved by the count", wins: "wins in time", zugzwangs: "zugzwangs" } as Record<Kind, string>,
    anySide: "White or Black",
    choices,
    ranges,
    flags,
    mover: "The king of the side to move",
    least: "at least",
    most: "at most",
    and: "And, in the filter’s words",
    draw: "Where men stand",
    drawHint: "Choose a man and tap the squares where it may stand. Without a mark it may stand anywhere.",
    search: "Search",
    searching: "Searching…",
    found: (n: number, total: string | null) => (total === null ? `${n} found.` : `${n} shown of ${total}.`),
    scanned: (n: string) => `${n} positions searched.`,
    over: "There are no more.",
    stop: "Stop",
    more: "More",
    save: "Save as PGN",
    /** With a pawn on the board no count runs: `left` is null. */
    winOf: (needs: number, left: number | null, winning: number, legal: number) =>
        `needs ${left === null ? `${needs} ${needs === 1 ? "move" : "moves"}` : `${needs} of ${left}`}, ${winning} of ${legal} moves win`,
    spoils: (san: string) => `${san} throws it away`,
    zugzwangOf: (loses: boolean, otherLoses: boolean): string =>
        loses
            ? otherLoses
                ? "whoever moves loses"
                : "to move: lost; otherwise a draw"
            : "to move: a draw; otherwise won",
    byCount: "by the count",
};

export type SearchWords = typeof search;
