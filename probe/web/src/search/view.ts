// The search for positions: the form and its results.
import { type FoundPosition, refusalOf, server, type SetEntry } from "../api.ts";
import { Board } from "../board.ts";
import { h } from "../dom.ts";
import { words } from "../language/index.ts";
import { miniature } from "../miniature.ts";
import { moveText } from "../notation.ts";
import { type Man, roleOf, sideOf } from "../position.ts";
import { drawMan } from "../pieces.ts";
import { why } from "../verdict.ts";
import { type Format, FORMATS, keepingOf } from "./formats.ts";
import {
    addressOfQuery,
    type Choice,
    CHOICES,
    emptyQuery,
    filterOf,
    type Flag,
    FLAGS,
    has,
    isLiteral,
    KINDS,
    type Query,
    queryIn,
    type Range,
    RANGES,
} from "./query.ts";
import { isSite, root } from "../root.ts";

/** Positions that are fetched at a time. */
const PAGE = 12;
const FIRST = "KRRvKR";

export interface SearchEvents {
    /** Puts a position on the board, as a puzzle if it is one; others follow. */
    solve: (fen: string, quiz: "draw" | "win" | null, more: string[]) => void;
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
    private found: FoundPosition[] = [];
    private cursor: string | null = null;
    private scanned = 0;
    /** The number of such positions in the ending; known of saves without a filter only. */
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
        this.element.append(this.title, this.intro);
        if (!isSite) this.element.append(this.form, this.status, this.results, this.tools);
    }

    /** Shows the form as an address has it; a search that the address names begins. */
    show(search: string, isEntered = false): void {
        const isAsked = new URLSearchParams(search).has("in");
        if (isAsked || !isEntered) this.query = queryIn(search, this.query.material);
        this.draw();
        if (isEntered) this.title.focus({ preventScroll: true });
        if (!isSite) void this.load(isAsked);
    }

    relabel(): void {
        this.draw();
    }

    /** The endings that have such positions. */
    private fitting(): SetEntry[] {
        if (this.query.kind !== "saves") return this.sets;
        const saves = ({ totals }: SetEntry) => totals!.white_wins + totals!.black_wins - totals!.within_count;
        return this.sets.filter((set) => saves(set) > 0);
    }

    private async load(isAsked: boolean): Promise<void> {
        try {
            if (this.sets.length === 0) {
                this.sets = (await server.sets()).sets.filter(({ totals }) => totals);
                const [first, ...others] = this.fitting();
                const isThere = [first, ...others].some((set) => set?.material === this.query.material);
                if (!isThere && !isAsked && first) this.query.material = first.material;
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
        const address = `${root}?find&${addressOfQuery(this.query)}`;
        try {
            if (isNew && location.pathname + location.search !== address) history.pushState(null, "", address);
        } catch {
            // Some browsers take only so many in a while.
        }
        void this.searchOn(PAGE);
    }

    /** Continues the search until so many more are found, or the search is over. */
    private async searchOn(wanted: number): Promise<void> {
        this.asked = new AbortController();
        const { signal } = this.asked;
        const { kind, material, side } = this.query;
        const filter = filterOf(this.query);
        const target = this.found.length + wanted;
        this.isSearching = true;
        this.drawFound();
        try {
            if (kind === "saves" && filter === "" && this.total === null) {
                const { white, black } = await server.saveCounts(material, signal);
                this.total = (side === "black" ? 0 : white.saves) + (side === "white" ? 0 : black.saves);
            }
            do {
                const page = await server.find(
                    {
                        material,
                        kind,
                        where: filter,
                        limit: String(Math.min(PAGE, target - this.found.length)),
                        ...(side !== "any" && { side }),
                        ...(this.cursor !== null && { cursor: this.cursor }),
                        // Drawn squares are meant literally, not up to symmetry.
                        ...(isLiteral(this.query) && { images: "true" }),
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

    /** A condition with one of several values. */
    private chosen(name: Choice): HTMLElement | null {
        const { query } = this;
        const condition = CHOICES[name];
        if (!has(query, condition)) return null;
        const texts = words.search.choices[name] as Record<string, string>;
        return this.choice(
            name,
            name === "king" && query.kind === "zugzwangs" ? words.search.mover : texts["label"]!,
            ["any", ...condition.values].map((value) => [value, texts[value]!] as const),
            query.choices[name] as string,
            (value) => Object.assign(query.choices, { [name]: value }),
        );
    }

    /** A quantity between two numbers. */
    private between(name: Range): HTMLElement | null {
        const say = words.search;
        const { query } = this;
        if (!has(query, RANGES[name])) return null;
        const range = query.ranges[name];
        const label = say.ranges[name];
        const input = (bound: "least" | "most", kind: string) => {
            const box = h("input", {
                type: "number",
                min: "0",
                max: "999",
                inputmode: "numeric",
                "aria-label": `${label}, ${kind}`,
                value: range[bound] ?? "",
            });
            box.addEventListener("input", () => {
                const value = Number(box.value);
                range[bound] = box.value.trim() !== "" && Number.isInteger(value) && value >= 0 ? value : null;
            });
            return box;
        };
        return h(
            "div",
            { class: "field" },
            h("span", {}, label),
            h("span", { class: "between" }, input("least", say.least), "–", input("most", say.most)),
        );
    }

    /** A condition that holds or not. */
    private flag(name: Flag): HTMLElement | null {
        const { query } = this;
        if (!has(query, FLAGS[name])) return null;
        const id = `find-${name}`;
        const box = h("input", { type: "checkbox", id });
        box.checked = query.flags[name];
        box.addEventListener("change", () => (query.flags[name] = box.checked));
        return h("div", { class: "field check" }, box, h("label", { for: id }, words.search.flags[name](query.kind)));
    }

    /** A condition that is typed. */
    private typed(name: "board" | "more", label: string, hint: string): HTMLElement {
        const { query } = this;
        const id = `find-${name}`;
        const box = h("input", {
            id,
            type: "text",
            value: query[name],
            placeholder: hint,
            spellcheck: "false",
            autocomplete: "off",
        });
        box.addEventListener("input", () => (query[name] = box.value));
        return h("div", { class: "field wide" }, h("label", { for: id }, label), box);
    }

    private draw(): void {
        const say = words.search;
        const { query } = this;
        this.title.textContent = say.title;
        this.intro.textContent = isSite ? say.needsServer : say.intro;
        document.title = `${say.title} · ${words.title}`;
        const materials = this.fitting().map(({ material }) => [material, material] as const);
        const isListed = materials.some(([material]) => material === query.material);
        const basic: (HTMLElement | null)[] = [
            this.choice(
                "kind",
                say.kind,
                KINDS.map((kind) => [kind, say.kinds[kind]] as const),
                query.kind,
                (kind) => {
                    query.kind = kind;
                    this.draw();
                    this.form.querySelector<HTMLElement>("#find-kind")?.focus();
                },
            ),
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
            this.chosen("given"),
            this.chosen("poisoned"),
            this.chosen("king"),
            this.chosen("hunter"),
            this.between("short"),
            this.between("spare"),
            this.between("mate"),
            this.flag("unique"),
            this.flag("byCount"),
            this.flag("full"),
        ];
        const more: (HTMLElement | null)[] = [
            this.chosen("sacrifice"),
            this.chosen("whose"),
            this.chosen("move"),
            this.chosen("by"),
            this.chosen("check"),
            this.between("event"),
            this.between("needed"),
            this.between("left"),
            this.between("keeping"),
            this.between("legal"),
            this.flag("unknown"),
            this.typed("board", say.board, "*/*/*/*/*/*/*/k?6"),
            this.typed("more", say.and, "not check and (K=centre or dtz>60)"),
        ];
        const grid = (fields: (HTMLElement | null)[]) =>
            h("div", { class: "fields-grid" }, ...fields.filter((field) => field !== null));
        this.form.replaceChildren(
            grid(basic),
            h("details", { class: "marks", open: this.isMore() }, h("summary", {}, say.conditions), grid(more)),
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

    /** Is one of the folded conditions set? */
    private isMore(): boolean {
        const { choices, ranges, flags, board, more } = this.query;
        const isSet = (name: Range) => ranges[name].least !== null || ranges[name].most !== null;
        return (
            (["sacrifice", "whose", "move", "by", "check"] as const).some((name) => choices[name] !== "any") ||
            (["event", "needed", "left", "keeping", "legal"] as const).some(isSet) ||
            flags.unknown ||
            board + more !== ""
        );
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
        for (const found of this.found.slice(this.results.childElementCount)) {
            this.results.append(miniature(found.fen, this.caption(found), () => this.solve(found)));
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

    /** The position's number, and its details from the tables. */
    private caption(found: FoundPosition): string {
        const say = words.search;
        const { number, legal_moves: legal, needed, left, spoiling_captures: spoiling = [], opposite } = found;
        const keeping = keepingOf(found).length;
        const parts = [words.number(number)];
        if (found.winning_moves) {
            parts.push(say.winOf(needed ?? 0, left ?? 0, keeping, legal));
            const [capture] = spoiling;
            if (capture) parts.push(say.spoils(moveText(capture.san)));
        } else if (opposite) {
            parts.push(say.zugzwangOf(found.category === "loss", opposite === "loss"));
            if (found.by_count) parts.push(say.byCount);
        } else {
            parts.push(words.sets.saveOf(keeping, legal));
        }
        return parts.join(" · ");
    }

    private solve({ fen }: FoundPosition): void {
        const fens = this.found.map((found) => found.fen);
        const quiz = { saves: "draw", wins: "win", zugzwangs: null } as const;
        this.events.solve(fen, quiz[this.query.kind], fens.slice(fens.indexOf(fen) + 1));
    }

    private save(format: Format): void {
        const address = URL.createObjectURL(new Blob([`${FORMATS[format](this.found)}\n`], { type: "text/plain" }));
        const link = h("a", { href: address, download: `${this.query.material}-${this.query.kind}.${format}` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(address), 1000);
    }
}
