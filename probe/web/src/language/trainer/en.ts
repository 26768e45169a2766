// The trainer in English, and what every language has to say about it.
import type { Side } from "../../api.ts";
import type { Group, LessonName } from "../../trainer/course.ts";
import type { Goal } from "../../trainer/task.ts";
import type { Ending } from "../../trainer/ending.ts";
import type { Level, Theme } from "../../trainer/puzzles.ts";

const side = (side: Side) => (side === "white" ? "White" : "Black");

interface LessonText {
    title: string;
    /** {needs} stands for the attacker's moves needed, {left} for those that the count leaves. */
    text: string;
}

const lessons: Record<LessonName, LessonText> = {
    rook: {
        title: "King and rook",
        text: `The rook fences the bare king in, your king comes to help, and mate comes at the edge. A rook’s count runs to 16 and begins with the men on the board, so {left} moves are left here; {needs} are enough.`,
    },
    rooks: {
        title: "Two rooks in a hurry",
        text: `Two rooks are so strong that their count runs only to 8, less all men on the board. Here {left} moves are left and {needs} are needed: not one may be lost.`,
    },
    khons: {
        title: "Two khons",
        text: `Two khons side by side make a wall that a king cannot pass. Lead it forward with your king: khons go back only diagonally. {left} moves are left, {needs} are needed.`,
    },
    khonMet: {
        title: "Khon and met",
        text: `Both are slow, and a met only ever sees one colour of squares. Patience: {left} moves are left and {needs} are needed. Look after your men first: you cannot afford to lose one.`,
    },
    knightKhon: {
        title: "Knight and khon",
        text: `The king is already at the edge. Knight and khon take the squares beside him while your king holds him there. {needs} moves are enough, and the count leaves {left}.`,
    },
    knightMet: {
        title: "Knight and met",
        text: `The long way of Makruk: from some positions it takes 36 moves. Here {needs} are enough, and the count leaves {left}. Look out for stalemate: it is a draw.`,
    },
    take: {
        title: "Taking in time",
        text: `Both sides still have a piece. Taking the last one begins a new count, so ask before you take: are enough moves left to mate? With the rook against a bare king 13 remain. Here they are enough, but take at the right moment and waste nothing afterwards.`,
    },
    poison: {
        title: "A khon not to be taken",
        text: `The khon is there for the taking. But the count that begins then leaves 13 moves, and mate would need 15: a draw. Do not take; {needs} moves of good play win it at a better moment.`,
    },
    offer: {
        title: "Giving the rook to save the game",
        text: `Two rooks against your one: without the count you are lost. Give the rook so that taking it leaves too few moves to mate. One move does it; afterwards run, and let the count work for you.`,
    },
    bait: {
        title: "Bait",
        text: `A rook hunts your khon and king. Offer the khon: if it is taken, 13 moves are left and more are needed. If it is not taken, you keep it. One move holds.`,
    },
    promote: {
        title: "Promote or wait",
        text: `No count runs while a pawn is on the board. To promote at once is the shortest way to mate, but the count that begins then leaves 12 moves, and mate takes 13: a draw. Guard the pawn and bring your men closer first. {needs} moves of good play promote in time.`,
    },
    hold: {
        title: "The pawn that holds the count",
        text: `The pawn gives check, and your king could take it. It is Black’s last piece: the count that begins then leaves 13 moves, and mate takes 14. As long as the pawn lives nothing is counted, so let it live and come closer. Good play takes it in time after {needs} moves.`,
    },
    giveaway: {
        title: "A pawn given away to start the count",
        text: `A rook hunts your last pawn, and as long as it lives no count protects you. Promote it with check, and let it be taken: then the count begins and leaves 13 moves, and mate takes 14. One move holds.`,
    },
    edge: {
        title: "Mate at the edge",
        text: `The king stands at the edge. Bring your king opposite to his, then the rook gives check along the edge; if it is not your turn to be there, wait with the rook. {needs} moves are enough of {left}.`,
    },
    cage: {
        title: "The cage",
        text: `From afar a rook needs all the moves there are: {needs} of {left}. Cut the board with the rook, bring your king at once, and make the cage smaller. A check that drives the king nowhere costs the game.`,
    },
    rooksNet: {
        title: "No air for the king",
        text: `The king in the corner has no move left: after a quiet move it is stalemate, a draw. One move goes on with check. {needs} moves are needed, and the count leaves {left}.`,
    },
    khonsStep: {
        title: "Khons that guard each other",
        text: `Your khon is attacked. A khon guards the square straight ahead and the four diagonal ones: one step keeps both of them and the king in his corner. {needs} moves of {left} do the rest.`,
    },
    khonMetCorner: {
        title: "Khon and met: the corner",
        text: `The met guards squares of one colour, so the khon and your king have to take the others. First of all keep the met: one move does. Then the corner is near: {needs} moves of {left}.`,
    },
    knightKhonOpen: {
        title: "Knight and khon on the open board",
        text: `Your king stands in the wrong corner. Bring him to the middle first, keep knight and khon side by side, and drive the king to the edge together. There is time: {needs} moves are needed, {left} are left.`,
    },
    knightMetCorner: {
        title: "Knight and met: do not let him out",
        text: `The king is at the edge and wants to leave it. One move of your king shuts the door. Then knight and met take the squares beside him: {needs} moves of {left}. Look out for stalemate.`,
    },
    chase: {
        title: "Not yet",
        text: `Two of your men can take the met at once. But the count that begins then leaves too few moves, because the king is so far from the edge where you need it. Wait: in {needs} moves you take it in time.`,
    },
    offerCheck: {
        title: "The rook given with check",
        text: `Two rooks against yours again. This time the rook gives itself up with check, so that it has to be taken. The count that begins leaves too few moves. One move of eighteen holds.`,
    },
    rookStep: {
        title: "The step that saves",
        text: `You are in check, and your rook falls. Taking it begins a count that leaves 13 moves. Your king’s next square decides whether mate takes more than that. One step of six holds.`,
    },
    metBait: {
        title: "The met given with check",
        text: `A lone met cannot hold a rook off, but the count can: offer the met with check. If it is taken, too few moves are left; if it is not, you keep it. One move holds.`,
    },
    khonsPawn: {
        title: "Two khons against a pawn",
        text: `An old dispute: can two khons win here? Both captures of the pawn begin a count that leaves 18 moves, and mate takes 23 or 25: a draw. Four moves win. Guard your men and bring the king; good play takes the pawn in time after {needs} moves.`,
    },
    rooksPawn: {
        title: "Two rooks against a pawn",
        text: `Another old dispute. Taking the pawn is the only move that does not win: two rooks then have 4 moves, and mate takes 5. Any of the other 24 moves wins. Bring your men closer first; {needs} moves of good play take the pawn in time.`,
    },
};

export const trainer = {
    title: "Training",
    intro: "You play, the page answers with what the tables know. The values of the moves stay hidden until you ask.",
    course: "The course",
    lessons,
    again: "to repeat",
    known: (level: number) => `${"●".repeat(level)}${"○".repeat(5 - level)}`,
    due: (n: number) => (n === 0 ? "To repeat" : `To repeat: ${n}`),
    goOn: "Go on",
    groups: { bare: "A bare king", sacrifice: "Taking and giving", pawn: "The last pawn" } as Record<Group, string>,
    repeat: "Repeat the next one",
    comesBack: "Mistakes come back at once, solved positions after 1, 3, 7, 21 and 60 days.",
    guess: {
        title: "Guess first",
        intro: "Won, drawn, or drawn by the count? Guess before the tables say it. The stars say how close the count is.",
        won: "Won",
        right: "Right.",
        wrong: (guessed: string) => `Not “${guessed}”.`,
        score: (run: number, best: number, wrong: number, of: number) =>
            `${run} right in a row, at best ${best}. ${wrong} of ${of} wrong, on this device.`,
    },
    puzzles: "Puzzles",
    puzzlesIntro:
        "Only one move is right at each step of the solution, and the tables prove it. Choose a theme and a difficulty.",
    daily: "Puzzle of the day",
    earlier: "Earlier days",
    themes: {
        win: "Win within the count",
        save: "Save the draw by the count",
        give: "Give a man away to draw",
        promote: "Promote now",
        wait: "Do not promote yet",
        refuse: "Do not take",
    } as Record<Theme, string>,
    theme: "Theme",
    anyTheme: "Any",
    difficulty: "Difficulty",
    difficulties: { any: "Any", easy: "Easy", medium: "Medium", hard: "Hard" } as Record<Level, string>,
    solved: (n: number, of: number) => `${n} of ${of} solved`,
    doneToday: "Solved today",
    streak: (days: number, best: number) =>
        `${days} day${days === 1 ? "" : "s"} in a row${best > days ? `, at best ${best}` : ""}.`,
    send: "Send to a friend",
    mistakes: "My mistakes",
    mistakesIntro: "In a pasted game, tap a mistake: it is kept here.",
    mistakesRead: (n: number, of: number) => `${n} of ${of} mistakes read.`,
    practice: "Practice",
    task: "Task",
    goals: { win: "Win in time", save: "Save yourself" } as Record<Goal, string>,
    side: "You play",
    spare: "Moves to spare",
    natural: "as the count begins",
    begin: "Begin",
    another: "Another one",
    searching: "Looking for a position…",
    nothingFits: "No such position was found. Try another ending, or more moves to spare.",
    remembered: (n: number) => `${n} position${n === 1 ? "" : "s"} remembered on this device.`,
    goal: (goal: Goal, who: Side) =>
        goal === "win"
            ? `You play ${side(who)}: mate before the count has run out.`
            : `You play ${side(who)}: save the draw.`,
    yourMove: (who: Side) => `${side(who)} to move: you.`,
    replied: (san: string) => `The answer is ${san}. Your move.`,
    thinking: "The page answers…",
    slip: (san: string, goal: Goal) =>
        goal === "win" ? `${san} lets the win slip. Try another move.` : `${san} loses. Try another move.`,
    noCount: "No count while a pawn is on the board.",
    hint: "Hint",
    hints: {
        man: (name: string) => `Move the ${name}.`,
        to: (square: string) => `It goes to ${square}.`,
        move: (san: string) => `${san} is best.`,
    },
    restart: "From the start",
    giveUp: "Give up",
    toCourse: "To the course",
    next: "Next lesson",
    explore: "Look at it with the tables",
    look: "look at it",
    played: (san: string) => `${san} was the mistake.`,
    held: (names: string) => `This would have held: ${names}.`,
    endings: {
        mated: "Mate, in time!",
        expired: "The count has run out: saved!",
        held: "Held: the draw is yours.",
        missed: "It got away.",
        left: "Given up.",
    } as Record<Ending, string>,
    withHints: (n: number) => `With ${n} step${n === 1 ? "" : "s"} of help; it comes back soon.`,
    clean: "Without a mistake, without help.",
};

export type TrainerWords = typeof trainer;
