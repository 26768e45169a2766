// The endings in English, and what every language has to say about them.
import type { Side } from "../../api.ts";

const side = (side: Side): string => (side === "white" ? "White" : "Black");
const moves = (n: number) => `${n} move${n === 1 ? "" : "s"}`;

export const materials = {
    keep: {
        button: "Keep all tables of up to four men on this device (40 MB)",
        underWay: (share: string) => `Keeping the tables: ${share}`,
        kept: "All tables of up to four men are on this device. Their positions need no network.",
    },
    title: "Endings",
    intro: "Every ending that the tables know. Wins are those of either side, whichever side is to move.",
    filter: "Search, such as RR or rook and khon",
    men: (n: number) => `${n} men`,
    all: "All",
    allMen: "By number of men",
    allPawns: "By number of pawns",
    pawns: (n: number) => (n === 0 ? "No pawns" : n === 1 ? "1 pawn" : `${n} pawns`),
    name: "Ending",
    wins: "Won and drawn",
    mate: "Longest mate",
    conversion: "Longest under the count",
    lost: "Wins lost to the count",
    none: "No ending matches.",
    missing: "missing",
    build: "This table is missing. Build it with",
    buildAll: (n: number) => `Show the ${n} endings that have no tables here`,
    noTables: "This server has no tables yet. Build all of up to four men with",
    back: "All endings",
    totals: "Totals",
    won: (who: Side) => `${side(who)} wins`,
    drawn: "Draw",
    lostToCount: (share: string) => `${share} of all wins are lost to the count that begins now.`,
    noneLost: "No win is lost to a count that begins now.",
    lostToCountPawns: (share: string) =>
        `${share} of all wins are lost to the count: however the last pawn goes, too few moves are left.`,
    noneLostPawns: "No win is lost to the count that begins when the last pawn goes.",
    histogram: "How long the wins take",
    histogramOf: (winner: Side, toMove: Side) => `${side(winner)} wins, ${side(toMove)} to move`,
    histogramAxis: "moves",
    byMate: "to mate",
    byConversion: "to mate, or to a capture that wins in time",
    byConversionPawns: "to mate, or to the end of the last pawn that wins in time",
    limit: (n: number) => `the count leaves ${n}`,
    beyond: "too long for the count",
    within: "in time",
    bar: (n: number, positions: string) => `${moves(n)}: ${positions} positions`,
    never: (positions: string) => `In ${positions} other positions mate can be forced, but not in time for the count.`,
    longest: "Longest wins",
    longestNone: "Positions with this side to move are derived from its moves; none are listed.",
    pending: "Still searching…",
    longestTake: (most: number) => `The longest take ${moves(most)}.`,
    longestUnsearched: "This table is too large to be searched for their positions here.",
    saves: "Saves to find",
    savesHint: "Lost without the count. Find the move that draws.",
    savesCount: (n: string) => `There are ${n} of them in this ending.`,
    savesNone: "No such save was found.",
    saveOf: (drawing: number, legal: number) => `${drawing} of ${legal} moves draw`,
};

export type MaterialWords = typeof materials;
