// Refusals in English, and what every language has to say about them: what cannot be read, played or answered, and why.
import type { Problem, Side } from "../../api.ts";
import type { Fault } from "../subjects.ts";

const side = (side: Side) => (side === "white" ? "White" : "Black");

export const refusal = {
    problem: {
        missing_king: ({ side: who }) => `${side(who)} has no king.`,
        opposite_check: ({ side: who }) => `${side(who)} is in check, but it is not ${side(who)}’s move.`,
        touching_kings: () => "The kings touch.",
        pawn_beyond_promotion: ({ square }) => `The pawn on ${square} would have become a met.`,
        pawn_behind_start: ({ square }) =>
            `No pawn can stand on ${square}: pawns begin on their third rank and never go back.`,
        too_many_mets_and_pawns: ({ found, most, side: who }) =>
            `${side(who)} has ${found} mets and pawns together: at most ${most} are possible.`,
        too_many: ({ found, most, role, side: who }) =>
            `${side(who)} has ${found} ${role}s: at most ${most} ${most === 1 ? "is" : "are"} possible.`,
    } as { [K in Problem["problem"]]: (problem: Extract<Problem, { problem: K }>) => string },
    fault: {
        empty: () => "The text has no position.",
        ranks: ({ found }) =>
            `The board has ${found} rank${found === "1" ? "" : "s"}: expected 8, with / between them.`,
        rank: ({ found, rank, squares }) => `Rank ${rank}, “${found}”, has ${squares} squares: expected 8.`,
        letter: ({ found, rank }) =>
            `Rank ${rank} has “${found}”: men are K R N S M P (or B E for S, Q F for M), empty squares 1 to 8.`,
        side: ({ found }) =>
            found ? `The side to move is “${found}”: expected w or b.` : "The side to move is missing: w or b.",
        third: ({ found }) => `The third field is “${found}”: expected -.`,
        fullmove: ({ found }) => `The number of the move is “${found}”: expected 1 or more.`,
        limit: ({ found }) => `The count’s LIMIT is “${found}”: expected - or 1 to 9999.`,
        ply: ({ found }) => `The count’s PLY is “${found}”: expected 0 to 9999.`,
    } satisfies Record<string, (fault: Fault) => string>,
    mistake: {
        line: (line: number) => `Line ${line}: `,
        tag: (found: string) => `“${found}” is not a tag. Expected [Name "value"].`,
        fen: () => "its FEN tag is not a valid position.",
        variant: (found: string) => `its Variant tag is “${found}”: only games of Makruk are read.`,
        position: (found: string) => `“${found}” is a position, and no move follows it.`,
        move: (found: string, number: string) => `move ${number} cannot be played: “${found}” is not a move.`,
        promotion: (found: string, number: string) =>
            `move ${number} cannot be played: “${found}” promotes, but no pawn can.`,
        illegal_move: (found: string, number: string, moves: string) =>
            `move ${number} cannot be played: “${found}” is not legal${moves ? `: ${moves}` : ""}.`,
        ambiguous_move: (found: string, number: string, moves: string) =>
            `move ${number} cannot be played: “${found}” could mean several moves: ${moves}.`,
        open_comment: () => "a comment is not closed with }.",
        open_variation: () => "a variation is not closed with ).",
        stray_close: () => "a ) does not close a variation.",
        column: (column: number, found: string) => `Cannot be read from character ${column}: ${found}`,
    } as Record<
        | "tag"
        | "variant"
        | "position"
        | "fen"
        | "move"
        | "promotion"
        | "illegal_move"
        | "ambiguous_move"
        | "open_comment"
        | "open_variation"
        | "stray_close",
        (found: string, number: string, moves: string) => string
    > & { line: (line: number) => string; column: (column: number, found: string) => string },
    error: {
        bad_material: (found: string) =>
            `“${found}” is not an ending: expected two sides, each with its king, such as KRRvKR`,
        illegal: "This cannot be a position",
        bad_fen: "This is not a valid FEN",
        bad_count: "The count is not possible",
        bad_pgn: "The game cannot be read",
        bad_filter: "The filter cannot be read",
        too_large: "This is too long for the server",
        deadline_exceeded: "The answer took too long",
        too_many_men: "Too many men for the tables",
        too_many_menBody: "The tables know endings of a few men. You can play on from here.",
        missing_table: "The table is missing",
        missing_tableBody:
            "This server has no table for this ending, or for one that a capture or promotion leads to. Build it with",
        corrupt_table: "The table is damaged",
        missing_tableHere: "This site has no table for this ending, or for one that a capture or promotion leads to.",
        no_range: "The host sends whole files only",
        wrong_range: "The host sends bytes other than those requested",
        no_file: "A file is missing on the host",
        refused: "The host refuses a file",
        changed: "The tables were replaced in the meantime; load the page again",
        misfit: "A file on the host is not the one that the site’s guide describes: it was cut short or replaced. The site’s owner has to upload it again",
        out_of_reach:
            "The site answers, but its tables do not: their host cannot be reached, or does not let pages of this site read them (Access-Control-Allow-Origin)",
        part_away: "This part of the page could not be loaded: there is no network, or the page was replaced",
        again: "Try again",
        reload: "Load the page again",
        timeout: "The host took too long",
        damaged: "The tables are damaged there",
        other: "No answer",
    },
};

export type RefusalWords = typeof refusal;
