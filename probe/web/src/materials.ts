// The endings: a list of all of them.
import { refusalOf, type MaterialEntry, server } from "./api.ts";
import { h, link, redraw } from "./dom.ts";
import { words } from "./language/index.ts";
import { KeepTables } from "./keep.ts";
import { byPawns, matches, pawnsOf } from "./material-name.ts";
import { drawMaterial } from "./pieces.ts";
import { command, why } from "./verdict.ts";
import { goTo, isSite, root } from "./root.ts";
import { View } from "./view.ts";

const ORDERS = ["name", "mate", "conversion", "lost"] as const;
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

const wins = ({ totals }: MaterialEntry) => (totals ? totals.white_wins + totals.black_wins : 0);
const lost = (entry: MaterialEntry) => (wins(entry) > 0 ? 1 - entry.totals!.within_count / wins(entry) : 0);

export class MaterialsView extends View {
    private materials: MaterialEntry[] | null = null;
    private men: number | null = null;
    private pawns: number | null = null;
    private typed = "";
    private order: Order = "name";
    private isReversed = false;
    /** Whether the endings without tables are shown. */
    private isUnfolded = false;
    private readonly content = h("div", { class: "inner" });
    private readonly table = h("table", { class: "material-table" });
    private head = h("thead");
    private readonly keep = new KeepTables();
    private readonly open: (material: string) => void;

    constructor(open: (material: string) => void) {
        super("materials-view");
        this.open = open;
        this.element.append(this.title, this.content);
    }

    /** Shows the list as the address has it. */
    show(isEntered: boolean): void {
        const address = new URLSearchParams(location.search);
        this.typed = address.get("find") ?? "";
        this.men = Number(address.get("men")) || null;
        this.pawns = address.has("pawns") ? Number(address.get("pawns")) || 0 : null;
        const [, minus, order] = /^(-?)(\w+)$/.exec(address.get("by") ?? "") ?? [];
        this.order = ORDERS.find((each) => each === order) ?? "name";
        this.isReversed = minus === "-";
        this.frame();
        this.enter(isEntered);
        void this.load();
    }

    private async load(): Promise<void> {
        try {
            this.materials = (await server.materials()).materials;
            this.frame();
        } catch (error) {
            if (this.materials) return;
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
            ...(this.pawns !== null && { pawns: String(this.pawns) }),
            ...((this.order !== "name" || this.isReversed) && { by: (this.isReversed ? "-" : "") + this.order }),
        }).toString();
        goTo(`${root}?materials${address && `&${address}`}`, history.state, true);
    }

    private frame(): void {
        this.name(words.materials.title);
        if (this.materials) redraw(this.element, () => this.list());
        else this.content.replaceChildren(h("p", { class: "muted" }, words.verdict.waiting));
    }

    private list(): void {
        const say = words.materials;
        const materials = this.materials!;
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
        const segment = (
            what: "men" | "pawns",
            label: string,
            of: (entry: MaterialEntry) => number,
            name: (n: number) => string,
        ) => {
            const numbers = [...new Set(this.materials!.map(of))].sort((a, b) => a - b);
            const buttons = [null, ...numbers].map((number) => {
                const button = h(
                    "button",
                    { "aria-pressed": String(this[what] === number), "data-act": `${what} ${number}` },
                    number === null ? say.all : name(number),
                );
                button.addEventListener("click", () => {
                    this[what] = number;
                    this.remember();
                    this.frame();
                });
                return button;
            });
            return h("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
        };
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
                { scope: "col", class: kind, "aria-sort": sorted ? (isRising ? "ascending" : "descending") : null },
                order ? h("button", { onclick: by, "data-act": `by ${order}` }, name) : name,
                sorted ? h("span", { "aria-hidden": "true" }, isRising ? " ▲" : " ▼") : null,
            );
        };
        const missing = materials.filter(({ totals }) => !totals).length;
        const isEmpty = missing === materials.length;
        this.content.replaceChildren(
            h("p", { class: "muted" }, say.intro),
            ...(isSite ? [this.keep.element] : []),
            ...(isEmpty ? [h("p", {}, say.noTables, " ", command("makruk-gen build --men 4"))] : []),
            h(
                "div",
                { class: "filters" },
                filter,
                segment("men", say.allMen, ({ men }) => men, say.men),
                segment("pawns", say.allPawns, ({ material }) => pawnsOf(material), say.pawns),
            ),
            h("div", { class: "table-holder" }, this.table),
            ...(missing > 0 && !isEmpty ? [this.unfolding(missing)] : []),
        );
        this.head = h(
            "thead",
            {},
            h(
                "tr",
                {},
                head("name", say.name),
                head(null, say.wins, "wide"),
                head("mate", say.mate, "figure"),
                head("conversion", say.conversion, "figure"),
                head("lost", say.lost, "figure"),
            ),
        );
        if (isSite) void this.keep.show();
        this.rows();
    }

    /** A button that shows the endings without tables: visitors cannot build them. */
    private unfolding(missing: number): HTMLElement {
        const unfold = () => {
            this.isUnfolded = !this.isUnfolded;
            this.frame();
        };
        const text = words.materials.buildAll(missing);
        const props = { class: "small", "aria-expanded": String(this.isUnfolded), onclick: unfold };
        return h("p", {}, h("button", { ...props, "data-act": "missing" }, text));
    }

    private rows(): void {
        const key: Record<Order, (entry: MaterialEntry) => number> = {
            name: () => 0,
            mate: ({ totals }) => -(totals?.mate_moves ?? -1),
            conversion: ({ totals }) => -(totals?.conversion_moves ?? -1),
            lost: (entry) => -(entry.totals ? lost(entry) : -1),
        };
        const shown = this.materials!.filter(
            ({ men, material }) =>
                (this.men === null || men === this.men) &&
                (this.pawns === null || pawnsOf(material) === this.pawns) &&
                matches(material, this.typed),
        ).sort((a, b) => key[this.order](a) - key[this.order](b));
        if (this.isReversed) shown.reverse();
        const isFolded = !this.isUnfolded && shown.some(({ totals }) => totals);
        this.table.classList.toggle("folded", isFolded);
        this.table.replaceChildren(this.head, ...(shown.length > 0 ? this.bodies(shown) : [this.empty()]));
    }

    private empty(): HTMLElement {
        return h("tbody", {}, h("tr", {}, h("td", { colspan: "5", class: "muted" }, words.materials.none)));
    }

    /** The rows: in the order of the names grouped by pawns, in any other order all together. */
    private bodies(shown: MaterialEntry[]): HTMLElement[] {
        const say = words.materials;
        const body = (entries: MaterialEntry[]) => {
            const kind = entries.some(({ totals }) => totals) ? null : "missing";
            return h("tbody", { class: kind }, ...entries.map((entry) => this.row(entry)));
        };
        const groups = byPawns(shown, ({ material }) => material);
        if (this.order !== "name" || groups.length < 2) return [body(shown)];
        if (this.isReversed) groups.reverse();
        return groups.map(([pawns, entries]) => {
            const group = body(entries);
            const title = `${say.pawns(pawns)} (${entries.length})`;
            group.prepend(h("tr", { class: "by-pawns" }, h("th", { scope: "rowgroup", colspan: "5" }, title)));
            return group;
        });
    }

    private row(entry: MaterialEntry): HTMLElement {
        const say = words.materials;
        const { totals, material } = entry;
        if (!totals) {
            return h(
                "tr",
                { class: "missing" },
                h("th", { scope: "row" }, drawMaterial(material)),
                h(
                    "td",
                    { colspan: "4" },
                    h("span", { class: "muted" }, `${say.missing}: `),
                    command(entry.command ?? ""),
                ),
            );
        }
        const open = () => this.open(material);
        const figure = (text: string) => h("td", { class: "figure" }, text);
        const row = h(
            "tr",
            {},
            h("th", { scope: "row" }, link(`${root}?material=${material}`, open, {}, drawMaterial(material))),
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
            figure(totals.conversion_moves ? String(totals.conversion_moves) : "–"),
            figure(wins(entry) > 0 ? percent(lost(entry)) : "–"),
        );
        return row;
    }
}
