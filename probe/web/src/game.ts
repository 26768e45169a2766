// A pasted game: the strip of its verdicts.
import type { GamePosition, JudgedMove, ReadGame, Side } from "./api.ts";
import { h, s } from "./dom.ts";
import { words } from "./language/index.ts";
import { toneOf, winnerOf } from "./told.ts";
import { slipText, type Task, taskBefore } from "./trainer/task.ts";

export interface Loaded {
    game: ReadGame;
    positions: GamePosition[];
}

const HEIGHT = 40;
const SIDES: Side[] = ["white", "black"];

function what(position: GamePosition): string {
    const say = words.game;
    if (position.status === "unjudged") return say.uncovered;
    switch (toneOf(position)) {
        case "count":
            return say.drawByCount;
        case "draw":
            return say.draw;
        default:
            return say.wins(winnerOf(position)!);
    }
}

/** The move that was played, if it has a verdict. */
const judgedMove = ({ played }: GamePosition): JudgedMove | null => (played?.status === "judged" ? played : null);

/** Plies after which something was given away. */
function mistakes(positions: GamePosition[]): number[] {
    return positions.flatMap((position) => (judgedMove(position)?.gave_away ? [position.ply + 1] : []));
}

/** What a side gave away by its moves that the tables judge; empty if they judge none. */
function tally(positions: GamePosition[], who: Side): string {
    const judged = positions.flatMap((position) => (position.side === who && judgedMove(position)) || []);
    if (judged.length === 0) return "";
    const gave = (kind: string) => judged.filter(({ gave_away }) => gave_away === kind);
    const lost = gave("time").reduce((sum, { lost_moves }) => sum + (lost_moves ?? 0), 0);
    const [wins, draws] = [gave("win").length, gave("draw").length];
    return wins + draws + lost === 0 ? words.game.faultless(who) : words.game.gave(who, wins, draws, lost);
}

/** Runs of positions of one tone, each a rectangle. */
function strip(positions: GamePosition[]): SVGSVGElement {
    const tones = positions.map((position) => (position.status === "judged" ? toneOf(position) : "none"));
    const bars: SVGElement[] = [];
    let from = 0;
    for (let ply = 1; ply <= positions.length; ply++) {
        const tone = tones[from]!;
        if (ply < positions.length && tones[ply] === tone) continue;
        bars.push(s("rect", { class: `tone ${tone}`, x: from, y: 0, width: ply - from, height: HEIGHT }));
        from = ply;
    }
    for (const position of positions) {
        const kind = judgedMove(position)?.gave_away;
        if (!kind) continue;
        const tall = { win: 22, draw: 22, time: 8 }[kind];
        bars.push(
            s("rect", { class: `slip ${kind}`, x: position.ply + 0.6, y: HEIGHT - tall, width: 0.8, height: tall }),
        );
    }
    const view = `0 0 ${positions.length} ${HEIGHT}`;
    return s("svg", { class: "strip", viewBox: view, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars);
}

export class GameCard {
    readonly element = h("section", { class: "card game", "aria-labelledby": "game-title" });
    private readonly slider = h("input", { type: "range", min: "0", step: "1", id: "game-strip" });
    private readonly marker = h("span", { class: "marker" });
    private readonly go: (ply: number) => void;
    private readonly close: () => void;
    private readonly practise: (task: Task) => void;
    private loaded: Loaded | null = null;

    constructor(go: (ply: number) => void, close: () => void, practise: (task: Task) => void) {
        this.go = go;
        this.close = close;
        this.practise = practise;
        this.element.hidden = true;
        this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    }

    load(loaded: Loaded | null): void {
        this.loaded = loaded;
        this.element.hidden = loaded === null;
        if (loaded) this.relabel();
    }

    relabel(): void {
        if (!this.loaded) return;
        const { game, positions } = this.loaded;
        const say = words.game;
        const tag = (name: string) => {
            const value = game.tags.find(([found]) => found === name)?.[1];
            return value && !/^[?.]*$/.test(value) ? value : null;
        };
        const players = tag("White") || tag("Black") ? `${tag("White") ?? "?"} – ${tag("Black") ?? "?"}` : null;
        const about = [players, tag("Event"), tag("Site"), tag("Date"), game.result].filter(Boolean).join(" · ");
        const covered = positions.filter(({ status }) => status === "judged").length;
        this.slider.max = String(positions.length - 1);
        this.slider.setAttribute("aria-label", say.strip);
        const tallies = SIDES.map((side) => tally(positions, side))
            .filter(Boolean)
            .join(" ");
        const slips = mistakes(positions);
        const tasks = positions.flatMap((position) => taskBefore(position, players ?? tag("Event") ?? "") ?? []);
        const exercise = (task: Task) =>
            h("button", { class: "small exercise", onclick: () => this.practise(task) }, slipText(task));
        const step = (name: string, find: (at: number) => number) =>
            h("button", { class: "small", onclick: () => this.go(find(Number(this.slider.value))) }, name);
        const last = slips[slips.length - 1]!;
        const before = (at: number) => [...slips].reverse().find((ply) => ply < at) ?? last;
        const after = (at: number) => slips.find((ply) => ply > at) ?? slips[0]!;
        this.element.replaceChildren(
            h("h2", { class: "card-title", id: "game-title" }, say.title),
            h("button", { class: "close", "aria-label": say.close, title: say.close, onclick: this.close }, "×"),
            h("p", { class: "about" }, about),
            game.notes ? h("p", { class: "muted notes", lang: "en" }, game.notes.join("; ")) : "",
            h("div", { class: "strip-holder" }, strip(positions), this.marker, this.slider),
            h("p", { class: "muted" }, say.covered(covered, positions.length)),
            tallies ? h("p", {}, covered < positions.length ? say.among(covered, positions.length) : "", tallies) : "",
            ...(slips.length > 0
                ? [h("div", { class: "buttons" }, step(say.previous, before), step(say.next, after))]
                : []),
            tasks.length > 0 ? h("div", { class: "buttons" }, `${words.game.practise}: `, ...tasks.map(exercise)) : "",
        );
    }

    /** Marks the board's place in the game; `astray` if the board has left the game there. */
    show(ply: number, astray: boolean): void {
        if (!this.loaded) return;
        const { positions } = this.loaded;
        this.slider.value = String(ply);
        this.slider.setAttribute("aria-valuetext", words.game.at(ply, positions.length - 1, what(positions[ply]!)));
        this.marker.style.left = `${(100 * (ply + 0.5)) / positions.length}%`;
        this.marker.classList.toggle("astray", astray);
    }
}
