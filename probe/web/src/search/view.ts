// The search for positions: the form and its results.
import { addressOf, addressOfTask } from "../address.ts";
import { type FoundPosition, refusalOf, server, type MaterialEntry } from "../api.ts";
import { Board } from "../board.ts";
import { download, fold, h, redraw } from "../dom.ts";
import { words } from "../language/index.ts";
import { materialChoice } from "../material-options.ts";
import { miniature } from "../miniature.ts";
import { moveText } from "../notation.ts";
import { type Man, mayStand, roleOf, sideOf } from "../position.ts";
import { drawMan } from "../pieces.ts";
import { why } from "../verdict.ts";
import { between, choice, chosen, flag, typed } from "./fields.ts";
import { pgnFile } from "../pgn-text.ts";
import { gameOf, keepingOf } from "./pgn.ts";
import { addressOfQuery, filterOf, filterOfLot, isLiteral, KINDS, type Query, queryIn } from "./query.ts";
import { harderFirst, Sample } from "./sample.ts";
import { goTo, isSite, root } from "../root.ts";
import { type Task, taskAt } from "../trainer/task.ts";
import { View } from "../view.ts";

/** Positions that are fetched at a time. */
const PAGE = 12;
const FIRST = "KRRvKR";
/** The cursor of a sample, which begins anywhere. */
const LOT = "lot";

export interface SearchEvents {
    /** Shows a position on the board. */
    explore: (fen: string) => void;
    /** Begins a task; others follow. */
    solve: (task: Task, more: Task[]) => void;
}

const isSame = (one: FoundPosition, other: FoundPosition) => one.side === other.side && one.number === other.number;

export class SearchView extends View {
    private readonly events: SearchEvents;
    private readonly intro = h("p", { class: "muted" });
    private readonly form = h("form", { class: "card search-form" });
    private readonly status = h("p", { class: "muted", role: "status", "aria-live": "polite" });
    private readonly results = h("div", { class: "miniatures" });
    private readonly tools = h("div", { class: "buttons" });
    private readonly board: Board;
    private query: Query = queryIn("", FIRST);
    private materials: MaterialEntry[] = [];
    private found: FoundPosition[] = [];
    private cursor: string | null = null;
    private sample: Sample | null = null;
    private scanned = 0;
    /** The number of such positions in the ending; known of saves without a filter only. */
    private total: number | null = null;
    private isSearching = false;
    private asked = new AbortController();
    /** The man whose squares are drawn. */
    private drawn: Man = "k";

    constructor(events: SearchEvents) {
        super("search");
        this.events = events;
        this.board = new Board({ place: (square) => this.mark(square) });
        this.form.addEventListener("submit", (event) => {
            event.preventDefault();
            // The first lot is the same for all, every further one another.
            if (this.found.length > 0) this.query.lot = 2 + Math.floor(Math.random() * 9000);
            this.begin();
        });
        this.element.append(this.title, this.intro);
        if (!isSite) this.element.append(this.form, this.status, this.results, this.tools);
    }

    /** Shows the form as the address has it; a search that the address names begins. */
    show(isEntered: boolean): void {
        const isAsked = new URLSearchParams(location.search).has("in");
        if (isAsked || !isEntered) this.query = queryIn(location.search, this.query.material);
        this.draw();
        this.enter(isEntered);
        if (!isSite) void this.load(isAsked);
    }

    relabel(): void {
        this.draw();
    }

    /** The endings that have such positions. */
    private fitting(): MaterialEntry[] {
        if (this.query.kind !== "saves") return this.materials;
        const saves = ({ totals }: MaterialEntry) => totals!.white_wins + totals!.black_wins - totals!.within_count;
        return this.materials.filter((entry) => saves(entry) > 0);
    }

    private async load(isAsked: boolean): Promise<void> {
        try {
            if (this.materials.length === 0) {
                this.materials = (await server.materials()).materials.filter(({ totals }) => totals);
                const [first, ...others] = this.fitting();
                const isThere = [first, ...others].some((entry) => entry?.material === this.query.material);
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
        this.sample = null;
        this.results.replaceChildren();
        const address = `${root}?find&${addressOfQuery(this.query)}`;
        if (isNew && location.pathname + location.search !== address) goTo(address);
        void this.searchOn(PAGE);
    }

    /** Continues the search until `wanted` more are found, or the search is over. */
    private async searchOn(wanted: number): Promise<void> {
        this.asked = new AbortController();
        const { signal } = this.asked;
        const { query } = this;
        const { kind, material, side } = query;
        const filter = filterOf(query);
        const ask = (where: string, limit: number, cursor: string | null, of = side) =>
            server.find(
                {
                    material,
                    kind,
                    where,
                    limit: String(limit),
                    ...(of !== "any" && { side: of }),
                    ...(cursor !== null && { cursor }),
                    // Drawn squares are meant literally, not up to symmetry.
                    ...(isLiteral(query) && { images: "true" }),
                },
                signal,
            );
        const target = this.found.length + wanted;
        this.isSearching = true;
        this.drawFound();
        try {
            if (kind === "saves" && filter === "" && this.total === null) {
                const { white, black } = await server.saveCounts(material, signal);
                this.total = (side === "black" ? 0 : white.saves) + (side === "white" ? 0 : black.saves);
            }
            const before = this.found.length;
            const where = filterOfLot(query);
            if ((this.cursor ?? LOT) === LOT) {
                this.sample ??= new Sample(material, side, query.lot);
                this.found.push(...(await this.sample.draw((cursor, of) => ask(where, 1, cursor, of), wanted)));
                if (signal.aborted) return;
                this.scanned = this.sample.scanned;
                // Where positions are too few to be found at random, all are searched.
                this.cursor = this.found.length < target ? null : LOT;
            }
            while (this.found.length < target) {
                const page = await ask(where, Math.min(PAGE, target - this.found.length), this.cursor);
                if (signal.aborted) return;
                this.found.push(...page.saves.filter((each) => !this.found.some((known) => isSame(known, each))));
                this.cursor = page.cursor;
                this.scanned += page.scanned;
                if (this.cursor === null) break;
            }
            // What was added is shown from the hardest on.
            this.found.push(...this.found.splice(before).sort(harderFirst));
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
        if (!mayStand(this.drawn, square)) return;
        const at = this.query.where.get(this.drawn) ?? [];
        this.query.where.set(this.drawn, at.includes(square) ? at.filter((each) => each !== square) : [...at, square]);
        this.drawMarks();
    }

    private material(): HTMLElement {
        const { query } = this;
        const materials = this.fitting().map(({ material }) => material);
        const all = materials.includes(query.material) ? materials : [query.material, ...materials];
        const choose = (material: string) => {
            query.material = material;
            query.where.clear();
            this.drawMarks();
        };
        return h("div", { class: "field" }, ...materialChoice("find-material", all, query.material, choose));
    }

    private draw(): void {
        const say = words.search;
        const { query } = this;
        this.name(say.title);
        this.intro.textContent = isSite ? say.needsServer : say.intro;
        const fields: (HTMLElement | null)[] = [
            choice(
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
            this.material(),
            choice(
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
            chosen(query, "given"),
            chosen(query, "poisoned"),
            chosen(query, "king"),
            chosen(query, "attackerKing"),
            between(query, "short"),
            between(query, "spare"),
            between(query, "mate"),
            flag(query, "unique"),
            flag(query, "byCount"),
            flag(query, "full"),
            typed(query),
        ];
        this.form.replaceChildren(
            h("div", { class: "fields-grid" }, ...fields.filter((field) => field !== null)),
            fold(
                "draw",
                "marks",
                query.where.size > 0,
                [say.draw],
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
        this.menToDraw.setAttribute("aria-label", words.search.draw);
        const buttons = men.map((man) => {
            const name = words.man(sideOf(man), roleOf(man));
            const count = query.where.get(man)?.length ?? 0;
            return h(
                "button",
                {
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
        });
        redraw(this.menToDraw, () => this.menToDraw.replaceChildren(...buttons));
        const at = query.where.get(this.drawn) ?? [];
        this.board.show({
            squares: Array.from({ length: 64 }, (_, square) => (at.includes(square) ? this.drawn : null)),
            setup: true,
            brush: this.drawn,
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
            this.results.append(
                miniature(found.fen, this.caption(found), this.address(found), () => this.solve(found)),
            );
        }
        this.drawTools();
    }

    private drawTools(): void {
        const say = words.search;
        const button = (text: string, act: () => void, kind = "small") =>
            h("button", { class: kind, onclick: act }, text);
        const buttons = [
            ...(this.isSearching ? [button(say.stop, () => this.stop())] : []),
            ...(this.cursor !== null && !this.isSearching ? [button(say.more, () => void this.searchOn(PAGE))] : []),
            ...(this.found.length > 0 ? [button(say.save, () => this.save())] : []),
        ];
        redraw(this.tools, () => this.tools.replaceChildren(...buttons));
    }

    /** The position's details from the tables. */
    private caption(found: FoundPosition): string {
        const say = words.search;
        const { legal_moves: legal, needed, left, spoiling_captures: spoiling = [], opposite } = found;
        const keeping = keepingOf(found).length;
        const parts: string[] = [];
        if (found.winning_moves) {
            parts.push(say.winOf(needed ?? 0, left ?? null, keeping, legal));
            const [capture] = spoiling;
            if (capture) parts.push(say.spoils(moveText(capture.san)));
        } else if (opposite) {
            parts.push(say.zugzwangOf(found.category === "loss", opposite === "loss"));
            if (found.by_count) parts.push(say.byCount);
        } else {
            parts.push(words.materials.saveOf(keeping, legal));
        }
        return parts.join(" · ");
    }

    private taskOf = ({ fen }: FoundPosition): Task => taskAt(fen, this.query.kind === "wins" ? "win" : "save");

    private address(found: FoundPosition): string {
        return this.query.kind === "zugzwangs" ? addressOf(found.fen) : addressOfTask(this.taskOf(found));
    }

    private solve(found: FoundPosition): void {
        if (this.query.kind === "zugzwangs") return this.events.explore(found.fen);
        const tasks = this.found.map(this.taskOf);
        const at = this.found.indexOf(found);
        this.events.solve(tasks[at]!, tasks.slice(at + 1));
    }

    private save(): void {
        download(pgnFile(this.found.map(gameOf)), `${this.query.material}-${this.query.kind}.pgn`);
    }
}
