// The endings: a list of all of them.
import { refusalOf, type SetEntry, server } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { KeepTables } from "./keep.ts";
import { matches } from "./material.ts";
import { drawSet } from "./pieces.ts";
import { command, why } from "./verdict.ts";
import { isSite, root } from "./root.ts";

const ORDERS = ["name", "mate", "event", "lost", "size"] as const;
type Order = (typeof ORDERS)[number];

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
    const isRound = share === 1 || share === 0 || (share >= 0.1 && share < 0.95);
    if (share > 0 && share < 0.001) return `< ${words.percent(0.1, 1)}`;
    if (share > 0.999 && share < 1) return `> ${words.percent(99.9, 1)}`;
    return words.percent(100 * share, isRound ? 0 : 1);
}

export function bytes(n: number): string {
    let at = 0;
    while (n >= 1000 && at < 3) {
        n /= 1000;
        at += 1;
    }
    return words.bytes(n, n < 10 && at > 0 ? 1 : 0, at);
}

const wins = ({ totals }: SetEntry) => (totals ? totals.white_wins + totals.black_wins : 0);
const lost = (set: SetEntry) => (wins(set) > 0 ? 1 - set.totals!.within_count / wins(set) : 0);

export class SetsView {
    readonly element = h("div", { class: "sets" });
    private sets: SetEntry[] | null = null;
    private men: number | null = null;
    private typed = "";
    private order: Order = "name";
    private isReversed = false;
    private readonly title = h("h1", { tabindex: "-1" });
    private readonly content = h("div", { class: "inner" });
    private readonly body = h("tbody");
    private readonly keep = new KeepTables();
    private readonly open: (set: string) => void;

    constructor(open: (set: string) => void) {
        this.open = open;
        this.element.append(this.title, this.content);
    }

    /** Shows the list as an address has it; a reader goes to its title if somebody came here by a link of the page. */
    show(search: string, isEntered = false): void {
        const address = new URLSearchParams(search);
        this.typed = address.get("find") ?? "";
        this.men = Number(address.get("men")) || null;
        const [, minus, order] = /^(-?)(\w+)$/.exec(address.get("by") ?? "") ?? [];
        this.order = ORDERS.find((each) => each === order) ?? "name";
        this.isReversed = minus === "-";
        this.frame();
        if (isEntered) this.title.focus({ preventScroll: true });
        void this.load();
    }

    private async load(): Promise<void> {
        try {
            this.sets = (await server.sets()).sets;
            this.frame();
        } catch (error) {
            if (this.sets) return;
            this.content.replaceChildren(h("p", { class: "problem-text" }, ...why(refusalOf(error))));
        }
    }

    relabel(): void {
        this.frame();
    }

    /** Search and order are kept in the address. */
    private remember(): void {
        const address = new URLSearchParams({
            ...(this.typed.trim() && { find: this.typed.trim() }),
            ...(this.men !== null && { men: String(this.men) }),
            ...((this.order !== "name" || this.isReversed) && { by: (this.isReversed ? "-" : "") + this.order }),
        }).toString();
        try {
            history.replaceState(history.state, "", `${root}?sets${address && `&${address}`}`);
        } catch {
            // Some browsers take only so many in a while.
        }
    }

    private frame(): void {
        const say = words.sets;
        this.title.textContent = say.title;
        document.title = `${say.title} · ${words.title}`;
        if (!this.sets) {
            this.content.replaceChildren(h("p", { class: "muted" }, words.verdict.waiting));
            return;
        }
        const before = this.element.contains(document.activeElement)
            ? (document.activeElement as HTMLElement).dataset.act
            : null;
        const filter = h("input", {
            type: "search",
            placeholder: say.filter,
            "aria-label": say.filter,
            "data-act": "find",
            value: this.typed,
        });
        filter.addEventListener("input", () => {
            this.typed = filter.value;
            this.remember();
            this.rows();
        });
        const counts = [...new Set(this.sets.map(({ men }) => men))];
        const men = [null, ...counts].map((men) => {
            const button = h(
                "button",
                { type: "button", "aria-pressed": String(this.men === men), "data-act": `men ${men}` },
                men === null ? say.all : say.men(men),
            );
            button.addEventListener("click", () => {
                this.men = men;
                this.remember();
                this.frame();
            });
            return button;
        });
        const head = (order: Order | null, name: string, kind = "") => {
            const sorted = order !== null && this.order === order;
            const by = () => {
                this.isReversed = sorted && !this.isReversed;
                this.order = order!;
                this.remember();
                this.frame();
            };
            const isRising = (order === "name") !== this.isReversed;
            return h(
                "th",
                {
                    scope: "col",
                    class: kind,
                    "aria-sort": sorted ? (isRising ? "ascending" : "descending") : null,
                },
                order ? h("button", { type: "button", onclick: by, "data-act": `by ${order}` }, name) : name,
                sorted ? h("span", { "aria-hidden": "true" }, isRising ? " ▲" : " ▼") : null,
            );
        };
        const missing = this.sets.filter(({ totals }) => !totals).length;
        const isEmpty = missing === this.sets.length;
        this.content.replaceChildren(
            h("p", { class: "muted" }, say.intro),
            ...(isSite ? [this.keep.element] : []),
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
        if (isSite) void this.keep.show();
        this.rows();
        // The element with the focus keeps it.
        if (before) this.element.querySelector<HTMLElement>(`[data-act="${before}"]`)?.focus();
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
            ({ men, material }) => (this.men === null || men === this.men) && matches(material, this.typed),
        ).sort((a, b) => key[this.order](a) - key[this.order](b));
        if (this.isReversed) shown.reverse();
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
            h("th", { scope: "row" }, h("a", { href: `${root}?set=${material}`, onclick: open }, drawSet(material))),
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
