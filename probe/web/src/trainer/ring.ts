// The ring: the board of a bout, and the card next to it with its state.
import { addressOf, addressOfTask } from "../address.ts";
import { type Arrow, Board } from "../board.ts";
import { actButton, copy, h, link } from "../dom.ts";
import { language, words } from "../language/index.ts";
import { moveText, squareText } from "../notation.ts";
import { hasPawns, manOf, nameOf, readFen, squareOf, squaresOf } from "../position.ts";
import { tallyOf } from "../told.ts";
import type { Bout, Slip } from "./bout.ts";
import { COURSE, type Lesson } from "./course.ts";
import type { Task } from "./task.ts";
import { explained, unjudged } from "../verdict.ts";

export interface RingEvents {
    /** The player moves a man. */
    play: (from: number, to: number) => void;
    begin: (task: Task) => void;
    /** Begins another task of the kind. */
    another: (task: Task) => void;
    close: () => void;
    /** Whether the table of a task is there. */
    isThere: (task: Task) => boolean;
    /** Tasks that are to be repeated. */
    due: () => Task[];
    /** How a task went, without its moves. */
    result: (bout: Bout) => string;
    /** How far the course is, after a lesson, with a picture at its end; null for another task. */
    progress: (task: Task) => (Node | string)[] | null;
    /** Shows a position in the explorer. */
    explore: (fen: string) => void;
}

export class Ring {
    readonly element: HTMLElement;
    private readonly events: RingEvents;
    private readonly board: Board;
    private readonly card = h("section", { class: "card bout" });
    private readonly said = h("p", { class: "offscreen", role: "status", "aria-live": "polite" });
    private lesson: Lesson | null = null;

    constructor(events: RingEvents) {
        this.events = events;
        this.board = new Board({ move: events.play });
        this.element = h(
            "div",
            { class: "ring" },
            h("div", { class: "at-board" }, this.board.element),
            this.card,
            this.said,
        );
    }

    /** Shows the state of a bout. */
    show(bout: Bout, lesson: Lesson | null, note: (Node | string)[]): void {
        this.lesson = lesson;
        this.drawBoard(bout, note);
        this.card.replaceChildren(...this.about(bout, note));
        // The board has nothing more to do: the keyboard goes on with what follows.
        if (bout.ending && this.board.element.contains(document.activeElement))
            this.card.querySelector<HTMLElement>(".primary")?.focus();
        const text = this.card.querySelector(".told")?.textContent ?? "";
        if (this.said.textContent !== text) this.said.textContent = text;
    }

    private drawBoard(bout: Bout, note: unknown[]): void {
        const { position, task, last, hints } = bout;
        // A text that cannot be read as a position shows none.
        const setup = readFen(bout.missing?.fen ?? position?.fen ?? (note.length > 0 ? "" : task.fen));
        const isMine = position?.side === task.side && !bout.isThinking && !bout.ending && !bout.missing;
        const best = hints > 0 && isMine ? bout.best : null;
        const king = setup.squares.indexOf(manOf("K", setup.side));
        const arrows: Arrow[] =
            best && hints >= 3 ? [{ from: squareOf(best.uci), to: squareOf(best.uci.slice(2)), kind: "shown" }] : [];
        this.board.show({
            squares: setup.squares,
            flipped: task.side === "black",
            last: last ? squaresOf(last.uci) : [],
            check: position?.check && king >= 0 ? king : null,
            moves: isMine ? position.moves : [],
            arrows,
        });
    }

    /** The card next to the board. */
    private about(bout: Bout, note: (Node | string)[]): HTMLElement[] {
        const say = words.trainer;
        const { task, ending, position } = bout;
        const told = (text: string, kind = "") => h("p", { class: `told ${kind}` }, text);
        const parts: HTMLElement[] = [];
        const { lesson } = this;
        if (bout.missing) {
            const close = actButton("close", say.toCourse, () => this.events.close());
            return [...unjudged(bout.missing), h("div", { class: "buttons" }, close)];
        }
        const isVoid = bout.misfit !== null || (note.length > 0 && !position);
        if (isVoid) {
            const fen = position?.fen;
            return [
                h("p", { class: "problem-text", role: "alert" }, bout.misfit ?? "", ...note),
                h(
                    "div",
                    { class: "buttons" },
                    fen ? actButton("explore", say.explore, () => this.events.explore(fen)) : null,
                    actButton("close", say.toCourse, () => this.events.close()),
                ),
            ];
        }
        const text = lesson && say.lessons[lesson.name].text;
        if (text)
            parts.push(
                h(
                    "p",
                    {},
                    ...explained(text.replace("{needs}", `${lesson.needs}`).replace("{left}", `${lesson.left}`)),
                ),
            );
        parts.push(h("p", { class: "goal" }, say.goal(task.goal, task.side)));
        const count = this.spoken(bout);
        if (count) parts.push(h("p", { class: "spoken" }, count));
        else if (position && hasPawns(readFen(position.fen).squares))
            parts.push(h("p", { class: "muted no-count" }, say.noCount));
        if (note.length > 0) parts.push(h("p", { class: "problem-text", role: "alert" }, ...note));
        if (ending) {
            const isWell = ending !== "missed" && ending !== "left";
            parts.push(told(say.endings[ending], isWell ? "well" : "ill"));
            if (isWell && bout.slips.length === 0) parts.push(h("p", {}, this.outcome(bout)));
            const progress = this.events.progress(task);
            if (progress) parts.push(h("p", { class: "course-progress" }, ...progress));
            if (bout.slips.length > 0) parts.push(this.slips(bout.slips));
        } else if (bout.slip) {
            parts.push(told(say.slip(moveText(bout.slip.played), task.goal), "ill"));
        } else if (bout.isThinking) {
            parts.push(told(position ? say.thinking : words.verdict.waiting));
        } else {
            parts.push(told(bout.last ? say.replied(moveText(bout.last.san)) : say.yourMove(task.side)));
        }
        const { needs } = bout.spare;
        if (!ending && task.goal === "win" && needs !== null && bout.most > 1) {
            const label = `${words.verdict.needs} ${words.moves(needs)}`;
            parts.push(h("progress", { max: bout.most, value: bout.most - needs, "aria-label": label }));
        }
        const hint = this.hint(bout);
        if (hint) parts.push(h("p", { class: "hint", role: "status" }, hint));
        parts.push(h("div", { class: "buttons" }, ...this.acts(bout)));
        return parts;
    }

    private acts(bout: Bout): HTMLElement[] {
        const say = words.trainer;
        const { task, ending, position } = bout;
        const due = this.events.due().find(({ key }) => key !== task.key);
        const at = COURSE.findIndex(({ key }) => key === task.key);
        const next = at >= 0 ? COURSE.slice(at + 1).find(this.events.isThere) : undefined;
        const again = actButton("again", say.restart, () => this.events.begin(task), bout.isGood ? "" : "primary");
        const onward = next
            ? [actButton("next", say.next, () => this.events.begin(next), bout.isGood ? "primary" : "")]
            : [];
        if (!ending) {
            const hint = actButton("hint", say.hint, () => bout.hint());
            hint.disabled = bout.isThinking || bout.hints >= 3;
            return [
                hint,
                actButton("again", say.restart, () => this.events.begin(task)),
                actButton("give-up", say.giveUp, () => bout.giveUp()),
                this.sending(bout),
                actButton("close", say.toCourse, () => this.events.close()),
            ];
        }
        return [
            ...(bout.isGood ? [...onward, again] : [again, ...onward]),
            ...(due ? [actButton("due", say.repeat, () => this.events.begin(due))] : []),
            ...(this.lesson ? [] : [actButton("another", say.another, () => this.events.another(task), "primary")]),
            this.sending(bout),
            actButton("explore", say.explore, () =>
                this.events.explore(bout.slips[0]?.fen ?? position?.fen ?? task.fen),
            ),
            actButton("close", say.toCourse, () => this.events.close()),
        ];
    }

    /** How well a task went that succeeded. */
    private outcome({ hinted }: Bout): string {
        return hinted > 0 ? words.trainer.withHints(hinted) : words.trainer.clean;
    }

    /** A button that hands the task on as a link: its position and goal, and no move that was tried. */
    private sending(bout: Bout): HTMLElement {
        const say = words.trainer;
        const { task } = bout;
        const button = actButton("send", say.send, async () => {
            const url = new URL(`${addressOfTask(task)}&lang=${language}`, location.href);
            const text = bout.ending ? this.events.result(bout) : say.goal(task.goal, task.side);
            if (navigator.share) return void navigator.share({ url: url.href, text }).catch(() => {});
            button.textContent = (await copy(bout.ending ? `${text}\n${url.href}` : url.href))
                ? words.fen.copied
                : words.fen.notCopied;
            setTimeout(() => (button.textContent = say.send), 2000);
        });
        return button;
    }

    /** The count as the counting side calls it out, when it has moved. */
    private spoken({ position }: Bout): string | null {
        const { limit, ply } = position?.count ?? {};
        if (!limit || !position) return null;
        const counter = position.begins?.counts;
        const isToMove = counter
            ? counter === position.side
            : position.category === "loss" || position.category === "blessed-loss";
        const { counted: moves, limit: most } = tallyOf({ limit, ply: ply ?? 0 }, isToMove);
        // What the count begins with is not called, and the move after the last counted one makes the draw.
        const { begins } = position;
        const first = begins?.limit === limit ? Math.ceil(begins.ply / 2) : 0;
        return moves > first && moves <= most ? words.count.spoken(moves, most) : null;
    }

    private hint(bout: Bout): string | null {
        const say = words.trainer;
        const { best, hints, position } = bout;
        if (hints === 0 || !best || !position || bout.isThinking || bout.ending) return null;
        const man = readFen(position.fen).squares[squareOf(best.uci)];
        const name = man ? words.roles[man.toUpperCase() as keyof typeof words.roles] : "";
        if (hints === 1) return say.hints.man(name);
        if (hints === 2) return say.hints.to(squareText(nameOf(squareOf(best.uci.slice(2)))));
        return say.hints.move(moveText(best.san));
    }

    private slips(slips: Slip[]): HTMLElement {
        const say = words.trainer;
        const shown = slips.map(({ fen, played, held }) => {
            const look = link(addressOf(fen), () => this.events.explore(fen), {}, say.look);
            const names = held.slice(0, 4).map(moveText).join(", ");
            return h("li", {}, `${played ? say.played(moveText(played)) : ""} ${say.held(names)} `, look);
        });
        return h("ul", { class: "slip-list" }, ...shown);
    }
}
