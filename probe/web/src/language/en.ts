// English, and what every language has to say.
import type { Side } from "../api.ts";
import type { Role } from "../position.ts";
import { ROLE_NAMES } from "./roles.ts";
import { refusal } from "./refusal/en.ts";
import type { Reason } from "./subjects.ts";

const side = (side: Side): string => (side === "white" ? "White" : "Black");
const moves = (n: number) => `${n} move${n === 1 ? "" : "s"}`;
const roles = ROLE_NAMES.en;
const ordinal = (n: number) =>
    `${n}${["th", "st", "nd", "rd"][n % 10 > 3 || Math.floor(n / 10) % 10 === 1 ? 0 : n % 10]}`;

export const en = {
    title: "Makruk endings",
    description: "Makruk endings: the result of every position, with the count and without it",
    about: (version: string) =>
        `Makruk endgame tablebase ${version} · The Makruk tablebase authors · free software (MIT or Apache-2.0)`,
    solved: (endings: number, men: number) =>
        `Tables here: ${endings} endings of up to ${men} men. Every result is exact: all positions were solved backwards from the mates.`,
    checksum: "Their checksum (SHA-256)",
    side,
    moves,
    roles,
    /** The men as an ending names them, and what stands between its sides. */
    ending: { K: "K", R: "R", N: "N", S: "khon", M: "met", P: "P" } as Record<Role, string>,
    against: " v ",
    man: (of: Side, role: Role) => `${side(of)} ${roles[role]}`,
    number: (n: number) => n.toLocaleString("en"),
    percent: (n: number, digits: number) => `${n.toFixed(digits)} %`,

    nav: {
        board: "Board",
        materials: "Endings",
        find: "Find",
        train: "Training",
        thumb: "Count",
        help: "Help",
        views: "Menu",
        look: "Language and looks",
    },
    welcome: {
        title: "Where to start",
        about: "Perfect play in the endings of Makruk (Thai chess), with the count.",
        ways: {
            solve: { title: "Solve", text: "the puzzle of the day" },
            lookUp: { title: "Look up", text: "set up any position" },
            learn: { title: "Learn", text: "the course, step by step" },
            thumb: { title: "Count", text: "by thumb, at the board" },
        },
    },
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
        mode: "Board mode",
        clear: "Empty the board",
        kings: "Kings only",
        start: "To the start",
        back: "Back",
        forward: "Forward",
        end: "To the end",
        board: "Board",
        tools: "Board tools",
        best: "Play the best move",
        removeStep: "Remove this move",
        promote: "Make this the main line",
        hand: "Move men",
        remove: "Remove men",
        palette: "Men to place",
        line: "Moves so far",
        tomove: "To move",
    },
    setupHint: "Drag men, or pick one and tap squares.",
    setupKeys: "On the keyboard: arrows, then K R N S M P (with Shift: White), Delete.",
    playHint: "Space plays the best move.",
    pawnSquares: (of: Side, least: number, most: number) =>
        `${side(of)}’s pawns stand on ranks ${least} to ${most} only. A promoted pawn is placed as a met.`,
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
        draw: () => ({ head: "Draw", body: "Neither side can force mate, with a count or without." }),
        wins: (winner: Side) => `${side(winner)} wins`,
        byCount: "Draw by the count",
        expired: "Draw: the count has run out",
        // These sentences are those of `makruk-probe query`.
        reason: ({ winner, loser, counted, left, needs, goal }: Reason) => {
            const count =
                left === null
                    ? `No count runs while a pawn is on the board. ${side(winner)}`
                    : counted
                      ? `${side(loser)} has counted ${counted[0]} of ${counted[1]} moves; ${side(winner)} has ${left} left and`
                      : `If ${side(loser)} begins to count now, ${side(winner)} has ${moves(left)} and`;
            if (goal === "mate") return `${count} needs ${moves(needs ?? 0)} to mate.`;
            const end = goal === "piece" ? `take ${side(loser)}’s last piece` : "promote or take the last pawn";
            return needs === null
                ? `${count} can neither mate nor ${end} in time.`
                : `${count} needs ${moves(needs)} to mate or to ${end} in time.`;
        },
        without: (winner: Side, mate: number) => `Without a count ${side(winner)} mates in ${mate}.`,
        begun: (honour: "pieces" | "board", limit: number, winner: Side | null, left: number | null) =>
            `The last pawn is gone and a count begins: ${honour === "pieces" ? "pieces’" : "board’s"} honour, ${limit}.${winner && left !== null ? ` ${side(winner)} has ${moves(left)}.` : ""}`,
        slower: (needs: number, mate: number) =>
            `${needs}, not ${mate}: the quickest mate takes the last piece when the count that then begins leaves too few moves.`,
        tooSoon: (san: string, needs: number, left: number) =>
            `Not ${san} yet: the count that it begins leaves ${left}, and mate takes ${moves(needs)} more.`,
        needs: "needs",
        leaves: "has",
        short: (n: number) => `${moves(n)} short`,
        spare: (n: number) => (n === 0 ? "not one to spare" : `${n} to spare`),
        turn: (who: Side) => `${side(who)} to move`,
        line: "Play out the best line",
        fromHere: "Practise from here",
        lineEnd: { checkmate: "mate", count_expired: "the count runs out: draw", draw: "draw", truncated: "…" },
    },

    results: {
        mode: "Results",
        moves: "Each move’s result stands on its square. Tap a man: the result with him on each square.",
        map: (man: string) => `${man} on each square`,
        legend: "Circle: won by its colour, in so many moves. Diamond: won, but drawn by the count. =: a draw.",
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
        toMate: (n: number) => `mate in ${n}`,
        wins: (n: number) => `wins in ${n}`,
        loses: (n: number) => `loses in ${n}`,
        takesLast: (needs: number) => `takes the last piece, then mate in ${needs}`,
        beginsPieces: (limit: number, needs: number) => `begins a count to ${limit}, then mate in ${needs}`,
        beginsBoard: (limit: number, mate: number) => `begins a count to ${limit}, mate in ${mate} without it`,
        leaves: (left: number) => `${moves(left)} left`,
        leavesLong: (left: number) => `the count then leaves ${moves(left)}`,
        withoutCount: (n: number) => `mate in ${n} without the count`,
        save: "save",
        saveTitle: "Lost without the count, drawn by it",
        cursed: (left: number | null) => (left === null ? "drawn by the count" : `drawn: only ${moves(left)} left`),
        cursedTitle: "Won without the count, drawn by it",
        sacrifice: "sacrifice",
        sacrificeLong: (capture: string, attacker: Side, needed: number, left: number | null, men: number | null) =>
            left === null || men === null
                ? `After ${capture} ${side(attacker)} needs ${moves(needed)} to mate${left === null ? "" : `, and the count leaves ${left}`}.`
                : `After ${capture} the limit is ${left + men} moves, less the ${men} men on the board: ${left + men} − ${men} = ${left}. ${side(attacker)} needs ${moves(needed)} to mate.`,
    },

    count: {
        details: "Number, side and rule of the count",
        what: "What is the count?",
        /** Its words, as a regular expression. */
        term: "count\\w*",
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
        says: "Nobody can win here, so the count does not matter.",
        pawns: "No count runs while an unpromoted pawn of either side is on the board. It begins when the last one promotes or is taken.",
        stopped: (winner: Side) => `${side(winner)} counts but is winning, and may stop. This count is set aside.`,
        slider: "Moves counted",
        most: "Limit in moves",
        typed: ["Counted", "of", "moves"],
        who: "Who counts",
        noLimit: (limits: number[]) =>
            limits.length === 1
                ? `While both sides have a piece the limit is ${limits[0]}.`
                : `No men have this limit: it is ${limits.join(", ")}.`,
        parity: (of: Side) => `From this PLY pychess reads the count as ${side(of)}’s.`,
        honour: (honour: "pieces" | "board", limit: number) =>
            honour === "pieces"
                ? `Pieces’ honour, ${limit}. The count begins at all men on the board plus one, and captures change nothing. When ${limit} is counted, the other side has one last move. (Competition rules of BE 2569, pp. 10–11)`
                : `Board’s honour, ${limit}: both sides still have a piece. Captures do not restart it, but taking the last piece begins the pieces’ honour. It runs only if a player claims it; choose Not running until then.`,
        print: "Print a sheet for the arbiter",
        spoken: (counted: number, limit: number) => `“${counted}!” The count goes to ${limit}.`,
    },

    ruling: {
        title: "Arbiter’s sheet",
        event: "Event",
        player: (of: Side) => `Player, ${side(of)}`,
        board: "Round, board",
        position: "Position",
        rule: "Rule",
        ruling: "Ruling",
        goesOn: "The game goes on.",
        goesOnWith: (winner: Side, left: number) => `The game goes on. ${side(winner)} has ${moves(left)} left.`,
        bestPlay: "With best play",
        reason: "Reason",
        repeated: "Repetition",
        open: "No verdict",
        signed: "Date, arbiter",
        spoken: "Call out",
        dead: "Neither side can mate, even if the other helps.",
        flag: (of: Side) => `If ${side(of)}’s flag falls`,
        forces: (of: Side) => `${side(of)} can force mate within the count.`,
        canMate: (of: Side, can: boolean | null) =>
            can === null
                ? "Pawns decide whether a mate is possible."
                : `${side(of)} ${can ? "can mate if the other side helps" : "cannot mate, even if the other side helps"}.`,
    },
    repeated: (times: number) =>
        times >= 3
            ? `This is the ${ordinal(times)} occurrence of this position: the game is drawn.`
            : "This position has occurred before. A third occurrence draws the game.",

    thumb: {
        title: "Count by thumb",
        intro: "For the arbiter’s table: choose the count and its men, then tap the number at each move of the side that counts.",
        honours: { pieces: "Pieces’ honour", board: "Board’s honour, 64" },
        men: "The attacker’s men besides the king",
        less: (name: string) => `One ${name} less`,
        more: (name: string) => `One ${name} more`,
        rule: (first: number, limit: number) => `The first call is ${first}; the count goes to ${limit}.`,
        full: (men: number, limit: number) =>
            `${men} men are on the board and the count goes to ${limit}: the capture has drawn the game, unless it mates.`,
        begin: "Begin",
        tap: "Count one move",
        next: (number: number, limit: number) => `Next: ${number}. The count goes to ${limit}.`,
        called: (number: number, limit: number) => `${number} of ${limit} counted`,
        last: (number: number) => `${number} counted: the attacker has one last move`,
        over: "The count has run out: a draw",
        overThai: "นับครบแล้ว เสมอ",
        undo: "Undo",
        again: "New count",
        from: "Calls",
    },

    fen: {
        label: "Position (FEN)",
        copy: "Copy FEN",
        copyPgn: "Copy PGN",
        copyMoves: "Copy moves",
        copyLink: "Copy link",
        share: "Share as a picture",
        animation: "Share the line as a GIF",
        copied: "Copied",
        notCopied: "The browser does not let this page copy.",
        paste: "Paste a game or position…",
    },
    paste: {
        title: "Paste a game or a position",
        hint: "Games (PGN) or a position (FEN), from PlayOK or any other program.",
        open: "Open",
        cancel: "Cancel",
        file: "Choose a file…",
        choose: "Which game?",
        example: "A game with mistakes",
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
        among: (n: number, of: number) => `In the ${n} of ${of} positions with tables: `,
        faultless: (who: Side) => `${side(who)} gave nothing away.`,
        gave: (who: Side, wins: number, draws: number, lost: number) =>
            `${side(who)} gave away ${[
                wins && `${wins} win${wins === 1 ? "" : "s"}`,
                draws && `${draws} draw${draws === 1 ? "" : "s"}`,
                lost && `${moves(lost)} of time`,
            ]
                .filter(Boolean)
                .join(", ")}.`,
        practise: "Practise a mistake",
        next: "Next mistake",
        previous: "Previous mistake",
    },

    ...refusal,
    health: {
        away: "The server cannot be reached. The page continues by itself when it is back.",
        back: "The server is back.",
        siteAway: "The host of this site cannot be reached. The page continues by itself when it is back.",
        siteBack: "The site can be reached again.",
        offline: "This device is offline. The page continues by itself when the network is back.",
        locked: "This server requires a token.",
        token: "Token",
        unlock: "Unlock",
    },
    copyCommand: "Copy the command",

    help: {
        title: "How this works",
        close: "Close",
        body: [
            "Makruk endings are decided by a count: the side that is losing counts its moves, and when the count is full the game is drawn.",
            "Two kinds of count: the board’s honour (sak kradan) runs to 64 while both sides have a piece. The pieces’ honour (sak mak) begins when the last piece of a side is taken, at the number of all men plus one. Its limit depends on the stronger side’s men: two rooks 8, one rook 16, two khons 22, two knights 32, one khon 44, anything else 64. When the limit is counted, one last move may still mate.",
            "While an unpromoted pawn of either side is on the board, nothing is counted. When the last one promotes or is taken, the count begins: pieces’ honour if a king is bare, otherwise board’s honour. So the attacker must choose when to let the last pawn go.",
            "The page shows what every position is worth without the count and with it. A draw by the count is a position that would be won if there were no count: with two rooks against one, giving the rook away often saves the game.",
        ],
        offline:
            "The page also opens without a network, with what it has shown before. A first visit takes less than 1 MB.",
        programs: "For programs: this server’s API",
        men: "The men",
        menBody: [
            ["K", "King: one step in any direction."],
            ["R", "Rook: any number of squares in a straight line."],
            ["N", "Knight: as in chess."],
            ["S", "Khon: one step diagonally, or one step straight forward."],
            ["M", "Met: one step diagonally. A pawn becomes a met on its sixth rank."],
            ["P", "Pawn: one step forward, takes diagonally. It stands on its third to fifth rank."],
        ] as [Role, string][],
        keys: "Keys",
        keysBody: [
            ["Space", "play the best move"],
            ["← →", "one move back, one move forward"],
            ["Home End", "to the start, to the end"],
            ["F", "turn the board round"],
            ["E", "set up, and back to moving"],
            ["L", "letters or figures"],
            ["?", "this help"],
        ],
    },
};

export type Words = typeof en;

export const words: Words = en;
