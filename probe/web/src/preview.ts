// The parts of the page that the service uses for previews of links and for pictures: the men, the lessons, and words
// in each language. build.mjs writes it into preview.json.
import type { Words } from "./language/en.ts";
import { words as en } from "./language/en.ts";
import { words as fr } from "./language/fr.ts";
import { words as th } from "./language/th.ts";
import { type ViewWords, words as enViews } from "./language/views/en.ts";
import { words as frViews } from "./language/views/fr.ts";
import { words as thViews } from "./language/views/th.ts";
import { TODAY, TRADITIONAL } from "./shapes.ts";
import { COURSE } from "./trainer/course.ts";

const SIDES = ["white", "black"] as const;
/** Stands for a number or a share in a text. */
const HOLE = "{}" as unknown as number & string;

const turnOf = (fen: string) => (fen.split(" ")[1] === "b" ? "black" : "white");

const textsOf = ({
    title,
    description,
    ending,
    against,
    side,
    moves,
    verdict,
    materials,
    trainer,
}: Words & ViewWords) => ({
    title,
    description,
    sides: SIDES.map(side),
    tomove: SIDES.map(verdict.turn),
    wins: SIDES.map(verdict.wins),
    draw: verdict.draw().head,
    byCount: verdict.byCount,
    needs: verdict.needs,
    has: verdict.leaves,
    ending,
    against,
    moves: [moves(1), moves(HOLE)],
    win: SIDES.map((side) => trainer.goal("win", side)),
    save: SIDES.map((side) => trainer.goal("save", side)),
    lost: materials.lostToCount(HOLE),
    themes: trainer.themes,
    pages: {
        materials: [materials.title, materials.intro],
        daily: [trainer.daily, trainer.puzzlesIntro],
        course: [trainer.title, trainer.intro],
        ...Object.fromEntries(
            COURSE.map(({ name, fen, goal }) => [name, [trainer.lessons[name].title, trainer.goal(goal, turnOf(fen))]]),
        ),
    },
});

export const preview = {
    men: { today: TODAY, traditional: TRADITIONAL },
    lessons: Object.fromEntries(COURSE.map(({ name, fen }) => [name, fen])),
    languages: {
        en: textsOf({ ...en, ...enViews }),
        th: textsOf({ ...th, ...thViews }),
        fr: textsOf({ ...fr, ...frViews }),
    },
};
