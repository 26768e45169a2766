// English, and what every language has to say.
import type { Problem, Side } from "../api.ts";
import type { Fault } from "../fen.ts";
import type { Role } from "../position.ts";
import { search } from "./search/en.ts";
import { trainer } from "./trainer/en.ts";

const side = (side: Side): string => (side === "white" ? "White" : "Black");
const moves = (n: number) => `${n} move${n === 1 ? "" : "s"}`;
const roles: Record<Role, string> = { K: "king", R: "rook", N: "knight", S: "khon", M: "met", P: "pawn" };
const ordinal = (n: number) =>
    `${n}${["th", "st", "nd", "rd"][n % 10 > 3 || Math.floor(n / 10) % 10 === 1 ? 0 : n % 10]}`;

export const en = {
    name: "English",
    title: "Makruk endings",
    description: "Makruk endings: the result of every position, with the count and without it",
    side,
    moves,
    roles,
    man: (of: Side, role: Role) => `${side(of)} ${roles[role]}`,
    number: (n: number) => n.toLocaleString("en"),
    percent: (n: number, digits: number) => `${n.toFixed(digits)} %`,
    bytes: (n: number, digits: number, unit: number) => `${n.toFixed(digits)} ${["B", "kB", "MB", "GB"][unit]}`,

    nav: { board: "Board", sets: "Endings", find: "Find", train: "Training", help: "Help" },
    view: {
        language: "Language",
        dark: "Dark",
        letters: "Letters on the men",
        traditional: "Traditional men",
        notation: "Thai notation",
        flip: "Turn the board round",
        mirror: "Mirror left and right",
        swap: "Swap colours",
        setup: "Set up",
        done: "Done",
        play: "Move",
        mode: "What the board does",
        clear: "Empty the board",
        kings: "Kings only",
        start: "To the start",
        back: "Back",
        forward: "Forward",
        end: "To the end",
        board: "Board",
        tools: "Tools of the board",
        best: "Play the best move",
        removeStep: "Take this move out",
        promote: "Make this the main line",
        hand: "Move men",
        remove: "Remove men",
        palette: "Men to place",
        line: "Moves so far",
        tomove: "To move",
    },
    setupHint:
        "Drag men, or pick one and tap squares. On the keyboard: arrows, then K R N S M P (with Shift: White), Delete.",
    playHint: "Space plays the best move.",
    notMovable: (toMove: Side) => `It is ${side(toMove)}’s move. To put men anywhere, choose Set up.`,

    square: (name: string, man: string | null, target: boolean) =>
        `${name}${man ? `, ${man}` : ""}${target ? ", can be reached" : ""}`,

    verdict: {
        waiting: "Looking…",
        mated: (loser: Side, winner: Side) => ({
            head: `Checkmate: ${side(winner)} has won`,
            body: `${side(loser)} is mated.`,
        }),
        matedLate: (loser: Side, winner: Side) => ({
            head: "Draw: the count had run out",
            body: `${side(loser)} is mated, but too late: the count had run out before ${side(winner)}’s last move.`,
        }),
        stalemate: (who: Side) => ({
            head: "Draw: stalemate",
            body: `${side(who)} has no legal move and is not in check.`,
        }),
        draw: () => ({ head: "Draw", body: "Neither side can force mate, count or no count." }),
        winsBare: (winner: Side, needs: number, left: number) => ({
            head: `${side(winner)} wins`,
            body: `${side(winner)} mates in ${moves(needs)}, and the count leaves ${left}.`,
        }),
        winsArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: `${side(winner)} wins`,
            body: `It decides in ${moves(needs)}, by mate or by taking ${side(loser)}’s last piece in time; the count leaves ${left}. Without the count: mate in ${mate}.`,
        }),
        expired: (winner: Side, mate: number) => ({
            head: "Draw: the count has run out",
            body: `Without the count ${side(winner)} would mate in ${moves(mate)}.`,
        }),
        countBare: (winner: Side, needs: number, left: number) => ({
            head: "Draw by the count",
            body: `${side(winner)} needs ${moves(needs)} to mate, but the count leaves ${left}. Without the count: ${side(winner)} wins.`,
        }),
        countArmed: (winner: Side, loser: Side, needs: number, left: number, mate: number) => ({
            head: "Draw by the count",
            body: `${side(winner)} needs ${moves(needs)} to mate or to take ${side(loser)}’s last piece in time, but the count leaves ${left}. Without the count: mate in ${mate}.`,
        }),
        countNever: (winner: Side, loser: Side, mate: number) => ({
            head: "Draw by the count",
            body: `Without the count ${side(winner)} mates in ${moves(mate)}. With it ${side(winner)} can force neither mate, nor a capture of ${side(loser)}’s last piece that leaves moves enough to mate.`,
        }),
        needs: "needs",
        leaves: "the count leaves",
        short: (n: number) => `${moves(n)} short`,
        spare: (n: number) => (n === 0 ? "not one to spare" : `${n} to spare`),
        line: "Play out the best line",
        lineEnd: { checkmate: "mate", count_expired: "the count runs out: draw", draw: "draw", truncated: "…" },
    },

    gaveAway: {
        win: (san: string, best: string) => `${san} gave the win away: ${best} wins.`,
        draw: (san: string, best: string) => `${san} gave the draw away: ${best} holds.`,
        time: (san: string, best: string, n: number) => `${san} cost ${moves(n)}: ${best} is best.`,
    },

    group: {
        title: (who: Side) => `${side(who)}’s moves`,
        win: "Winning",
        drawn: "Drawing",
        loss: "Losing",
        unjudged: "Legal moves",
        none: "No legal move.",
    },
    move: {
        mate: "mate",
        mateLate: "mate, but too late",
        draw: "draw",
        toMate: (n: number) => `${n} more to mate`,
        toDecide: (n: number) => `${n} more to decide`,
        takesLast: (needs: number) => `takes the last piece, ${needs} more to mate`,
        leaves: (left: number) => `${left} left`,
        leavesLong: (left: number) => `the count then leaves ${moves(left)}`,
        withoutCount: (n: number) => `mate in ${n} without the count`,
        save: "save",
        saveTitle: "Lost without the count, drawn by it",
        cursed: "count draws",
        cursedTitle: "Won without the count, drawn by it",
        sacrifice: "sacrifice",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null) =>
            `After ${capture} ${side(attacker)} needs ${moves(needed)} to mate${left === null ? "" : `, and the count leaves ${left}`}.`,
    },

    count: {
        title: "The count",
        none: "Not running",
        runs: "Running",
        // The sentence around the two numbers.
        counted: (who: Side | null, counted: number, limit: number) =>
            `${who ? side(who) : "The defender"} has counted ${counted} of ${limit}`,
        spent: (limit: number) => `All ${limit} are counted: the count has run out`,
        leaves: (winner: Side, left: number) => `${side(winner)} has ${moves(left)} left`,
        wouldLeave: (winner: Side, loser: Side, left: number) =>
            `If ${side(loser)} begins to count now, ${side(winner)} has ${moves(left)}.`,
        says: "Nobody can win here, so the count says nothing.",
        pawns: "No count runs while there are unpromoted pawns.",
        stopped: (winner: Side) => `${side(winner)} counts but is winning, and may stop. This count is set aside.`,
        fields: "In the FEN, in plies",
        slider: "Moves counted",
        most: "Limit in moves",
        typed: ["Counted", "of", "moves"],
        who: "Who counts",
        derive: (moves: number) => `Take the limit from the men: ${moves}`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `Pieces’ honour, ${limit}. The count begins at all men on the board plus one, and captures change nothing. When ${limit} is counted, the other side has one last move. (Competition rules of BE 2569, pp. 10–11)`
                : `Board’s honour, ${limit}: both sides still have a piece. Captures do not restart it, but taking the last piece begins the pieces’ honour.`,
        print: "Print a sheet for the arbiter",
    },

    ruling: {
        title: "Ruling",
        position: "Position",
        rule: "Rule",
        ruling: "Verdict",
        reason: "Reason",
        repeated: "Repetition",
        open: "No verdict",
        signed: "Date, arbiter",
        spoken: "Call out",
    },
    repeated: (times: number) =>
        times >= 3
            ? `This position stands here for the ${ordinal(times)} time: the game is drawn.`
            : "This position has stood here before. A third time draws the game.",

    fen: {
        label: "Position (FEN)",
        copy: "Copy FEN",
        copyPgn: "Copy PGN",
        copyMoves: "Copy moves",
        copyLink: "Copy link",
        embed: "Copy code to embed",
        picture: "Save a picture",
        share: "Share as a picture",
        copied: "Copied",
        notCopied: "The browser does not let this page copy.",
        paste: "Paste a game or position…",
    },
    paste: {
        title: "Paste a game or a position",
        hint: "A PGN of one or several games, or a FEN. Letters of any program are read.",
        open: "Open",
        cancel: "Cancel",
        file: "Choose a file…",
        choose: "Which game?",
        empty: "There is no game in this text.",
    },
    game: {
        title: "Game",
        close: "Close the game",
        strip: "Verdicts of the game, move by move",
        at: (ply: number, of: number, what: string) => `Half-move ${ply} of ${of}: ${what}`,
        uncovered: "not in the tables",
        drawByCount: "draw by the count",
        draw: "draw",
        wins: (who: Side) => `${side(who)} wins`,
        covered: (n: number, of: number) => `${n} of ${of} positions are in the tables.`,
        missing: (n: number, command: string) => `${n} would need a table that is missing: ${command}`,
        faultless: (who: Side) => `${side(who)} gave nothing away.`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${side(who)} gave away ${[
                wins && `${wins} win${wins === 1 ? "" : "s"}`,
                draws && `${draws} draw${draws === 1 ? "" : "s"}`,
                lost && `${moves(lost)} of time`,
            ]
                .filter(Boolean)
                .join(", ")}.`,
        next: "Next mistake",
        previous: "Previous mistake",
        list: (n: number) => (n === 1 ? "The mistake" : `All ${n} mistakes`),
        results: "Results given away",
        time: "Time lost",
    },

    examples: {
        title: "Examples",
        game: "A whole game, won by mate at move 113",
        findDraw: "Find the draw",
        findWin: "Find the win",
        about: {
            rook: "Two rooks against one",
            khon: "A khon to be taken?",
            bait: "Nothing but a khon left",
            clock: "The rook against the clock",
            step: "One square holds",
            long: "Knight and met, move by move",
        },
    },
    quiz: {
        draw: (who: Side) => `${side(who)} to move: find the draw.`,
        win: (who: Side) => `${side(who)} to move: find the win.`,
        show: "Show the moves",
        hint: "Play your move on the board.",
        wrong: (san: string, kind: "draw" | "win") =>
            kind === "draw" ? `${san} does not hold the draw.` : `${san} does not win.`,
        right: (san: string) => `Yes, ${san}!`,
        next: "Next puzzle",
        again: "Try again",
    },

    sets: {
        keep: {
            button: "Keep all tables of up to four men on this device (30 MB)",
            underWay: (share: string) => `Keeping the tables: ${share}`,
            kept: "All tables of up to four men are on this device. Their positions need no net.",
        },
        title: "Endings",
        intro: "Every ending the tables know. Wins are those of either side, with both sides to move taken together.",
        filter: "Search, such as KRRvKR, RR or rook and khon",
        men: (n: number) => `${n} men`,
        all: "All",
        name: "Ending",
        wins: "Won and drawn",
        mate: "Longest mate",
        event: "Longest under the count",
        lost: "Wins lost to the count",
        size: "Size",
        none: "No ending matches.",
        missing: "missing",
        build: "This table is not here. Build it with",
        buildAll: (n: number) => `${n} endings are not here. They show the command that builds them.`,
        noTables: "This server has no tables yet. Build all of up to four men with",
        back: "All endings",
        totals: "Totals",
        tomove: (who: Side) => `${side(who)} to move`,
        won: (who: Side) => `${side(who)} wins`,
        drawn: "Draw",
        lostToCount: (share: string) => `${share} of all wins are lost to the count that begins now.`,
        noneLost: "No win is lost to a count that begins now.",
        histogram: "How long the wins take",
        histogramOf: (winner: Side, toMove: Side) => `${side(winner)} wins, ${side(toMove)} to move`,
        histogramAxis: "moves",
        byMate: "to mate",
        byEvent: "to mate, or to a capture that wins in time",
        limit: (n: number) => `the count leaves ${n}`,
        beyond: "too long for the count",
        within: "in time",
        bar: (n: number, positions: string) => `${moves(n)}: ${positions} positions`,
        never: (positions: string) =>
            `In ${positions} other positions mate can be forced, but not in time for the count.`,
        longest: "Longest wins",
        longestNone: "Positions of this side are worked out from its moves; none are listed.",
        compare: "Compare with",
        compareTitle: (a: string, b: string) => `${a} and ${b}`,
        figures: "Figures",
        wonOf: (who: Side) => `Positions won by ${side(who)}`,
        drawnOf: "Positions drawn",
        lostShare: "Wins lost to the count",
        pending: "Still searching…",
        progress: (share: string) => `${share} of the table searched.`,
        searching: (most: number) =>
            `The longest take ${moves(most)}. Looking through the whole table for where they are: in large endings that takes a minute or two.`,
        saves: "Saves to find",
        savesHint: "Lost without the count. Find the move that draws.",
        savesCount: (n: string) => `There are ${n} of them in this ending.`,
        savesNone: "No such save turned up.",
        saveOf: (drawing: number, legal: number) => `${drawing} of ${legal} moves draw`,
    },

    problem: (problem: Problem): string => {
        switch (problem.problem) {
            case "missing_king":
                return `${side(problem.side)} has no king.`;
            case "opposite_check":
                return `${side(problem.side)} is in check, but it is not ${side(problem.side)}’s move.`;
            case "touching_kings":
                return "The kings touch.";
            case "pawn_beyond_promotion":
                return `The pawn on ${problem.square} would have become a met.`;
            case "too_many":
                return `${side(problem.side)} has ${problem.found} ${problem.role}s: at most ${problem.most} ${problem.most === 1 ? "is" : "are"} possible.`;
        }
    },
    fault: (fault: Fault): string => {
        switch (fault.field) {
            case "empty":
                return "There is no position in it.";
            case "ranks":
                return `The board has ${fault.found} rank${fault.found === 1 ? "" : "s"}: 8 are needed, with / between them.`;
            case "rank":
                return `Rank ${fault.rank}, “${fault.found}”, has ${fault.squares} squares: 8 are needed.`;
            case "letter":
                return `Rank ${fault.rank} has “${fault.found}”: men are K R N S M P (or B E for S, Q F for M), empty squares 1 to 8.`;
            case "side":
                return fault.found
                    ? `The side to move is “${fault.found}”: w or b is needed.`
                    : "The side to move is missing: w or b.";
            case "limit":
                return `The count’s LIMIT is “${fault.found}”: - or 1 to 9999 is needed.`;
            case "ply":
                return `The count’s PLY is “${fault.found}”: 0 to 9999 is needed.`;
        }
    },
    mistake: {
        line: (line: number) => `Line ${line}: `,
        tag: (found: string) => `“${found}” is no tag: [Name "value"] is needed.`,
        fen: () => "its FEN tag is no position.",
        move: (found: string, number: string) => `move ${number} cannot be played: “${found}” is no move.`,
        promotion: (found: string, number: string) =>
            `move ${number} cannot be played: “${found}” promotes, but no pawn can.`,
        illegal_move: (found: string, number: string, moves: string) =>
            `move ${number} cannot be played: “${found}” is not legal${moves ? `: ${moves}` : ""}.`,
        ambiguous_move: (found: string, number: string, moves: string) =>
            `move ${number} cannot be played: “${found}” may be several: ${moves}.`,
        open_comment: () => "a comment is not closed with }.",
        open_variation: () => "a variation is not closed with ).",
        stray_close: () => "a ) closes no variation.",
        column: (column: number, found: string) => `Not understood from letter ${column} on: ${found}`,
    } as Record<
        | "tag"
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
        illegal: "This cannot be a position",
        bad_fen: "This is no FEN",
        bad_count: "The count is not possible",
        bad_pgn: "The game cannot be read",
        bad_filter: "The filter cannot be read",
        too_large: "This is too long for the server",
        deadline_exceeded: "The answer took too long",
        has_pawns: "No verdict while there are pawns",
        has_pawnsBody: "The tables begin when the last pawn is promoted or taken. You can play on from here.",
        too_many_men: "Too many men for the tables",
        too_many_menBody: "The tables know endings of a few men. You can play on from here.",
        missing_table: "The table is missing",
        missing_tableBody:
            "This server has no table for this ending, or for one that a capture leads to. Build it with",
        corrupt_table: "The table is damaged",
        missing_tableHere: "This site has no table for this ending, or for one that a capture leads to.",
        no_range: "The host sends whole files only",
        wrong_range: "The host sends other bytes than were asked for",
        no_file: "A file is missing on the host",
        refused: "The host refuses a file",
        changed: "The tables were replaced meanwhile; load the page again",
        damaged: "The tables are damaged there",
        other: "No answer",
    },
    search,
    trainer,
    health: {
        away: "The server is away. The page goes on by itself when it is back.",
        back: "The server is back.",
        locked: "This server asks for a token.",
        token: "Token",
        unlock: "Unlock",
    },
    copyCommand: "Copy the command",

    help: {
        title: "How this works",
        close: "Close",
        body: [
            "Makruk endings are decided by a count. Once a king is bare, the other side has a fixed number of moves to mate, and the fewer, the stronger it is: two rooks have 8, less all men on the board. If the count runs out, the game is drawn. While both sides still have a piece, the weaker side may count to 64.",
            "Two kinds of count: the board’s honour (sak kradan) runs to 64 while both sides have a piece. The pieces’ honour (sak mak) begins when the last piece of a side is taken, at the number of all men plus one. Its limit goes by the stronger side: two rooks 8, one rook 16, two khons 22, two knights 32, one khon 44, anything else 64. When the limit is counted, one last move may still mate.",
            "The page tells what every position is worth without the count and with it. A draw by the count is a position that would be won if there were no count: with two rooks against one, giving the rook away often saves the game.",
        ],
        men: "The men",
        menBody: [
            ["K", "King: one step in any direction."],
            ["R", "Rook: any number of squares in a straight line."],
            ["N", "Knight: as in chess."],
            ["S", "Khon: one step diagonally, or one step straight forward."],
            ["M", "Met: one step diagonally. A pawn becomes a met on its sixth rank."],
            ["P", "Pawn: one step forward, takes diagonally."],
        ] as [Role, string][],
        keys: "Keys",
        keysBody: [
            ["Space", "play the best move"],
            ["← →", "a move back, a move on"],
            ["Home End", "to the start, to the end"],
            ["F", "turn the board round"],
            ["E", "set up, and back to moving"],
            ["L", "letters or figures"],
            ["?", "this help"],
        ],
    },
};

export type Words = typeof en;
