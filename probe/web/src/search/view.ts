// The search for positions: a form, and what it finds.
import { type FoundSave, refusalOf, server, type SetEntry } from "../api.ts";
import { Board } from "../board.ts";
import { h } from "../dom.ts";
import { words } from "../language/index.ts";
import { miniature } from "../miniature.ts";
import { type Man, roleOf, sideOf } from "../position.ts";
import { drawMan } from "../pieces.ts";
import { why } from "../verdict.ts";
import { type Format, FORMATS } from "./formats.ts";
import { addressOfQuery, emptyQuery, filterOf, GIVEN, PLACES, type Query, queryIn } from "./query.ts";

/** Positions that are fetched at a time. */
const PAGE = 12;
const FIRST = "KRRvKR";

export interface SearchEvents {
    /** Puts a position on the board as a puzzle; others follow. */
    solve: (fen: string, more: string[]) => void;
}

export class SearchView {
    readonly element = h("div", { class: "search" });
    private readonly events: SearchEvents;
    private readonly title = h("h1", { tabindex: "-1" });
    private readonly intro = h("p", { class: "muted" });
    private readonly form = h("form", { class: "card search-form" });
    private readonly status = h("p", { class: "muted", role: "status", "aria-live": "polite" });
    private readonly results = h("div", { class: "miniatures" });
    private readonly tools = h("div", { class: "buttons" });
    private readonly board: Board;
    private query: Query = emptyQuery(FIRST);
    private sets: SetEntry[] = [];
    private found: FoundSave[] = [];
    private cursor: string | null = null;
    private scanned = 0;
    /** The number of saves in the ending; known only without a filter. */
    private total: number | null = null;
    private isSearching = false;
    private asked = new AbortController();
    /** The man whose squares are drawn. */
    private drawn: Man = "k";

    constructor(events: SearchEvents) {
        this.events = events;
        this.board = new Board({
            move: () => {},
            place: (square) => this.mark(square),
            drop: () => {},
            refuse: () => {},
        });
        this.form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.begin();
        });
        this.element.append(this.title, this.intro, this.form, this.status, this.results, this.tools);
    }

    /** Shows the form as an address has it; a search that the address names begins. */
    show(search: string, isEntered = false): void {
        const isAsked = new URLSearchParams(search).has("in");
        if (isAsked || !isEntered) this.query = queryIn(search, this.query.material);
        this.draw();
        if (isEntered) this.title.focus({ preventScroll: true });
        void this.load(isAsked);
    }

    relabel(): void {
        this.draw();
    }

    private async load(isAsked: boolean): Promise<void> {
        try {
            if (this.sets.length === 0) {
                this.sets = (await server.sets()).sets.filter(
                    ({ totals }) => totals && totals.within_count !== totals.white_wins + totals.black_wins,
                );
                const isThere = this.sets.some(({ material }) => material === this.query.material);
                if (!isThere && !isAsked && this.sets[0]) this.query.material = this.sets[0].material;
                this.draw();
            }
            if (isAsked && this.found.length === 0) this.begin(false);
        } catch (error) {
            this.fail(error);
        }
    }

    private fail(error: unknown): void {
        this.isSearching = false;
        this.status.replaceChildren(...why(refusalOf(error)));
        this.drawTools();
    }

    /** Searches from the beginning. */
    private begin(isNew = true): void {
        this.asked.abort();
        this.found = [];
        this.cursor = null;
        this.scanned = 0;
        this.total = null;
        this.results.replaceChildren();
        const address = `/?find&${addressOfQuery(this.query)}`;
        try {
            if (isNew && location.pathname + location.search !== address) history.pushState(null, "", address);
        } catch {
            // Some browsers take only so many in a while.
        }
        void this.searchOn(PAGE);
    }

    /** Searches on until so many more are found, or there is nothing more. */
    private async searchOn(wanted: number): Promise<void> {
        this.asked = new AbortController();
        const { signal } = this.asked;
        const { material, side, where } = this.query;
        const filter = filterOf(this.query);
        const target = this.found.length + wanted;
        this.isSearching = true;
        this.drawFound();
        try {
            if (filter === "" && this.total === null) {
                const { white, black } = await server.saveCounts(material, signal);
                this.total = (side === "black" ? 0 : white.saves) + (side === "white" ? 0 : black.saves);
            }
            do {
                const page = await server.findSaves(
                    {
                        material,
                        where: filter,
                        limit: String(Math.min(PAGE, target - this.found.length)),
                        ...(side !== "any" && { side }),
                        ...(this.cursor !== null && { cursor: this.cursor }),
                        // Drawn squares are meant literally, not up to symmetry.
                        ...([...where.values()].some((at) => at.length > 0) && { images: "true" }),
                    },
                    signal,
                );
                if (signal.aborted) return;
                this.found.push(...page.saves);
                this.cursor = page.cursor;
                this.scanned += page.scanned;
                this.drawFound();
            } while (this.cursor !== null && this.found.length < target);
            this.isSearching = false;
            this.drawFound();
        } catch (error) {
            if (!signal.aborted) this.fail(error);
        }
    }

    private stop(): void {
        this.asked.abort();
        this.isSearching = false;
        this.drawFound();
    }

    private mark(square: number): void {
        const at = this.query.where.get(this.drawn) ?? [];
        this.query.where.set(this.drawn, at.includes(square) ? at.filter((each) => each !== square) : [...at, square]);
        this.drawMarks();
    }

    private choice<T extends string>(
        name: string,
        label: string,
        options: readonly (readonly [T, string])[],
        chosen: T,
        choose: (value: T) => void,
    ) {
        const select = h(
            "select",
            { id: `find-${name}` },
            ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
        );
        select.addEventListener("change", () => choose(select.value as T));
        return h("div", { class: "field" }, h("label", { for: `find-${name}` }, label), select);
    }

    private between(label: string, least: "shortLeast" | "mateLeast", most: "shortMost" | "mateMost"): HTMLElement {
        const say = words.search;
        const input = (name: typeof least | typeof most, kind: string) => {
            const box = h("input", {
                type: "number",
                min: "0",
                max: "999",
                inputmode: "numeric",
                "aria-label": `${label}, ${kind}`,
                value: this.query[name] ?? "",
            });
            box.addEventListener("input", () => {
                const value = Number(box.value);
                this.query[name] = box.value.trim() !== "" && Number.isInteger(value) && value >= 0 ? value : null;
            });
            return box;
        };
        return h(
            "div",
            { class: "field" },
            h("span", {}, label),
            h("span", { class: "between" }, input(least, say.least), "–", input(most, say.most)),
        );
    }

    private draw(): void {
        const say = words.search;
        const { query } = this;
        this.title.textContent = say.title;
        this.intro.textContent = say.intro;
        document.title = `${say.title} · ${words.title}`;
        const materials = this.sets.map(({ material }) => [material, material] as const);
        const isListed = materials.some(([material]) => material === query.material);
        const unique = h("input", { type: "checkbox", id: "find-unique" });
        unique.checked = query.isUnique;
        unique.addEventListener("change", () => (query.isUnique = unique.checked));
        const places = PLACES.map((place) => [place, say.places[place]] as const);
        this.form.replaceChildren(
            h(
                "div",
                { class: "fields-grid" },
                this.choice(
                    "material",
                    words.sets.name,
                    isListed ? materials : [[query.material, query.material], ...materials],
                    query.material,
                    (material) => {
                        query.material = material;
                        query.where.clear();
                        this.drawMarks();
                    },
                ),
                this.choice(
                    "given",
                    say.given,
                    GIVEN.map((given) => [given, say.gives(given)] as const),
                    query.given,
                    (given) => (query.given = given),
                ),
                this.choice(
                    "side",
                    words.view.tomove,
                    [
                        ["any", say.anySide],
                        ["white", words.side("white")],
                        ["black", words.side("black")],
                    ],
                    query.side,
                    (side) => (query.side = side),
                ),
                this.choice("king", say.king, places, query.king, (king) => (query.king = king)),
                this.choice("hunter", say.hunter, places, query.hunter, (hunter) => (query.hunter = hunter)),
                this.between(say.short, "shortLeast", "shortMost"),
                this.between(say.mate, "mateLeast", "mateMost"),
                h("div", { class: "field check" }, unique, h("label", { for: "find-unique" }, say.unique)),
            ),
            h(
                "details",
                { class: "marks", open: query.where.size > 0 },
                h("summary", {}, say.draw),
                h("p", { class: "muted" }, say.drawHint),
                this.menToDraw,
                h("div", { class: "mark-board" }, this.board.element),
            ),
            h("button", { type: "submit", class: "primary" }, say.search),
        );
        this.drawMarks();
        this.drawFound();
    }

    private readonly menToDraw = h("div", { class: "buttons", role: "group" });

    /** The man whose squares are drawn, and they. */
    private drawMarks(): void {
        const { query } = this;
        const [white = "", black = ""] = query.material.split("v");
        const men = [...new Set([...white, ...black.toLowerCase()])];
        if (!men.includes(this.drawn)) this.drawn = men.find((man) => man === "k") ?? "K";
        const focused = this.menToDraw.contains(document.activeElement);
        this.menToDraw.setAttribute("aria-label", words.search.draw);
        this.menToDraw.replaceChildren(
            ...men.map((man) => {
                const name = words.man(sideOf(man), roleOf(man));
                const count = query.where.get(man)?.length ?? 0;
                return h(
                    "button",
                    {
                        type: "button",
                        class: "mark-man",
                        "aria-pressed": String(man === this.drawn),
                        "aria-label": count > 0 ? `${name}, ${count}` : name,
                        title: name,
                        onclick: () => {
                            this.drawn = man;
                            this.drawMarks();
                        },
                    },
                    drawMan(man),
                    count > 0 ? String(count) : "",
                );
            }),
        );
        if (focused) this.menToDraw.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
        const at = query.where.get(this.drawn) ?? [];
        this.board.show({
            squares: Array.from({ length: 64 }, (_, square) => (at.includes(square) ? this.drawn : null)),
            flipped: false,
            last: [],
            check: null,
            setup: true,
            targets: () => [],
            mayLift: () => false,
            brush: this.drawn,
            arrows: [],
        });
    }

    private drawFound(): void {
        const say = words.search;
        const number = words.number;
        const isOver = this.cursor === null && !this.isSearching && this.scanned > 0;
        if (this.scanned > 0 || this.isSearching) {
            this.status.textContent = [
                say.found(this.found.length, this.total === null ? null : number(this.total)),
                say.scanned(number(this.scanned)),
                this.isSearching ? say.searching : isOver ? say.over : "",
            ]
                .filter(Boolean)
                .join(" ");
        } else {
            this.status.textContent = "";
        }
        const shown = this.results.childElementCount;
        if (shown > this.found.length || shown === 0) this.results.replaceChildren();
        for (const save of this.found.slice(this.results.childElementCount)) {
            const caption = `${number(save.number)} · ${words.sets.saveOf(save.saving_moves.length, save.legal_moves)}`;
            this.results.append(miniature(save.fen, caption, () => this.solve(save.fen)));
        }
        this.drawTools();
    }

    private drawTools(): void {
        const say = words.search;
        const button = (text: string, act: () => void, kind = "small") =>
            h("button", { type: "button", class: kind, onclick: act }, text);
        const before = this.tools.contains(document.activeElement);
        this.tools.replaceChildren(
            ...(this.isSearching ? [button(say.stop, () => this.stop())] : []),
            ...(this.cursor !== null && !this.isSearching ? [button(say.more, () => void this.searchOn(PAGE))] : []),
            ...(this.found.length > 0
                ? (Object.keys(FORMATS) as Format[]).map((format) =>
                      button(say.save(format.toUpperCase()), () => this.save(format)),
                  )
                : []),
        );
        if (before) this.tools.querySelector<HTMLElement>("button")?.focus();
    }

    private solve(fen: string): void {
        const fens = this.found.map((save) => save.fen);
        this.events.solve(fen, fens.slice(fens.indexOf(fen) + 1));
    }

    private save(format: Format): void {
        const address = URL.createObjectURL(new Blob([`${FORMATS[format](this.found)}\n`], { type: "text/plain" }));
        const link = h("a", { href: address, download: `${this.query.material}.${format}` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
    }
}
