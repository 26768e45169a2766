// The endings: a list of all of them.
import { type SetEntry, server } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { drawSet } from "./pieces.ts";
import { command } from "./verdict.ts";

type Order = "name" | "mate" | "event" | "lost" | "size";

/** Shares of a whole, as a bar. */
export function shares(parts: { kind: string; value: number; name: string }[]): HTMLElement {
    const total = parts.reduce((sum, { value }) => sum + value, 0) || 1;
    const label = parts.map(({ name, value }) => `${name} ${percent(value / total)}`).join(", ");
    const bar = h("span", { class: "shares", role: "img", "aria-label": label, title: label });
    for (const { kind, value } of parts) {
        const fill = h("span", { class: kind });
        fill.style.width = `${(100 * value) / total}%`;
        bar.append(fill);
    }
    return bar;
}

export function percent(share: number): string {
    if (share === 0) return "0 %";
    if (share < 0.001) return "< 0.1 %";
    if (share > 0.999 && share < 1) return "> 99.9 %";
    const isRound = share === 1 || (share >= 0.1 && share < 0.95);
    return `${(100 * share).toFixed(isRound ? 0 : 1)} %`;
}

export function bytes(n: number): string {
    const units = ["B", "kB", "MB", "GB"];
    let at = 0;
    while (n >= 1000 && at < 3) {
        n /= 1000;
        at += 1;
    }
    return `${n < 10 && at > 0 ? n.toFixed(1) : Math.round(n)} ${units[at]}`;
}

const wins = ({ totals }: SetEntry) => (totals ? totals.white_wins + totals.black_wins : 0);
const lost = (set: SetEntry) => (wins(set) > 0 ? 1 - set.totals!.within_count / wins(set) : 0);

/** Does a set match what was typed? Letters in any order of the sides, or a part of the name. */
function matches(set: SetEntry, typed: string): boolean {
    const wanted = typed.trim().toUpperCase().replaceAll("V", "v").replaceAll("B", "S").replaceAll("Q", "M");
    if (wanted === "") return true;
    const [white, black] = set.material.split("v");
    return set.material.includes(wanted) || `${black}v${white}`.includes(wanted);
}

export class SetsView {
    readonly element = h("div", { class: "sets" });
    private sets: SetEntry[] | null = null;
    private men: number | null = null;
    private typed = "";
    private order: Order = "name";
    private readonly body = h("tbody");
    private readonly open: (set: string) => void;

    constructor(open: (set: string) => void) {
        this.open = open;
    }

    async show(): Promise<void> {
        this.frame();
        const { sets } = await server.sets();
        this.sets = sets;
        this.frame();
    }

    relabel(): void {
        this.frame();
    }

    private frame(): void {
        const say = words.sets;
        if (!this.sets) {
            this.element.replaceChildren(h("h1", {}, say.title), h("p", { class: "muted" }, words.verdict.waiting));
            return;
        }
        const filter = h("input", {
            type: "search",
            placeholder: say.filter,
            "aria-label": say.filter,
            value: this.typed,
        });
        filter.addEventListener("input", () => {
            this.typed = filter.value;
            this.rows();
        });
        const counts = [...new Set(this.sets.map(({ men }) => men))];
        const men = [null, ...counts].map((men) => {
            const button = h(
                "button",
                { type: "button", "aria-pressed": String(this.men === men) },
                men === null ? say.all : say.men(men),
            );
            button.addEventListener("click", () => {
                this.men = men;
                this.frame();
            });
            return button;
        });
        const head = (order: Order | null, name: string, kind = "") => {
            const sorted = order !== null && this.order === order;
            const by = () => {
                this.order = order!;
                this.frame();
            };
            return h(
                "th",
                {
                    scope: "col",
                    class: kind,
                    "aria-sort": sorted ? (order === "name" ? "ascending" : "descending") : null,
                },
                order ? h("button", { type: "button", onclick: by }, name) : name,
            );
        };
        const missing = this.sets.filter(({ totals }) => !totals).length;
        const isEmpty = missing === this.sets.length;
        this.element.replaceChildren(
            h("h1", {}, say.title),
            h("p", { class: "muted" }, say.intro),
            ...(isEmpty ? [h("p", {}, say.noTables, " ", command("makruk-gen build --men 4"))] : []),
            h("div", { class: "filters" }, filter, h("div", { class: "segments", role: "group" }, ...men)),
            h(
                "div",
                { class: "table-holder" },
                h(
                    "table",
                    { class: "set-table" },
                    h(
                        "thead",
                        {},
                        h(
                            "tr",
                            {},
                            head("name", say.name),
                            head(null, say.wins, "wide"),
                            head("mate", say.mate, "figure"),
                            head("event", say.event, "figure"),
                            head("lost", say.lost, "figure"),
                            head("size", say.size, "figure optional"),
                        ),
                    ),
                    this.body,
                ),
            ),
            ...(missing > 0 && !isEmpty ? [h("p", { class: "muted" }, say.buildAll(missing))] : []),
        );
        this.rows();
    }

    private rows(): void {
        const key: Record<Order, (set: SetEntry) => number> = {
            name: () => 0,
            mate: ({ totals }) => -(totals?.mate_moves ?? -1),
            event: ({ totals }) => -(totals?.event_moves ?? -1),
            lost: (set) => -(set.totals ? lost(set) : -1),
            size: ({ totals }) => -(totals?.bytes ?? -1),
        };
        const shown = this.sets!.filter(
            (set) => (this.men === null || set.men === this.men) && matches(set, this.typed),
        ).sort((a, b) => key[this.order](a) - key[this.order](b));
        this.body.replaceChildren(...shown.map((set) => this.row(set)));
        if (shown.length === 0)
            this.body.append(h("tr", {}, h("td", { colspan: "6", class: "muted" }, words.sets.none)));
    }

    private row(set: SetEntry): HTMLElement {
        const say = words.sets;
        const { totals, material } = set;
        if (!totals) {
            return h(
                "tr",
                { class: "missing" },
                h("th", { scope: "row" }, drawSet(material)),
                h(
                    "td",
                    { colspan: "5" },
                    h("span", { class: "muted" }, `${say.missing}: `),
                    command(set.command ?? ""),
                ),
            );
        }
        const open = (event: Event) => {
            event.preventDefault();
            this.open(material);
        };
        const figure = (text: string, kind = "") => h("td", { class: `figure ${kind}` }, text);
        const row = h(
            "tr",
            {},
            h("th", { scope: "row" }, h("a", { href: `/?set=${material}`, onclick: open }, drawSet(material))),
            h(
                "td",
                { class: "wide" },
                shares([
                    { kind: "white", value: totals.white_wins, name: say.won("white") },
                    { kind: "draw", value: totals.draws, name: say.drawn },
                    { kind: "black", value: totals.black_wins, name: say.won("black") },
                ]),
            ),
            figure(totals.mate_moves ? String(totals.mate_moves) : "–"),
            figure(totals.event_moves ? String(totals.event_moves) : "–"),
            figure(wins(set) > 0 ? percent(lost(set)) : "–"),
            figure(bytes(totals.bytes), "optional"),
        );
        return row;
    }
}
