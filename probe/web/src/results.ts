// The board's mode in which results stand on the squares: of each move or, if a man is tapped, with him on each square.
import { type Explored, Refusal, refusalOf, server, type Side } from "./api.ts";
import { h, radios } from "./dom.ts";
import { words } from "./language/index.ts";
import { mapOf, type Marks, marksOfMap, marksOfMoves } from "./marks.ts";
import { squareText } from "./notation.ts";
import { nameOf, readFen, roleOf, sideOf } from "./position.ts";
import { tellMark } from "./told.ts";
import { why } from "./verdict.ts";

export class Results {
    readonly element = h("div", { class: "note results", hidden: true });
    isOn = false;
    marks: Marks = [];
    private fen = "";
    /** The square of the man whose map is shown, and the side to move in it. */
    private map: { from: number; side: Side } | null = null;
    private asked = new AbortController();
    private readonly changed: () => void;

    constructor(changed: () => void) {
        this.changed = changed;
    }

    turn(on: boolean): void {
        this.isOn = on;
        this.map = null;
    }

    /** Brings the marks and the words to a position. */
    show(fen: string, explored: Explored | null): void {
        this.element.hidden = !this.isOn;
        if (fen !== this.fen) this.map = null;
        this.fen = fen;
        if (this.map) return;
        this.asked.abort();
        this.marks = this.isOn && explored ? marksOfMoves(explored) : [];
        if (this.isOn) this.say([words.results.moves]);
    }

    /** A man: his map, or no longer. Another square: its result in words. */
    tap(square: number): void {
        const { squares, side } = readFen(this.fen);
        const mark = this.marks[square];
        if (squares[square]) {
            this.map = this.map?.from === square ? null : { from: square, side };
            if (this.map) void this.ask();
            else this.changed();
        } else if (mark) {
            this.say([`${squareText(nameOf(square))}: ${tellMark(mark.tone, mark.moves)}`]);
        }
    }

    private async ask(): Promise<void> {
        const { map, fen } = this;
        if (!map) return;
        this.asked.abort();
        const { signal } = (this.asked = new AbortController());
        this.marks = [];
        this.say([words.verdict.waiting]);
        this.changed();
        const places = mapOf({ ...readFen(fen), side: map.side }, map.from);
        try {
            const items = await server.batch(
                places.map(([, fen]) => fen),
                signal,
            );
            if (signal.aborted) return;
            const found = marksOfMap(places, items);
            if (!Array.isArray(found)) throw new Refusal(found.error, found.reason, found.problems, found);
            this.marks = found;
            this.say([]);
        } catch (error) {
            if (!signal.aborted) this.say(why(refusalOf(error)));
        }
        this.changed();
    }

    private say(told: (Node | string)[]): void {
        const { map } = this;
        const man = map && readFen(this.fen).squares[map.from];
        const say = words.results;
        const sides = (["white", "black"] as const).map((side) => [side, words.side(side)] as const);
        const choose = (side: Side) => {
            this.map = map && { ...map, side };
            void this.ask();
        };
        this.element.replaceChildren(
            ...(man
                ? [
                      h(
                          "div",
                          { class: "map-head" },
                          h("b", {}, say.map(words.man(sideOf(man), roleOf(man)))),
                          h(
                              "div",
                              { class: "switch", role: "radiogroup", "aria-label": words.view.tomove },
                              ...radios("map-side", sides, map.side, choose),
                          ),
                      ),
                  ]
                : []),
            h("p", { role: "status" }, ...told),
            h("p", { class: "muted" }, say.legend),
        );
    }
}
