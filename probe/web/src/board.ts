// The board: men that are dragged, tapped or moved from the keyboard. The page decides on the meaning.
import { h, s } from "./dom.ts";
import { words } from "./language/index.ts";
import { drawMark, type Marks } from "./marks.ts";
import { squareText } from "./notation.ts";
import { drawMan, manStyle } from "./pieces.ts";
import { type Man, mayStand, nameOf, roleOf, ROLES, sideOf, squaresOf, type Role } from "./position.ts";
import { tellMark } from "./told.ts";

/** Whatever is not said is not there: an empty board on which nothing moves. */
const EMPTY = {
    squares: [] as (Man | null)[],
    flipped: false,
    /** Squares of the last move. */
    last: [] as number[],
    /** The square of a king in check. */
    check: null as number | null,
    /** Set up by hand: every man may go anywhere, and men come and go. */
    setup: false,
    /** The moves that men can make. */
    moves: [] as readonly { uci: string }[],
    /** A man to place by tapping, or "x" to remove; null moves men. */
    brush: null as Man | "x" | null,
    arrows: [] as Arrow[],
    marks: [] as Marks,
};
type BoardView = typeof EMPTY;

export interface Arrow {
    from: number;
    to: number;
    kind: "best" | "shown";
}

export interface BoardEvents {
    move?: (from: number, to: number) => void;
    /** A tap with a brush, or a letter typed on a square. */
    place?: (square: number, man: Man | null) => void;
    /** A man was dragged off the board. */
    drop?: (from: number) => void;
    /** A man was pressed, whether he may move or not. */
    press?: (man: Man) => unknown;
    /** A man was pressed that may not move. */
    refuse?: (square: number) => void;
}

/** A pointer that has moved so far drags. */
const DRAGS = 5;
/** The milliseconds that a man glides for. */
const SLIDES = 140;
/** The distance from the window's edge, in pixels, at which dragging scrolls the page, and the length of a step. */
const NEAR = 36;
const SCROLLS = 14;

export class Board {
    readonly element: HTMLElement;
    private readonly cells: HTMLElement[] = [];
    private readonly arrows: SVGSVGElement;
    private readonly events: BoardEvents;
    private view: BoardView | null = null;
    private lifted: number | null = null;
    private focused = 4;
    /** The square that a man was dragged to. */
    private dragged: number | null = null;

    constructor(events: BoardEvents) {
        this.events = events;
        this.arrows = s("svg", { class: "arrows", viewBox: "0 0 8 8", "aria-hidden": "true" });
        this.element = h("div", { class: "board", role: "grid" });
        for (let row = 0; row < 8; row++) {
            const rank = h("div", { class: "rank", role: "row" });
            for (let column = 0; column < 8; column++) {
                const cell = h("div", { class: "cell", role: "gridcell", tabindex: "-1" });
                this.cells.push(cell);
                rank.append(cell);
            }
            this.element.append(rank);
        }
        this.element.append(this.arrows);
        this.element.addEventListener("pointerdown", (event) => this.press(event));
        // A tap does not move the keyboard's focus.
        this.element.addEventListener("mousedown", (event) => event.preventDefault());
        this.element.addEventListener("keydown", (event) => this.key(event));
        this.element.addEventListener("focusin", (event) => {
            const cell = this.cells.indexOf(event.target as HTMLElement);
            if (cell >= 0) this.rove(this.squareOf(cell));
        });
    }

    /** The square that a cell shows, and the other way round. */
    private squareOf(cell: number): number {
        return this.view?.flipped ? cell ^ 7 : cell ^ 56;
    }

    private cell(square: number): HTMLElement {
        return this.cells[this.squareOf(square)]!;
    }

    show(shown: Partial<BoardView>): void {
        const before = this.view;
        const view = (this.view = { ...EMPTY, ...shown });
        if (this.lifted !== null && !this.mayLift(this.lifted)) this.lifted = null;
        this.element.setAttribute("aria-label", words.view.board);
        for (let square = 0; square < 64; square++) {
            const cell = this.cell(square);
            const man = view.squares[square] ?? null;
            const name = nameOf(square);
            const drawn = `${man ?? ""} ${manStyle()}`;
            if (cell.dataset.drawn !== drawn || cell.dataset.square !== name || !before) {
                cell.dataset.square = name;
                cell.dataset.man = man ?? "";
                cell.dataset.drawn = drawn;
                cell.replaceChildren(...(man ? [drawMan(man)] : []));
            }
            const isEdge = (edge: number, of: number) => (view.flipped ? 7 - edge : edge) === of;
            cell.dataset.rank = isEdge(square % 8, 0) ? squareText(name[1]!) : "";
            cell.dataset.file = isEdge(Math.floor(square / 8), 0) ? squareText(name[0]!) : "";
            cell.classList.toggle("last", view.last.includes(square));
            cell.classList.toggle("check", view.check === square);
            cell.classList.toggle("liftable", man !== null && this.mayLift(square));
            cell.tabIndex = square === this.focused ? 0 : -1;
        }
        this.mark();
        const marks = view.marks.map((mark, square) => {
            if (!mark) return "";
            const cell = this.squareOf(square);
            const place = `translate(${cell % 8} ${Math.floor(cell / 8)})`;
            return s("g", { transform: place }, drawMark(mark, view.squares[square] !== null));
        });
        this.arrows.replaceChildren(...view.arrows.map((arrow) => this.draw(arrow)), ...marks);
        this.slide(before);
    }

    /** The squares that the man on a square can move to. */
    private targets(from: number): number[] {
        const ways = this.view!.moves.map(({ uci }) => squaresOf(uci));
        return ways.flatMap(([of, to]) => (of === from ? [to] : []));
    }

    private mayLift(from: number): boolean {
        return this.view!.setup || this.targets(from).length > 0;
    }

    /** Lets a man that has moved glide, unless it was dragged or motion is not wanted. */
    private slide(before: BoardView | null): void {
        const view = this.view!;
        const [from, to] = view.last;
        const wasDragged = this.dragged === to;
        this.dragged = null;
        if (!before || from === undefined || to === undefined || wasDragged || view.flipped !== before.flipped) return;
        const man = view.squares[to];
        if (!man || before.squares[from] !== man || before.squares[to] === man || view.squares[from]) return;
        const figure = this.cell(to).firstElementChild;
        if (!figure?.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const [a, b] = [this.cell(from).getBoundingClientRect(), this.cell(to).getBoundingClientRect()];
        figure.animate([{ transform: `translate(${a.left - b.left}px, ${a.top - b.top}px)` }, { transform: "none" }], {
            duration: SLIDES,
            easing: "ease-out",
        });
    }

    /** The squares on which the pawn to place may stand; none for other men, which may stand anywhere. */
    private places(): number[] {
        const { brush, squares } = this.view!;
        const man = brush === null && this.lifted !== null ? squares[this.lifted] : brush;
        if (!man || man === "x" || roleOf(man) !== "P") return [];
        return squares.flatMap((_, square) => (mayStand(man, square) ? [square] : []));
    }

    /** Marks the man that is lifted and the squares that it can move to. */
    private mark(): void {
        const view = this.view!;
        const targets = view.setup ? this.places() : this.lifted === null ? [] : this.targets(this.lifted);
        for (let square = 0; square < 64; square++) {
            const cell = this.cell(square);
            const isTarget = targets.includes(square);
            const man = view.squares[square];
            cell.classList.toggle("lifted", square === this.lifted);
            cell.classList.toggle("target", isTarget);
            if (square === this.lifted) cell.setAttribute("aria-selected", "true");
            else cell.removeAttribute("aria-selected");
            const label = man ? words.man(sideOf(man), roleOf(man)) : null;
            const mark = view.marks[square];
            const result = mark ? `: ${tellMark(mark.tone, mark.moves)}` : "";
            cell.setAttribute("aria-label", words.square(squareText(nameOf(square)), label, isTarget) + result);
        }
    }

    private draw({ from, to, kind }: Arrow): SVGElement {
        const at = (square: number): [number, number] => {
            const cell = this.squareOf(square);
            return [(cell % 8) + 0.5, Math.floor(cell / 8) + 0.5];
        };
        const [x1, y1] = at(from);
        const [x2, y2] = at(to);
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
        // From the rim of the man to just short of the middle, with a head.
        const [tx, ty] = [x2 - 0.12 * dx, y2 - 0.12 * dy];
        const [bx, by] = [tx - 0.27 * dx, ty - 0.27 * dy];
        const d =
            `M${x1 + 0.4 * dx} ${y1 + 0.4 * dy}L${bx} ${by}` +
            `M${tx} ${ty}L${bx - 0.15 * dy} ${by + 0.15 * dx}L${bx + 0.15 * dy} ${by - 0.15 * dx}Z`;
        return s("path", { class: `arrow ${kind}`, d });
    }

    private at(x: number, y: number): number | null {
        const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>(".cell");
        const index = cell ? this.cells.indexOf(cell) : -1;
        return index < 0 ? null : this.squareOf(index);
    }

    private press(event: PointerEvent): void {
        const view = this.view;
        const from = this.at(event.clientX, event.clientY);
        if (event.button !== 0 || !view || from === null) return;
        const man = view.squares[from] ?? null;
        if (view.brush === null && this.lifted !== null && this.lifted !== from && this.reaches(this.lifted, from)) {
            // The second tap of a move. A man of one's own is lifted instead.
            event.preventDefault();
            this.finish(this.lifted, from);
            return;
        }
        if (man && !view.setup) this.events.press?.(man);
        if (!man || view.brush !== null || !this.mayLift(from)) {
            if (view.brush !== null) {
                event.preventDefault();
                this.paint(from);
            } else {
                this.lift(null);
                if (man) this.events.refuse?.(from);
            }
            return;
        }
        event.preventDefault();
        const wasLifted = this.lifted === from;
        this.lift(from);
        this.drag(event, man, (to, moved) => {
            if (!moved) {
                if (wasLifted) this.lift(null);
            } else if (to === null) {
                this.lift(null);
                this.events.drop?.(from);
            } else {
                this.dragged = to;
                this.finish(from, to);
            }
        });
    }

    /** Follows the pointer with a man until it is let go of, anywhere. */
    drag(event: PointerEvent, man: Man, done: (to: number | null, moved: boolean) => void): void {
        const start = { x: event.clientX, y: event.clientY };
        const size = this.cells[0]!.getBoundingClientRect().width;
        let ghost: HTMLElement | null = null;
        const over = (x: number, y: number) => {
            for (const cell of this.cells) cell.classList.remove("over");
            const square = this.at(x, y);
            if (square !== null) this.cell(square).classList.add("over");
            return square;
        };
        const follow = (now: PointerEvent) => {
            if (now.pointerId !== event.pointerId) return;
            if (!ghost) {
                if (Math.hypot(now.clientX - start.x, now.clientY - start.y) < DRAGS) return;
                ghost = h("div", { class: "ghost", "aria-hidden": "true" }, drawMan(man));
                ghost.style.width = ghost.style.height = `${size}px`;
                document.body.append(ghost);
                this.element.classList.add("dragging");
            }
            ghost.style.transform = `translate(${now.clientX - size / 2}px, ${now.clientY - size / 2}px)`;
            over(now.clientX, now.clientY);
            if (now.clientY < NEAR) scrollBy(0, -SCROLLS);
            else if (now.clientY > innerHeight - NEAR) scrollBy(0, SCROLLS);
        };
        const end = (now: PointerEvent) => {
            if (now.pointerId !== event.pointerId) return;
            removeEventListener("pointermove", follow);
            removeEventListener("pointerup", end);
            removeEventListener("pointercancel", end);
            const moved = ghost !== null;
            ghost?.remove();
            const to = over(now.clientX, now.clientY);
            for (const cell of this.cells) cell.classList.remove("over");
            this.element.classList.remove("dragging");
            if (now.type === "pointercancel") this.lift(null);
            else done(to, moved);
        };
        addEventListener("pointermove", follow);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }

    private lift(square: number | null): void {
        this.lifted = square;
        this.mark();
    }

    private reaches(from: number, to: number): boolean {
        const view = this.view!;
        return from !== to && (view.setup || this.targets(from).includes(to));
    }

    private finish(from: number, to: number): void {
        const reaches = this.reaches(from, to);
        this.lift(null);
        if (reaches) this.events.move?.(from, to);
    }

    private paint(square: number): void {
        const { brush, squares } = this.view!;
        const is = squares[square] ?? null;
        this.events.place?.(square, brush === "x" || brush === is ? null : brush);
    }

    private rove(square: number): void {
        this.focused = square;
        for (let each = 0; each < 64; each++) this.cell(each).tabIndex = each === square ? 0 : -1;
    }

    private key(event: KeyboardEvent): void {
        const view = this.view;
        if (!view || event.ctrlKey || event.metaKey || event.altKey) return;
        const step: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, 1],
            ArrowDown: [0, -1],
        };
        const way = step[event.key];
        const here = this.focused;
        if (way) {
            const turn = view.flipped ? -1 : 1;
            const file = (here % 8) + turn * way[0];
            const rank = Math.floor(here / 8) + turn * way[1];
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8) this.rove(8 * rank + file);
            this.cell(this.focused).focus();
        } else if (event.key === "Enter" || event.key === " ") {
            if (view.brush !== null) this.paint(here);
            else if (this.lifted !== null && this.lifted !== here) this.finish(this.lifted, here);
            else if (this.lifted === here) this.lift(null);
            else if (view.squares[here] && this.mayLift(here)) this.lift(here);
            else if (view.squares[here]) this.events.refuse?.(here);
        } else if (event.key === "Escape") {
            this.lift(null);
        } else if (event.key === "Delete" || event.key === "Backspace") {
            if (!view.setup) return;
            this.events.place?.(here, null);
        } else if (ROLES.includes(event.key.toUpperCase() as Role) && event.key.length === 1) {
            // As in a FEN, capitals are White's. If nothing can be placed, letters are keys of the page.
            if (!view.setup) return;
            this.events.place?.(here, event.key);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
