// The arbiter's thumb: a count on a phone, without a position. A tap anywhere on the number counts one move on.
import { actButton, h, radios, redraw } from "../dom.ts";
import { calledInThai } from "../language/called.ts";
import { language, words } from "../language/index.ts";
import {
    fresh,
    isOver,
    limitOf,
    type Men,
    MOST,
    numberOf,
    type Piece,
    PIECES,
    read,
    startOf,
    type Tally,
    write,
} from "./tally.ts";
import { sheetOf } from "../ruling.ts";
import { explained } from "../verdict.ts";
import { View } from "../view.ts";

/** Two taps within this time are one that bounced, in milliseconds. */
const BOUNCE = 250;

export class ThumbView extends View {
    private tally: Tally = fresh();
    private isSetup = true;
    private readonly said = h("p", { class: "offscreen", role: "status", "aria-live": "assertive" });

    constructor() {
        super("thumb");
    }

    show(isEntered: boolean): void {
        this.tally = read();
        this.isSetup = this.tally.calls.length === 0;
        this.draw();
        this.enter(isEntered);
    }

    relabel(): void {
        this.draw();
    }

    private change(change: Partial<Tally>): void {
        this.tally = { ...this.tally, ...change };
        write(this.tally);
        this.draw();
    }

    private count(): void {
        const { tally } = this;
        const now = Date.now();
        if (isOver(tally) || now - (tally.calls[tally.calls.length - 1] ?? 0) < BOUNCE) return;
        this.change({ calls: [...tally.calls, now] });
        navigator.vibrate?.(isOver(this.tally) ? [200, 100, 200] : 30);
        this.said.textContent = this.call();
    }

    private undo(): void {
        this.change({ calls: this.tally.calls.slice(0, -1) });
        this.said.textContent = this.call();
    }

    /** The call in a sentence. */
    private call(): string {
        const { tally } = this;
        const [number, limit] = [numberOf(tally), limitOf(tally)];
        if (isOver(tally)) return words.thumb.over;
        return number === limit ? words.thumb.last(number) : words.thumb.called(number, limit);
    }

    private draw(): void {
        const say = words.thumb;
        this.name(say.title);
        const content = this.isSetup ? this.setup() : this.counting();
        redraw(this.element, () => this.element.replaceChildren(this.title, ...content, this.said, this.sheet()));
    }

    /** The honour and the men. */
    private setup(): HTMLElement[] {
        const say = words.thumb;
        const { tally } = this;
        const honours = (["pieces", "board"] as const).map((honour) => [honour, say.honours[honour]] as const);
        const choose = (honour: Tally["honour"]) => this.change({ honour, calls: [] });
        const start = startOf(tally);
        const limit = limitOf(tally);
        // More men than the limit: the capture itself has drawn the game.
        const isFull = start >= limit;
        const begin = actButton(
            "begin",
            say.begin,
            () => {
                this.isSetup = false;
                this.draw();
                void this.stayAwake();
            },
            "primary big",
        );
        begin.disabled = isFull;
        return [
            h("p", { class: "muted" }, ...explained(say.intro)),
            h(
                "div",
                { class: "switch wrap", role: "radiogroup", "aria-label": words.count.title },
                ...radios("thumb", honours, tally.honour, choose),
            ),
            ...(tally.honour === "pieces"
                ? [
                      h(
                          "div",
                          { class: "thumb-men", role: "group", "aria-label": say.men },
                          h("h2", {}, say.men),
                          ...PIECES.map((piece) => this.piece(piece)),
                      ),
                  ]
                : []),
            h(
                "p",
                { class: "thumb-rule", role: "status" },
                isFull ? say.full(start, limit) : say.rule(start + 1, limit),
            ),
            h("div", { class: "buttons" }, begin),
        ];
    }

    private piece(piece: Piece): HTMLElement {
        const say = words.thumb;
        const { men } = this.tally;
        const name = words.roles[piece];
        const set = (by: number) => {
            const changed: Men = { ...men, [piece]: men[piece] + by };
            this.change({ men: changed, calls: [] });
        };
        const less = actButton(`less ${piece}`, "−", () => set(-1));
        const more = actButton(`more ${piece}`, "+", () => set(1));
        less.setAttribute("aria-label", say.less(name));
        more.setAttribute("aria-label", say.more(name));
        less.disabled = men[piece] === 0;
        more.disabled = men[piece] >= MOST[piece];
        return h("div", { class: "thumb-piece" }, h("span", {}, name), less, h("output", {}, String(men[piece])), more);
    }

    /** The number, which counts on where it is tapped. */
    private counting(): HTMLElement[] {
        const say = words.thumb;
        const { tally } = this;
        const [number, limit] = [numberOf(tally), limitOf(tally)];
        const over = isOver(tally);
        const big = h(
            "button",
            {
                class: `thumb-number${over ? " over" : number === limit ? " last" : ""}`,
                "data-act": "count",
                onclick: () => this.count(),
            },
            h("span", { class: "offscreen" }, say.tap),
            h("b", {}, over ? "✕" : String(number)),
            h(
                "span",
                { class: "thumb-call", lang: "th" },
                over ? say.overThai : tally.calls.length > 0 ? calledInThai(number) : "",
            ),
            h("span", {}, tally.calls.length > 0 ? this.call() : say.next(number + 1, limit)),
        );
        if (over) big.setAttribute("aria-disabled", "true");
        const undo = actButton("undo", say.undo, () => this.undo());
        undo.disabled = tally.calls.length === 0;
        return [
            big,
            h(
                "div",
                { class: "buttons" },
                undo,
                actButton("sheet", words.count.print, () => print()),
                actButton("new", say.again, () => {
                    this.isSetup = true;
                    this.change({ calls: [] });
                }),
            ),
        ];
    }

    /** Keeps the screen on while a count runs. */
    private async stayAwake(): Promise<void> {
        const { wakeLock } = navigator as { wakeLock?: { request(kind: "screen"): Promise<unknown> } };
        await wakeLock?.request("screen").catch(() => {});
    }

    /** The sheet, which is seen on paper only. */
    private sheet(): HTMLElement {
        const say = words.thumb;
        const { tally } = this;
        const time = (at: number) => new Date(at).toLocaleTimeString(language);
        const men = PIECES.filter((piece) => tally.men[piece] > 0).map(
            (piece) => `${tally.men[piece]} ${words.roles[piece]}`,
        );
        const rows: [string, string][] = [
            [words.ruling.event, ""],
            [words.ruling.board, ""],
            [words.ruling.player("white"), ""],
            [words.ruling.player("black"), ""],
            [words.ruling.rule, say.honours[tally.honour]],
            ...(tally.honour === "pieces" ? [[say.men, men.join(", ")] as [string, string]] : []),
            [words.count.title, this.call()],
            [
                say.from,
                tally.calls.length > 0
                    ? `${time(tally.calls[0]!)} – ${time(tally.calls[tally.calls.length - 1]!)}`
                    : "",
            ],
            [words.ruling.ruling, isOver(tally) ? words.verdict.draw().head : words.ruling.goesOn],
            [words.ruling.signed, ""],
        ];
        return h("section", { class: "ruling" }, ...sheetOf(rows));
    }
}
