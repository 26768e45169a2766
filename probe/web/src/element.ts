// <makruk-tablebase fen="…">: a board, its verdict and its moves in any page, from the tables of a static site. It is
// built into a file of its own, element.js, which `makruk-probe site` writes beside the page; README.md describes it.
import { type Explored, type ExploredMove, open, ProbeError, type Tablebase } from "../../wasm/npm/src/index.ts";
import { h } from "./dom.ts";
import { mapOf, type Marks, marksOfMap } from "./marks.ts";
import { drawPicture } from "./picture.ts";
import { readFen, squareOf, squaresOf } from "./position.ts";
import { TODAY, TRADITIONAL } from "./shapes.ts";
import { movesIn } from "./told.ts";

/** The folder of this script: the site's, unless `src` names another. */
const HERE = import.meta.url.replace(/[^/]*$/, "");
/** The moves that are listed unless `moves` says otherwise. */
const LISTED = 8;

const TEXT = {
    en: {
        win: "White wins|Black wins",
        draw: "Draw",
        count: "Draw by the count",
        mate: "White has mated|Black has mated",
        moves: (moves: number) => `in ${moves} ${moves === 1 ? "move" : "moves"}`,
        needs: (moves: number, pawn: boolean) =>
            `needs ${moves} ${moves === 1 ? "move" : "moves"} to mate or to ${pawn ? "end the last pawn" : "take the last piece"} in time`,
        left: (left: number, runs: boolean) => (runs ? `${left} left` : `${left} if the count begins now`),
        toMove: "White to move|Black to move",
        more: (moves: number) => `and ${moves} more`,
        waiting: "…",
        // The library's own sentences say more.
        problems: {} as Record<string, string>,
        problem: "",
    },
    th: {
        win: "ขาวชนะ|ดำชนะ",
        draw: "เสมอ",
        count: "เสมอด้วยการนับ",
        mate: "ขาวรุกจน|ดำรุกจน",
        moves: (moves: number) => `ใน ${moves} ที`,
        needs: (moves: number, pawn: boolean) => `ต้องใช้ ${moves} ทีเพื่อรุกจนหรือ${pawn ? "จบเบี้ยตัวสุดท้าย" : "กินตัวสุดท้าย"}ให้ทัน`,
        left: (left: number, runs: boolean) => (runs ? `เหลืออีก ${left} ที` : `มี ${left} ทีถ้าเริ่มนับตอนนี้`),
        toMove: "ตาขาวเดิน|ตาดำเดิน",
        more: (moves: number) => `และอีก ${moves} ตา`,
        waiting: "…",
        problems: {
            bad_fen: "อ่าน FEN นี้ไม่ได้",
            bad_count: "การนับนี้เป็นไปไม่ได้",
            illegal_position: "ตำแหน่งนี้เป็นไปไม่ได้ตามกติกา",
            touching_kings: "ขุนอยู่ติดกันไม่ได้",
            missing_table: "ไม่มีตารางของปลายกระดานนี้",
            too_many_men: "หมากมากเกินกว่าที่ตารางมี",
            network: "ติดต่อเว็บไซต์ของตารางไม่ได้",
        } as Record<string, string>,
        problem: "ไม่มีคำตอบ",
    },
};
type Text = (typeof TEXT)["en"];

const STYLE = `
:host { display: inline-block; width: 22em; max-width: 100%; font: 1rem/1.4 system-ui, sans-serif; color: CanvasText; }
svg { display: block; width: 100%; height: auto; }
p { margin: .5em 0; } .head { font-weight: 600; } .error { color: #a3211b; color: light-dark(#a3211b, #f0938a); }
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
function head(answer: Explored, text: Text): string[] {
    if (answer.status === "unjudged") return [];
    const { category, checkmate, count } = answer;
    const isWhite = answer.side === "white";
    if (checkmate && category === "loss") return [side(text.mate, !isWhite)];
    if (category === "draw") return [text.draw];
    if (category === "blessed-loss" || category === "cursed-win") return [text.count];
    const winner = side(text.win, (category === "win") === isWhite);
    const left = count.attacker_moves_left;
    // With pieces on both sides, distances in time lead to a capture or a pawn's end, not to mate.
    const isToMate = answer.begins?.counts != null || answer.dtz === answer.dtm || answer.dtz === null;
    return [
        isToMate ? `${winner} ${text.moves(movesIn(answer.dtm ?? 0))}` : winner,
        ...(isToMate ? [] : [text.needs(movesIn(answer.dtz ?? 0), left === null)]),
        ...(left === null ? [] : [text.left(left, Boolean(count.limit))]),
    ];
}

export class MakrukTablebase extends HTMLElement {
    static readonly observedAttributes = ["fen", "src", "lang", "flip", "moves", "map"];
    private readonly root = this.attachShadow({ mode: "open" });
    private readonly board = h("div");
    private readonly words = h("div", { "aria-live": "polite" });
    private asked = new AbortController();
    /** The move that led here, and the one that is being played. */
    private last: string | null = null;
    private played: string | null = null;

    constructor() {
        super();
        this.root.append(this.board, this.words);
        // A sheet, unlike a style element, needs no leave of the content security policy. Browsers before 2023 lack it.
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
            const { reason, error } = answer;
            if (answer.status === "judged") this.send("verdict", answer);
            else this.send("problem", { reason, error });
            const map = this.getAttribute("map");
            if (map) this.draw(fen, await this.map(answer.fen, map, tables, asked.signal));
        } catch (failure) {
            if (asked.signal.aborted) return;
            const { message: error } = failure as Error;
            const isKnown = failure instanceof ProbeError;
            const reason = isKnown ? failure.reason : "internal";
            const [first] = ((isKnown && failure.details["problems"]) || []) as { problem: string }[];
            const known = text.problems[first?.problem ?? ""] ?? this.problem(reason, text);
            this.words.replaceChildren(h("p", { class: "error", role: "alert" }, known ?? error));
            this.send("problem", { reason, error });
        }
    }

    /** The results with the man of a square on each square. */
    private async map(fen: string, from: string, tables: Tablebase, signal: AbortSignal): Promise<Marks> {
        const setup = readFen(fen);
        if (!setup.squares[squareOf(from)]) throw new ProbeError("bad_request", `map: no man stands on ${from}`);
        const places = mapOf(setup, squareOf(from));
        const items = await tables.batch(
            places.map(([, fen]) => fen),
            { signal },
        );
        const marks = marksOfMap(places, items);
        if (!Array.isArray(marks)) throw new ProbeError(marks.reason, marks.error);
        return marks;
    }

    private send(event: "verdict" | "problem", detail: object): void {
        this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
    }

    /** A problem in the language of the element, if it has words for it. */
    private problem(reason: string, text: Text): string | undefined {
        return text.problems[reason] ?? (text.problem || undefined);
    }

    private tell(answer: Explored, text: Text): void {
        const [first, ...rest] = head(answer, text);
        const problem = answer.reason && (this.problem(answer.reason, text) ?? answer.error);
        const listed = Number(this.getAttribute("moves") ?? LISTED) || 0;
        const unlisted = answer.moves.length - listed;
        this.words.replaceChildren(
            first ? h("p", { class: "head" }, first) : "",
            h("p", {}, [...rest, side(text.toMove, answer.side === "white")].join(" · ")),
            problem ? h("p", { class: "error" }, problem) : "",
            h("ol", {}, ...answer.moves.slice(0, listed).map((move) => h("li", {}, this.button(move)))),
            listed > 0 && unlisted > 0 ? h("p", {}, text.more(unlisted)) : "",
        );
    }

    private button(move: ExploredMove): HTMLElement {
        const kind = move.status === "judged" ? (GAIN[move.category] ?? "drawn") : "";
        const play = () => {
            this.played = move.uci;
            this.fen = move.unclaimed_fen ?? move.fen;
        };
        return h("button", { class: kind, onclick: play }, move.san);
    }

    private draw(fen: string, marks: Marks = []): void {
        const squares = this.last ? squaresOf(this.last) : [];
        const men = this.text === TEXT.th ? TRADITIONAL : TODAY;
        const board = drawPicture(readFen(fen), this.hasAttribute("flip"), "", { squares, count: "" }, men, marks);
        board.setAttribute("role", "img");
        board.setAttribute("aria-label", fen);
        this.board.replaceChildren(board);
    }
}

if (!customElements.get("makruk-tablebase")) customElements.define("makruk-tablebase", MakrukTablebase);
