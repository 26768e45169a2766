// The verdict's card.
import { type Glimpse, type KnownPosition, type Problem, Refusal, type Side, type Unjudged } from "./api.ts";
import { copy, h, link } from "./dom.ts";
import { words } from "./language/index.ts";
import type { State } from "./answers.ts";
import type { Node as Place } from "./line.ts";
import { moveText } from "./notation.ts";
import { drawMaterial } from "./pieces.ts";
import { begunAtLastPawn, headOf, tell, type Told, toneOf, tooSoon, winnerOf } from "./told.ts";
import { isSite } from "./root.ts";

/** A command to run, and a button that copies it. */
export function command(text: string): HTMLElement {
    const button = h("button", { class: "small", "aria-label": words.copyCommand }, "⧉");
    button.addEventListener("click", async () => {
        button.textContent = (await copy(text)) ? "✓" : "✗";
    });
    return h("span", { class: "command" }, h("code", {}, text), button);
}

/** The moves needed next to those that the count leaves, to the same scale. */
function scale({ needs, left, tone }: Told): HTMLElement | null {
    if (needs === undefined || left === undefined) return null;
    const most = Math.max(needs, left, 1);
    const bar = (name: string, value: number, kind: string) => {
        const fill = h("span", { class: `fill ${kind}` });
        fill.style.width = `${(100 * value) / most}%`;
        return h(
            "div",
            { class: "bar" },
            h("span", { class: "bar-name" }, name),
            h("span", { class: "bar-track" }, fill),
            h("b", {}, String(value)),
        );
    };
    const say = words.verdict;
    const gap = needs > left ? say.short(needs - left) : say.spare(left - needs);
    return h(
        "div",
        { class: "scale" },
        bar(say.needs, needs, tone === "count" ? "too-long" : "in-time"),
        bar(say.leaves, left, "left"),
        h("p", { class: "gap" }, gap),
    );
}

/** The reason why a readable position, or a move of it, has no verdict. */
export function unjudged(position: Unjudged): HTMLElement[] {
    const say = words.error;
    switch (position.reason) {
        case "too_many_men":
            return [h("h2", {}, say.too_many_men), h("p", {}, say.too_many_menBody)];
        case "missing_table":
            return [
                h("h2", {}, say.missing_table),
                h("p", {}, isSite ? say.missing_tableHere : say.missing_tableBody),
                position.command ? command(position.command) : h("p", {}, position.error ?? ""),
            ];
        case "corrupt_table":
            return [h("h2", {}, say.corrupt_table), h("p", {}, position.error ?? "")];
        default:
            return [h("h2", {}, say.other), h("p", {}, position.error ?? "")];
    }
}

/** The words for the reason of a refusal, if the page has some. */
function wordsOf(reason: string): string | undefined {
    const text = (words.error as Record<string, unknown>)[reason];
    return typeof text === "string" ? text : undefined;
}

/** The part of a refusal that its head leaves open, in the page's language: the file, or the server's own sentence. */
function detail(refusal: Refusal): HTMLElement | string {
    const { file } = refusal.mistake;
    if (file !== undefined) return h("code", {}, file);
    return mistaken(refusal) ?? h("span", { lang: "en" }, refusal.message);
}

/** A mistake of a game or a filter as a sentence; null if the page has no words for it. */
function mistaken({ reason, mistake }: Refusal): string | null {
    const say = words.mistake;
    const { line, problem, move = "", found = "", candidates = [], column } = mistake;
    if (reason === "bad_filter" && column !== undefined) return say.column(column, found);
    if (problem === "no_game") return words.paste.empty;
    if (reason !== "bad_pgn" || line === undefined || problem === undefined || !(problem in say)) return null;
    const moves = candidates.map(moveText).join(", ");
    return say.line(line) + say[problem as "move"](found, move, moves);
}

const FIELDS = ["side", "third", "limit", "ply", "fullmove"] as const;

/** The sentence for the fault of a FEN that a refusal names; null if there is none, or no words for it. */
function faultOf({ reason, mistake: { field: name, found = "", rank } }: Refusal): string | null {
    if (reason !== "bad_fen" && reason !== "bad_count") return null;
    const ofBoard = rank === undefined ? found && "ranks" : /^\D$/u.test(found) ? "letter" : "rank";
    const ofOther = FIELDS.find((each) => each === name) ?? (found === "" && "empty");
    const field = name === "board" ? ofBoard : ofOther;
    const squares = [...found.replace(/[~+]/g, "")].reduce((sum, letter) => sum + (Number(letter) || 1), 0);
    return field ? words.fault[field]({ found, rank: String(rank), squares }) : null;
}

/** What is wrong with a position. */
const problemIn = (problem: Problem) => (words.problem[problem.problem] as (problem: Problem) => string)(problem);

/** The problem in the page's language. A sentence of the server without a translation is marked as English. */
export function why(refusal: Refusal): (HTMLElement | string)[] {
    const say = words.error;
    if (refusal.problems.length > 0) return [refusal.problems.map((problem) => problemIn(problem)).join(" ")];
    const fault = faultOf(refusal);
    if (fault) return [fault];
    if (refusal.reason === "bad_material") return [say.bad_material(refusal.mistake.found ?? "")];
    const head = wordsOf(refusal.reason);
    return head ? [`${head}: `, detail(refusal)] : [detail(refusal)];
}

function refused(refusal: Refusal): HTMLElement[] {
    const say = words.error;
    if (refusal.problems.length > 0) {
        return [
            h("h2", {}, say.illegal),
            h("ul", {}, ...refusal.problems.map((problem) => h("li", {}, problemIn(problem)))),
        ];
    }
    const fault = faultOf(refusal);
    const body = h("p", {}, fault ?? detail(refusal));
    return [h("h2", {}, wordsOf(refusal.reason) ?? say.other), body];
}

/** The result or the time that the last move gave away. */
function mistake(node: Place): HTMLElement | null {
    const judged = node.judged;
    if (!judged?.gave_away) return null;
    const say = words.gaveAway;
    const text =
        judged.gave_away === "time"
            ? say.time(moveText(judged.san), moveText(judged.best), judged.lost_moves ?? 0)
            : say[judged.gave_away](moveText(judged.san), moveText(judged.best));
    return h("p", { class: `mistake ${judged.gave_away}` }, text);
}

/** Why a win takes longer than the mate without a count; null if it does not. */
const slower = ({ needs = 0, mate, tone }: Told): HTMLElement | null =>
    mate && needs > mate && tone !== "count" ? h("p", {}, words.verdict.slower(needs, mate)) : null;

/** A sentence whose first word about the count opens the help. */
export function explained(text: string): (Node | string)[] {
    const { term, what } = words.count;
    const [found] = new RegExp(term, "iu").exec(text) ?? [];
    if (!found) return [text];
    const at = text.indexOf(found);
    const help = () => dispatchEvent(new Event("help"));
    return [text.slice(0, at), link("#", help, { class: "term", title: what }, found), text.slice(at + found.length)];
}

/** The side to move, beside a headline. */
export const turn = (side: Side): HTMLElement =>
    h("p", { class: "turn" }, h("i", { class: `dot ${side}` }), words.verdict.turn(side));

/** A verdict without its position: the headline, the figures, and the reasons. */
export const judgement = (told: Told): (HTMLElement | null)[] => [
    h("h2", {}, told.head),
    scale(told),
    h("p", {}, ...explained(told.body)),
    slower(told),
];

/** The count that the last move has begun, or that a move would begin too soon. */
function pawnsEnd(position: KnownPosition, node: Place): HTMLElement | null {
    const say = words.verdict;
    const begun = node.parent && node.san !== null ? begunAtLastPawn(node.parent.fen, node.fen) : null;
    if (begun) {
        const winner = winnerOf(position);
        const left = position.count.attacker_moves_left ?? null;
        return h("p", { class: "begun" }, say.begun(begun.honour, begun.limit, winner, left));
    }
    const early = tooSoon(position);
    return early && h("p", { class: "begun" }, say.tooSoon(moveText(early.san), early.needs, early.left));
}

/** Fills the card. */
export function showVerdict(
    card: HTMLElement,
    state: State | Glimpse,
    node: Place,
    playOut: () => void,
    extra: HTMLElement | null = null,
): void {
    const position = state instanceof Refusal || state?.status === "glimpsed" ? null : state;
    const material = state && "material" in state ? state.material : null;
    // What was dropped from the text of the position, or assumed: in the library's words.
    const notes = position?.notes ? h("p", { class: "muted notes", lang: "en" }, position.notes.join("; ")) : null;
    card.className = "card verdict";
    /** What is seen first, and the reasons, which a phone shows after the moves. */
    let content: (HTMLElement | null)[];
    let reasons: (HTMLElement | null)[] = [];
    /** The ending's name, for which a phone has room where there are no bars. */
    const name = material ? h("p", { class: "material" }, drawMaterial(material)) : null;
    if (state === null) {
        content = [h("p", { class: "muted" }, words.verdict.waiting)];
    } else if (state instanceof Refusal) {
        card.classList.add("problem");
        content = refused(state);
    } else if (state.status === "unjudged") {
        card.classList.add(state.reason === "missing_table" || state.reason === "corrupt_table" ? "problem" : "none");
        content = unjudged(state);
    } else if (state.status === "glimpsed") {
        const tone = toneOf(state);
        card.classList.add(`by-${tone}`);
        content = [h("div", { class: "head" }, h("h2", {}, headOf(tone)), turn(state.side))];
        reasons = [h("p", { class: "muted" }, tone === "draw" ? words.verdict.draw().body : words.verdict.waiting)];
    } else {
        const told = tell(state);
        card.classList.add(`by-${told.tone}`);
        const isOver = state.moves.length === 0;
        const canPlayOut = !isOver && state.category !== "draw" && !state.error;
        const [head, figures, ...body] = judgement(told);
        name?.classList.toggle("alone", !figures);
        content = [h("div", { class: "head" }, head, isOver ? null : turn(state.side)), figures!];
        reasons = [
            ...body,
            pawnsEnd(state, node),
            ...(state.error ? unjudged(state) : []),
            h(
                "div",
                { class: "buttons" },
                canPlayOut ? h("button", { class: "play-out", onclick: playOut }, words.verdict.line) : null,
            ),
        ];
    }
    const part = (kind: string, ...parts: (HTMLElement | null)[]) => h("div", { class: kind }, ...parts);
    card.replaceChildren(part("summary", name, mistake(node), ...content), part("reasons", ...reasons, notes, extra));
}
