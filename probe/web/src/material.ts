// One ending: totals, the lengths of its wins, and positions to look at.
import { addressOf, addressOfTask } from "./address.ts";
import { Refusal, refusalOf, server, type Side, type SideSummary, type Statistics } from "./api.ts";
import { h, link } from "./dom.ts";
import { type Bars, histogram } from "./histogram.ts";
import { words } from "./language/index.ts";
import { miniature } from "./miniature.ts";
import { drawMaterial, endingName } from "./pieces.ts";
import { pawnsOf } from "./material-name.ts";
import { percent, shares } from "./materials.ts";
import { namesOf } from "./position.ts";
import { movesIn } from "./told.ts";
import { command, explained, why } from "./verdict.ts";
import { root } from "./root.ts";
import { type Task, taskAt } from "./trainer/task.ts";
import { View } from "./view.ts";

export interface MaterialEvents {
    back: () => void;
    /** Shows a position on the board. */
    explore: (fen: string) => void;
    /** Begins a task; others follow. */
    solve: (task: Task, more: Task[]) => void;
    /** Searches an ending for positions. */
    find: (material: string) => void;
    /** Asks for the results of positions of the ending. */
    guess: (material: string) => void;
}

const SIDES: Side[] = ["white", "black"];

/** The wins of one side with one side to move, by the winner's moves, and the moves that the count leaves. */
function wins(summary: { white: SideSummary; black: SideSummary }, winner: Side, toMove: Side) {
    const side = summary[toMove];
    const isMover = winner === toMove;
    const bars: Bars = new Map();
    for (const [plies, positions] of side.histogram) {
        if (isMover ? plies <= 0 : plies > 0) continue;
        const moves = movesIn(plies);
        bars.set(moves, (bars.get(moves) ?? 0) + positions);
    }
    return { bars, limit: isMover ? side.win_count_moves : side.loss_count_moves };
}

/** The event that a histogram counts the moves to: with a pawn on the board, the end of the last one may be it. */
function histogramName({ material, dtz }: Statistics): string {
    const say = words.materials;
    if (pawnsOf(material) > 0) return say.byConversionPawns;
    return dtz ? say.byConversion : say.byMate;
}

/** The share of wins that take longer than the count leaves. */
function lostShare({ dtm, dtz }: Statistics): number {
    let all = 0;
    let inTime = 0;
    for (const winner of SIDES) {
        for (const toMove of SIDES) {
            const { bars, limit } = wins(dtz ?? dtm, winner, toMove);
            for (const positions of wins(dtm, winner, toMove).bars.values()) all += positions;
            for (const [moves, positions] of bars) if (limit === null || moves <= limit) inTime += positions;
        }
    }
    return all === inTime ? 0 : 1 - inTime / all;
}

/** An ending's statistics, under the name that the tables have for it: of its two sides the first is White's. */
async function statisticsOf(material: string, signal: AbortSignal): Promise<Statistics> {
    const { materials } = await server.materials();
    // Another text is refused as it is.
    const names = /^[krnsmp]+v[krnsmp]+$/i.test(material) ? namesOf(material) : [];
    const known = materials.find((entry) => names.includes(entry.material));
    return server.statistics(known?.material ?? material, false, signal);
}

export class MaterialView extends View {
    private readonly events: MaterialEvents;
    private asked = new AbortController();
    private statistics: Statistics | null = null;
    private material = "";
    private winner: Side = "white";
    private toMove: Side = "white";
    private readonly back = h("p");
    private readonly content = h("div", { class: "inner" });
    private readonly longest = h("div", { class: "miniatures" });
    private readonly savesCount = h("span");
    private readonly saves = h("div", { class: "miniatures saves" });
    /** Everything about the saves; hidden where the count saves nobody. */
    private readonly savesPart = h("section", { class: "inner" });

    constructor(events: MaterialEvents) {
        super("material-view");
        this.events = events;
        this.element.append(this.back, this.title, this.content);
    }

    /** Shows the ending of the address. */
    async show(isEntered: boolean): Promise<void> {
        const material = new URLSearchParams(location.search).get("material") ?? "";
        this.asked.abort();
        this.asked = new AbortController();
        const { signal } = this.asked;
        this.material = material;
        this.statistics = null;
        this.longest.replaceChildren(h("p", { class: "muted" }, words.materials.pending));
        this.saves.replaceChildren(h("p", { class: "muted" }, words.materials.pending));
        this.savesCount.textContent = "";
        this.name(`${endingName(material)} · ${words.materials.title}`, [drawMaterial(material)]);
        this.frame([h("p", { class: "muted" }, words.verdict.waiting)]);
        this.enter(isEntered);
        try {
            this.statistics = await statisticsOf(material, signal);
        } catch (error) {
            if (signal.aborted) return;
            const lines = [h("p", { class: "problem-text" }, ...why(refusalOf(error)))];
            if (error instanceof Refusal && error.reason === "missing_table") {
                lines.splice(0, 1, h("p", {}, words.materials.build, " ", command(`makruk-gen build ${material}`)));
            }
            return this.frame(lines);
        }
        this.material = this.statistics.material;
        if (this.material !== material) history.replaceState(history.state, "", `${root}?material=${this.material}`);
        const { white, black } = this.statistics.dtz ?? this.statistics.dtm;
        this.winner = white.win + black.loss >= black.win + white.loss ? "white" : "black";
        this.toMove = this.winner;
        this.relabel();
        void this.findLongest(signal);
        this.savesPart.hidden = lostShare(this.statistics) === 0;
        if (!this.savesPart.hidden) void this.findSaves(signal);
    }

    relabel(): void {
        const say = words.materials;
        this.name(`${endingName(this.material)} · ${say.title}`, [drawMaterial(this.material)]);
        if (!this.statistics) return;
        const { dtm, dtz } = this.statistics;
        const counted = dtz ?? dtm;
        const choices = SIDES.flatMap((winner) => SIDES.map((toMove) => ({ winner, toMove }))).filter(
            ({ winner, toMove }) => wins(dtm, winner, toMove).bars.size > 0,
        );
        const chosen = choices.some(({ winner, toMove }) => winner === this.winner && toMove === this.toMove);
        if (!chosen && choices[0]) ({ winner: this.winner, toMove: this.toMove } = choices[0]);
        const tabs = choices.map(({ winner, toMove }) => {
            const pressed = winner === this.winner && toMove === this.toMove;
            const name = say.histogramOf(winner, toMove);
            const act = `${winner} ${toMove}`;
            const button = h("button", { "aria-pressed": String(pressed), "data-act": act }, name);
            button.addEventListener("click", () => {
                [this.winner, this.toMove] = [winner, toMove];
                this.relabel();
                this.element.querySelector<HTMLElement>(`[data-act="${act}"]`)?.focus();
            });
            return button;
        });
        const { bars, limit } = wins(counted, this.winner, this.toMove);
        const byMate = wins(dtm, this.winner, this.toMove).bars;
        const sum = (bars: Bars) => [...bars.values()].reduce((total, n) => total + n, 0);
        const never = sum(byMate) - sum(bars);
        this.frame([
            h("h2", {}, say.totals),
            ...SIDES.map((side) => this.totals(side)),
            this.lostToCount(),
            ...(choices.length > 0 ? [h("h2", {}, say.longest), this.longest] : []),
            h("h2", {}, say.histogram),
            ...(choices.length > 0
                ? [
                      h("div", { class: "segments wrap", role: "group", "aria-label": say.histogram }, ...tabs),
                      histogram(histogramName(this.statistics), bars, limit),
                      ...(never > 0 ? [h("p", { class: "muted" }, say.never(words.number(never)))] : []),
                  ]
                : [h("p", { class: "muted" }, words.verdict.draw().body)]),
            this.savesPart,
        ]);
        this.savesPart.replaceChildren(
            h("h2", {}, say.saves),
            h("p", { class: "muted" }, say.savesHint, " ", this.savesCount),
            this.saves,
            h("p", { class: "buttons" }, this.findLink(), this.guessLink()),
        );
    }

    private frame(content: Node[]): void {
        const { back } = this.events;
        this.back.replaceChildren(link(`${root}?materials`, back, { class: "back" }, `← ${words.materials.back}`));
        this.content.replaceChildren(...content);
    }

    /** A link to the search for such positions by their properties. */
    private guessLink(): HTMLElement {
        const guess = () => this.events.guess(this.material);
        return link(`${root}?guess=${this.material}`, guess, {}, words.trainer.guess.title);
    }

    private findLink(): HTMLElement {
        const find = () => this.events.find(this.material);
        return link(`${root}?find&in=${this.material}`, find, {}, words.search.fromMaterial);
    }

    private totals(side: Side): HTMLElement {
        const say = words.materials;
        const { win, draw, loss } = this.statistics!.dtm[side];
        const [white, black] = side === "white" ? [win, loss] : [loss, win];
        const all = win + draw + loss || 1;
        const parts = [
            { kind: "white", value: white, name: say.won("white") },
            { kind: "draw", value: draw, name: say.drawn },
            { kind: "black", value: black, name: say.won("black") },
        ];
        const items = parts.map(({ kind, value, name }) =>
            h(
                "li",
                {},
                h("i", { class: `dot ${kind}` }),
                `${name} `,
                h("b", {}, percent(value / all)),
                ` (${words.number(value)})`,
            ),
        );
        return h(
            "div",
            { class: "totals" },
            h("h3", {}, words.verdict.turn(side)),
            shares(parts),
            h("ul", {}, ...items),
        );
    }

    private lostToCount(): HTMLElement {
        const say = words.materials;
        const share = lostShare(this.statistics!);
        const text =
            pawnsOf(this.material) > 0
                ? share === 0
                    ? say.noneLostPawns
                    : say.lostToCountPawns(percent(share))
                : share === 0
                  ? say.noneLost
                  : say.lostToCount(percent(share));
        return h("p", { class: "lost" }, ...explained(text));
    }

    private async findLongest(signal: AbortSignal): Promise<void> {
        const say = words.materials;
        const tell = (...lines: string[]) =>
            this.longest.replaceChildren(h("p", { class: "muted", role: "status" }, lines.join(" ")));
        // Their length is known at once; their positions may take a search through the whole table.
        const known = this.statistics?.dtz ?? this.statistics?.dtm;
        const most = movesIn(Math.max(...SIDES.map((side) => known?.[side].max_win_plies ?? 0)));
        if (most > 0) tell(say.longestTake(most), say.pending);
        let found: Statistics;
        try {
            found = await server.statistics(this.material, true, signal);
        } catch (error) {
            if (!signal.aborted)
                this.longest.replaceChildren(h("p", { class: "problem-text" }, ...why(refusalOf(error))));
            return;
        }
        const summary = found.dtz ?? found.dtm;
        const groups = SIDES.flatMap((side) => {
            const of = summary[side];
            const caption = words.moves(movesIn(of.max_win_plies ?? 0));
            const fens = (of.longest_win_fens ?? []).slice(0, 4);
            return fens.map((fen) => miniature(fen, caption, addressOf(fen), () => this.events.explore(fen)));
        });
        if (groups.length > 0) this.longest.replaceChildren(...groups);
        else if (SIDES.every((side) => summary[side].longest_win_fens)) tell(say.longestNone);
        else tell(say.longestTake(most), say.longestUnsearched);
    }

    private async findSaves(signal: AbortSignal): Promise<void> {
        const say = words.materials;
        try {
            const { saves } = await server.saves(this.material, signal);
            const tasks = saves.map(({ fen }) => taskAt(fen, "save"));
            const shown = saves.map(({ fen, drawing_moves, legal_moves }, at) =>
                miniature(fen, say.saveOf(drawing_moves, legal_moves), addressOfTask(tasks[at]!), () =>
                    this.events.solve(tasks[at]!, [...tasks.slice(at + 1), ...tasks.slice(0, at)]),
                ),
            );
            const { white, black } = await server.saveCounts(this.material, signal);
            const all = white.saves + black.saves;
            this.savesPart.hidden = all === 0;
            this.savesCount.textContent = say.savesCount(words.number(all));
            this.saves.replaceChildren(...(shown.length > 0 ? shown : [h("p", { class: "muted" }, say.savesNone)]));
        } catch (error) {
            if (signal.aborted) return;
            this.saves.replaceChildren(h("p", { class: "problem-text" }, ...why(refusalOf(error))));
        }
    }
}
