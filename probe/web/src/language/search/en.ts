// The search in English, and what every language has to say of it.
import type { Given, Place } from "../../search/query.ts";

const gives: Record<Given, string> = {
    any: "anything or nothing",
    none: "nothing",
    piece: "a piece",
    last: "the last piece",
    R: "a rook",
    N: "a knight",
    S: "a khon",
    M: "a met",
};

export const search = {
    title: "Find positions",
    intro: "Positions that are lost without the count and saved by it: the side to move draws, if it finds how.",
    fromSet: "Find more of them, by what they are like",
    given: "The saving move gives up",
    gives: (given: Given) => gives[given],
    anySide: "White or Black",
    king: "The king to be saved",
    hunter: "The other king",
    places: { any: "anywhere", corner: "in a corner", edge: "at the edge", centre: "in the centre" } as Record<
        Place,
        string
    >,
    short: "Moves the attacker is short",
    mate: "Moves to mate without the count",
    least: "at least",
    most: "at most",
    unique: "Only one move saves",
    draw: "Where men stand",
    drawHint: "Choose a man and tap the squares where it may stand. Without a mark it may stand anywhere.",
    search: "Search",
    searching: "Searching…",
    found: (n: number, total: string | null) => (total === null ? `${n} found.` : `${n} shown of ${total}.`),
    scanned: (n: string) => `${n} positions looked through.`,
    over: "There are no more.",
    stop: "Stop",
    more: "More",
    save: (format: string) => `Save as ${format}`,
};

export type SearchWords = typeof search;
