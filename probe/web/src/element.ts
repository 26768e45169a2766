// <makruk-tablebase fen="…">: a board, its verdict and its moves in any page, from the tables of a static site. It is built into a
// file of its own, element.js, which `makruk-probe site` writes beside the page; README.md describes it.
import { type ExploredMove, open, ProbeError, type Tablebase } from "../../wasm/npm/src/index.ts";
import { h, s } from "./dom.ts";
import { readFen, roleOf, sideOf, squareOf } from "./position.ts";
import { TODAY } from "./shapes.ts";

/** The folder of this script: the site's, unless `src` names another. */
const HERE = new URL(".", import.meta.url).href;
/** The moves that are listed unless `moves` says otherwise. */
const LISTED = 8;

const TEXT = {
    en: {
        win: "White wins|Black wins",
        draw: "Draw",
        count: "Draw by the count",
        mate: "White has mated|Black has mated",
        moves: (moves: number) => `in ${moves} ${moves === 1 ? "move" : "moves"}`,
        left: (left: number) => `the count leaves ${left}`,
        toMove: "White to move|Black to move",
        waiting: "…",
    },
    th: {
        win: "ขาวชนะ|ดำชนะ",
        draw: "เสมอ",
        count: "เสมอด้วยการนับ",
        mate: "ขาวรุกจน|ดำรุกจน",
        moves: (moves: number) => `ใน ${moves} ที`,
        left: (left: number) => `เหลือนับ ${left} ที`,
        toMove: "ตาขาวเดิน|ตาดำเดิน",
        waiting: "…",
    },
};
type Text = (typeof TEXT)["en"];

const STYLE = `
:host { display: inline-block; width: 22em; max-width: 100%; font: 1rem/1.4 system-ui, sans-serif; color: CanvasText; }
svg { display: block; width: 100%; height: auto; }
.square { fill: #f3e2bf; stroke: #8a6a3b; stroke-width: .8; } .last { fill: #e9c46a; }
.white .body { fill: #fffdf6; stroke: #3b2c18; } .black .body { fill: #3d3a4b; stroke: #191722; }
.body, .detail { stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.white .detail { fill: none; stroke: #3b2c18; } .black .detail { fill: none; stroke: #d9d6e6; }
.file { font: 10px system-ui, sans-serif; fill: #6b5330; text-anchor: middle; }
p { margin: .5em 0; } .head { font-weight: 600; } .error { color: #a3211b; }
ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3em; }
button { font: inherit; padding: .1em .5em; border: 1px solid #8886; border-radius: .3em; background: none; color: inherit; cursor: pointer; }
button.win { background: #2a7d4622; } button.loss { background: #a3211b22; } button.drawn { background: #8882; }
`;

/** Tables that are open, by the address of their site. */
const opened = new Map<string, Promise<Tablebase>>();

function tablesAt(site: string): Promise<Tablebase> {
    let tables = opened.get(site);
    if (!tables) {
        tables = open(site, { wasm: new URL("makruk.wasm", site) });
        // A host that cannot be reached now may be reachable later.
        tables.catch(() => opened.delete(site));
        opened.set(site, tables);
    }
    return tables;
}

const GAIN: Record<string, string> = { win: "win", loss: "loss" };
const side = (text: string, isWhite: boolean): string => text.split("|")[isWhite ? 0 : 1]!;

/** What a verdict says in words. */
function head(answer: Awaited<ReturnType<Tablebase["explore"]>>, text: Text): string[] {
    if (!("category" in answer) || !answer.category) return [];
    const { category, checkmate, count } = answer;
    const isWhite = answer.side === "white";
    if (checkmate && category === "loss") return [side(text.mate, !isWhite)];
    if (category === "draw") return [text.draw];
    if (category === "blessed-loss" || category === "cursed-win") return [text.count];
    const plies = Math.abs(answer.dtz ?? answer.dtm ?? 0);
    const left = count?.attacker_moves_left;
    return [
        `${side(text.win, (category === "win") === isWhite)} ${text.moves(Math.ceil(plies / 2))}`,
        ...(left === null || left === undefined ? [] : [text.left(left)]),
    ];
}

export class MakrukTablebase extends HTMLElement {
    static readonly observedAttributes = ["fen", "src", "lang", "flip", "moves"];
    private readonly root = this.attachShadow({ mode: "open" });
    private readonly board = s("svg", { viewBox: "-2 -2 388 400", role: "img" });
    private readonly words = h("div", { "aria-live": "polite" });
    private asked = new AbortController();
    /** The move that led here, and the one that is being played. */
    private last: string | null = null;
    private played: string | null = null;

    constructor() {
        super();
        this.root.append(this.board, this.words);
        // Unlike a style element, a sheet needs no leave of the page's content security policy. Browsers of before 2023 lack it.
        if ("adoptedStyleSheets" in Document.prototype) {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(STYLE);
            this.root.adoptedStyleSheets = [sheet];
        } else {
            this.root.prepend(h("style", {}, STYLE));
        }
    }

    connectedCallback(): void {
        void this.show();
    }

    disconnectedCallback(): void {
        this.asked.abort();
    }

    attributeChangedCallback(name: string): void {
        if (name === "fen") [this.last, this.played] = [this.played, null];
        if (this.isConnected) void this.show();
    }

    /** The position; setting it is setting the attribute. */
    get fen(): string {
        return (this.getAttribute("fen") ?? "").replaceAll("_", " ");
    }

    set fen(fen: string) {
        this.setAttribute("fen", fen);
    }

    private get text(): Text {
        return TEXT[(this.closest("[lang]") as HTMLElement | null)?.lang.startsWith("th") ? "th" : "en"];
    }

    private async show(): Promise<void> {
        this.asked.abort();
        const asked = (this.asked = new AbortController());
        const { fen, text } = this;
        try {
            this.draw(fen);
            this.words.replaceChildren(h("p", { class: "head" }, text.waiting));
            const tables = await tablesAt(new URL(this.getAttribute("src") ?? HERE, document.baseURI).href);
            const answer = await tables.explore(fen, { signal: asked.signal });
            if (asked.signal.aborted) return;
            this.tell(answer, text);
            this.dispatchEvent(new CustomEvent("verdict", { detail: answer, bubbles: true, composed: true }));
        } catch (error) {
            if (asked.signal.aborted) return;
            const { message } = error as Error;
            this.words.replaceChildren(h("p", { class: "error", role: "alert" }, message));
            const reason = error instanceof ProbeError ? error.reason : "internal";
            this.dispatchEvent(
                new CustomEvent("problem", { detail: { reason, error: message }, bubbles: true, composed: true }),
            );
        }
    }

    private tell(answer: Awaited<ReturnType<Tablebase["explore"]>>, text: Text): void {
        const [first, ...rest] = head(answer, text);
        const problem = answer.error ?? null;
        const listed = Number(this.getAttribute("moves") ?? LISTED) || 0;
        this.words.replaceChildren(
            first ? h("p", { class: "head" }, first) : "",
            h("p", {}, [...rest, side(text.toMove, answer.side === "white")].join(" · ")),
            problem ? h("p", { class: "error" }, problem) : "",
            h("ol", {}, ...answer.moves.slice(0, listed).map((move) => h("li", {}, this.button(move)))),
        );
    }

    private button(move: ExploredMove): HTMLElement {
        const kind = move.category !== undefined ? (GAIN[move.category] ?? "drawn") : "";
        const play = () => {
            this.played = move.uci;
            this.fen = move.fen;
        };
        return h("button", { type: "button", class: kind, onclick: play }, move.san);
    }

    private draw(fen: string): void {
        const setup = readFen(fen);
        const isFlipped = this.hasAttribute("flip");
        const marked = this.last ? [squareOf(this.last), squareOf(this.last.slice(2))] : [];
        const place = (square: number): [number, number] => {
            const [file, rank] = [square % 8, square >> 3];
            return isFlipped ? [7 - file, rank] : [file, 7 - rank];
        };
        const parts: SVGElement[] = [];
        for (let square = 0; square < 64; square++) {
            const [x, y] = place(square);
            const man = setup.squares[square];
            const kind = marked.includes(square) ? "square last" : "square";
            parts.push(s("rect", { class: kind, x: 48 * x, y: 48 * y, width: 48, height: 48 }));
            if (man) {
                const { body, lines } = TODAY[roleOf(man)];
                const at = `translate(${48 * x} ${48 * y})`;
                const inner = [
                    ...body.map((d) => s("path", { class: "body", d })),
                    ...lines.map((d) => s("path", { class: "detail", d })),
                ];
                parts.push(s("g", { class: sideOf(man), transform: at }, ...inner));
            }
        }
        for (let file = 0; file < 8; file++) {
            const letter = "abcdefgh"[isFlipped ? 7 - file : file]!;
            parts.push(s("text", { class: "file", x: 48 * file + 24, y: 395 }, letter));
        }
        this.board.setAttribute("aria-label", fen);
        this.board.replaceChildren(...parts);
    }
}

if (!customElements.get("makruk-tablebase")) customElements.define("makruk-tablebase", MakrukTablebase);
