// The trainer in English, and what every language has to say of it.
import type { Side } from "../../api.ts";
import type { Goal, LessonName } from "../../trainer/course.ts";
import type { Ending } from "../../trainer/ending.ts";

const side = (side: Side) => (side === "white" ? "White" : "Black");
const moves = (n: number) => `${n} move${n === 1 ? "" : "s"}`;

interface LessonText {
    title: string;
    /** The attacker's moves needed, and those that the count leaves. */
    text: (needs: number, left: number) => string;
}

const lessons: Record<LessonName, LessonText> = {
    rook: {
        title: "King and rook",
        text: (needs, left) =>
            `The rook fences the bare king in, your king comes to help, and mate falls at the edge. A rook’s count runs to 16 and begins with the men on the board, so ${left} moves are left here; ${needs} are enough.`,
    },
    rooks: {
        title: "Two rooks in a hurry",
        text: (needs, left) =>
            `Two rooks are so strong that their count runs only to 8, less all men on the board. Here ${left} moves are left and ${needs} are needed: not one may be lost.`,
    },
    khons: {
        title: "Two khons",
        text: (needs, left) =>
            `Two khons side by side make a wall that a king cannot pass. Lead it forward with your king: khons go back only diagonally. ${left} moves are left, ${needs} are needed.`,
    },
    khonMet: {
        title: "Khon and met",
        text: (needs, left) =>
            `Both are slow, and a met only ever sees one colour of squares. Patience: ${left} moves are left and ${needs} are needed. First see to your men, not one of them may fall.`,
    },
    knightKhon: {
        title: "Knight and khon",
        text: (needs, left) =>
            `The king stands at the edge already. Knight and khon take the squares beside him while your king holds him there. ${needs} moves are enough, and the count leaves ${left}.`,
    },
    knightMet: {
        title: "Knight and met",
        text: (needs, left) =>
            `The long way of Makruk: from some places it takes 36 moves. Here ${needs} do, and the count leaves ${left}. Look out for stalemate: it is a draw.`,
    },
    take: {
        title: "Taking in time",
        text: () =>
            "Both sides still have a piece. Taking the last one begins a new count, so ask before you take: are moves enough left to mate? With the rook against a bare king 13 remain. Here they are enough, but take at the right moment and waste nothing afterwards.",
    },
    poison: {
        title: "A khon not to be taken",
        text: (needs) =>
            `The khon stands there for the taking. But the count that begins then leaves 13 moves, and mate would need 15: a draw. Do not take; ${moves(needs)} of good play win it at a better moment.`,
    },
    offer: {
        title: "Giving the rook to save the game",
        text: () =>
            "Two rooks against your one: without the count you are lost. Give the rook so that taking it leaves too few moves to mate. One move does it; afterwards run, and let the count work for you.",
    },
    bait: {
        title: "Bait",
        text: () =>
            "A rook hunts your khon and king. Offer the khon: if it is taken, 13 moves are left and more are needed. If it is not taken, you keep it. One move holds.",
    },
};

export const trainer = {
    title: "Training",
    intro: "You play, the page answers with what the tables know. The moves’ worth stays hidden until you ask.",
    course: "The course",
    lessons,
    fresh: "new",
    again: "to repeat",
    known: (level: number) => `${"●".repeat(level)}${"○".repeat(5 - level)}`,
    due: (n: number) => (n === 0 ? "To repeat" : `To repeat: ${n}`),
    repeat: "Repeat the next one",
    nothingDue: "Nothing today. Mistakes come back at once, successes after 1, 3, 7, 21 and 60 days.",
    practice: "Practice",
    task: "Task",
    goals: { win: "Win in time", save: "Save yourself" } as Record<Goal, string>,
    side: "You play",
    spare: "Moves to spare",
    natural: "as the count begins",
    begin: "Begin",
    another: "Another one",
    searching: "Looking for a position…",
    nothingFits: "No such position turned up. Try another ending, or more moves to spare.",
    settings: "Opponent and mistakes",
    opponent: "The page plays",
    manners: { stubborn: "the longest defence", tricky: "the best trap" },
    mistakes: "Mistakes are named",
    atOnce: "at once",
    atEnd: "at the end",
    record: "Your progress",
    remembered: (n: number) => `${n} position${n === 1 ? "" : "s"} remembered on this device.`,
    write: "Save as a file",
    read: "Read a file",
    taken: (n: number) => `Read. ${n} positions are remembered now.`,
    notTaken: "The trainer did not write this file.",
    goal: (goal: Goal, who: Side) =>
        goal === "win"
            ? `You have ${side(who)}: mate before the count has run out.`
            : `You have ${side(who)}: save the draw.`,
    yourMove: (who: Side) => `${side(who)} to move: you.`,
    replied: (san: string) => `The answer is ${san}. Your move.`,
    thinking: "The page answers…",
    slip: (san: string, goal: Goal) =>
        goal === "win" ? `${san} lets the win slip. Try another move.` : `${san} loses. Try another move.`,
    spoken: (counted: number, limit: number) => `“${counted}!” The count goes to ${limit}.`,
    fromHere: "Practise from here",
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
