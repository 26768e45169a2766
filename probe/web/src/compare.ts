// Two endings side by side: their figures, and the lengths of their wins, to the same scale.
import { refusalOf, type Side, type Statistics } from "./api.ts";
import { h, link } from "./dom.ts";
import { histogram } from "./histogram.ts";
import { words } from "./language/index.ts";
import { drawMaterial } from "./pieces.ts";
import { histogramName, lostShare, statisticsOf, wins } from "./material.ts";
import { percent, shares } from "./materials.ts";
import { movesIn } from "./told.ts";
import { why } from "./verdict.ts";
import { root } from "./root.ts";
import { View } from "./view.ts";

export interface CompareEvents {
    back: () => void;
    open: (material: string) => void;
}

const SIDES: Side[] = ["white", "black"];

/** Positions of an ending, both sides to move taken together. */
function totals({ dtm }: Statistics) {
    const { white, black } = dtm;
    return { white: white.win + black.loss, black: black.win + white.loss, draws: white.draw + black.draw };
}

/** The longest way to mate, or to a conversion in time, in moves. */
const longest = (summary: Statistics["dtm"]) =>
    Math.max(
        ...SIDES.flatMap((side) => [summary[side].max_win_plies ?? 0, summary[side].max_loss_plies ?? 0]).map(movesIn),
    );

export class CompareView extends View {
    private readonly events: CompareEvents;
    private readonly back = h("p");
    private readonly content = h("div", { class: "inner" });
    private asked = new AbortController();
    private statistics: Statistics[] = [];

    constructor(events: CompareEvents) {
        super("material-view compare");
        this.events = events;
        this.element.append(this.back, this.title, this.content);
    }

    async show(materials: string[], isEntered = false): Promise<void> {
        this.asked.abort();
        this.asked = new AbortController();
        const { signal } = this.asked;
        this.statistics = [];
        this.name(
            `${materials.join(", ")} · ${words.materials.title}`,
            materials.flatMap((material) => [drawMaterial(material), " "]),
        );
        this.content.replaceChildren(h("p", { class: "muted" }, words.verdict.waiting));
        this.drawBack();
        this.enter(isEntered);
        try {
            this.statistics = await Promise.all(materials.map((material) => statisticsOf(material, signal)));
            this.relabel();
        } catch (error) {
            if (!signal.aborted)
                this.content.replaceChildren(h("p", { class: "problem-text" }, ...why(refusalOf(error))));
        }
    }

    private drawBack(): void {
        const { back } = this.events;
        this.back.replaceChildren(link(`${root}?materials`, back, { class: "back" }, `← ${words.materials.back}`));
    }

    relabel(): void {
        const { statistics } = this;
        const [one, other] = statistics;
        if (!one || !other) return;
        const say = words.materials;
        this.name(
            say.compareTitle(one.material, other.material),
            statistics.flatMap(({ material }) => [drawMaterial(material), " "]),
        );
        this.drawBack();
        const row = (name: string, figure: (of: Statistics) => string) =>
            h(
                "tr",
                {},
                h("th", { scope: "row" }, name),
                ...statistics.map((of) => h("td", { class: "figure" }, figure(of))),
            );
        const share = (of: Statistics, kind: "white" | "black" | "draws") => {
            const { white, black, draws } = totals(of);
            return percent(totals(of)[kind] / (white + black + draws || 1));
        };
        const columns = Math.max(...statistics.map(({ dtm, dtz }) => longest(dtz ?? dtm)));
        const heads = statistics.map(({ material }) => {
            const open = () => this.events.open(material);
            const name = link(`${root}?material=${material}`, open, {}, drawMaterial(material));
            return h("th", { scope: "col", class: "figure" }, name);
        });
        this.content.replaceChildren(
            h("h2", {}, say.figures),
            h(
                "div",
                { class: "table-holder" },
                h(
                    "table",
                    { class: "material-table figures" },
                    h("thead", {}, h("tr", {}, h("td"), ...heads)),
                    h(
                        "tbody",
                        {},
                        row(say.wonOf("white"), (of) => share(of, "white")),
                        row(say.drawnOf, (of) => share(of, "draws")),
                        row(say.wonOf("black"), (of) => share(of, "black")),
                        row(say.lostShare, (of) => percent(lostShare(of))),
                        row(say.mate, ({ dtm }) => String(longest(dtm) || "–")),
                        row(say.conversion, ({ dtm, dtz }) => String(longest(dtz ?? dtm) || "–")),
                    ),
                ),
            ),
            h("h2", {}, say.histogram),
            h("div", { class: "beside" }, ...statistics.map((of) => this.column(of, columns))),
        );
    }

    /** The lengths of an ending's wins, with the winner to move. */
    private column(of: Statistics, columns: number): HTMLElement {
        const say = words.materials;
        const { white, black, draws } = totals(of);
        const winner: Side = white >= black ? "white" : "black";
        const { bars, limit } = wins(of.dtz ?? of.dtm, winner, winner);
        return h(
            "section",
            {},
            h("h3", {}, of.material),
            shares([
                { kind: "white", value: white, name: say.won("white") },
                { kind: "draw", value: draws, name: say.drawn },
                { kind: "black", value: black, name: say.won("black") },
            ]),
            h("p", { class: "muted" }, say.histogramOf(winner, winner)),
            bars.size > 0
                ? histogram(histogramName(of), bars, limit, { columns, width: innerWidth / 2 })
                : h("p", { class: "muted" }, words.verdict.draw().body),
        );
    }
}
