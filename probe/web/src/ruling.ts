// A sheet for the arbiter's table, on paper only: the ruling on a game that is over, the state of one that goes on.
import { type Explored, Refusal } from "./api.ts";
import type { State } from "./answers.ts";
import type { Counted } from "./count.ts";
import { h } from "./dom.ts";
import type { Loaded } from "./game.ts";
import { words } from "./language/index.ts";
import { hasPawns, other, readFen } from "./position.ts";
import { isDead, isRunOut, tell, winnerOf } from "./told.ts";

/** Occurrences of a position that end the game. */
const THIRD = 3;

/** The ruling on a game that is over, and the reason; null while it continues. */
function ruled(position: Explored, times: number): { head: string; body: string } | null {
    const isOver = position.status === "judged" && (position.checkmate || position.stalemate || isRunOut(position));
    if (isOver) return tell(position);
    if (isDead(position)) return { head: words.verdict.draw().head, body: words.ruling.dead };
    if (times >= THIRD) return { head: words.verdict.draw().head, body: words.repeated(times) };
    return null;
}

/** The rows of the ruling, or of the standing. */
function standing(position: Explored, times: number): [string, string][] {
    const say = words.ruling;
    const over = ruled(position, times);
    const judged = position.status === "judged" ? position : null;
    const told = judged && tell(judged);
    if (over)
        return [
            [say.ruling, over.head],
            [say.reason, over.body],
        ];
    const winner = judged && winnerOf(judged);
    const isInTime = judged?.category === "win" || judged?.category === "loss";
    const left = judged && readFen(judged.fen).count ? judged.count.attacker_moves_left : null;
    return [
        [say.ruling, winner && left !== null ? say.goesOnWith(winner, left) : say.goesOn],
        [say.bestPlay, told ? `${told.head} – ${told.body}` : say.open],
        ...(["white", "black"] as const).map((side): [string, string] => [
            say.flag(other(side)),
            side === winner && isInTime ? say.forces(side) : say.canMate(side, position.can_mate[side]),
        ]),
    ];
}

/** A sheet with these rows. */
export const sheetOf = (rows: [string, string][]): HTMLElement[] => [
    h("h2", {}, words.ruling.title),
    h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
];

/** Game, position, count, and the ruling or the standing with its reason, with room for names. */
export function fillRuling(
    sheet: HTMLElement,
    fen: string,
    state: State,
    count: Counted | null,
    times: number,
    loaded: Loaded | null,
): void {
    const say = words.ruling;
    const position: Explored | null = state instanceof Refusal ? null : state;
    const { side, squares } = readFen(fen);
    const tag = (name: string) => {
        const value = loaded?.game.tags.find(([found]) => found === name)?.[1] ?? "";
        return /^[?.]*$/.test(value) ? "" : value;
    };
    const rows: [string, string][] = [
        [say.event, [tag("Event"), tag("Site"), tag("Date")].filter(Boolean).join(", ")],
        [say.board, [tag("Round"), tag("Board")].filter(Boolean).join(" / ")],
        [say.player("white"), tag("White")],
        [say.player("black"), tag("Black")],
        [say.position, fen],
        [words.view.tomove, words.side(side)],
        [words.count.title, count ? count.counted : words.count.none],
        ...(count?.spoken ? [[say.spoken, count.spoken] as [string, string]] : []),
        ...(count?.honour
            ? [[say.rule, count.honour] as [string, string]]
            : hasPawns(squares)
              ? [[say.rule, words.count.pawns] as [string, string]]
              : []),
        ...(position ? standing(position, times) : [[say.ruling, say.open] as [string, string]]),
        ...(times > 1 ? [[say.repeated, words.repeated(times)] as [string, string]] : []),
        [say.signed, ""],
    ];
    sheet.replaceChildren(...sheetOf(rows));
}
