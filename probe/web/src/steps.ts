// The moves so far, with the variations that were tried.
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import type { Line, Node } from "./line.ts";
import { moveText, numberText } from "./notation.ts";
import { readFen } from "./position.ts";

export interface StepsEvents {
    jump: (node: Node) => void;
    remove: () => void;
    promote: () => void;
}

const MARKS = { win: "??", draw: "??", time: "?!" };

export class Steps {
    readonly element = h("div", { class: "line", role: "group", translate: "no" });
    /** The buttons for a variation. */
    readonly tools = h("div", { class: "buttons line-tools" });
    private readonly events: StepsEvents;

    constructor(events: StepsEvents) {
        this.events = events;
    }

    show(line: Line, isSetup: boolean): void {
        const { root, now } = line;
        const say = words.view;
        this.element.setAttribute("aria-label", say.line);
        const isEmpty = !root.next.some(({ san }) => san !== null);
        this.element.classList.toggle("empty", isEmpty);
        this.tools.hidden = isEmpty || isSetup || now === root || now.ply !== undefined;
        this.element.hidden = isSetup;
        if (isEmpty) {
            this.element.replaceChildren(h("span", { class: "muted keys-only" }, words.playHint));
            return;
        }
        const start = readFen(root.fen);
        const plies = 2 * (start.move - 1) + (start.side === "white" ? 0 : 1);
        const parts: HTMLElement[] = [];
        let current: HTMLElement | null = null;
        const step = (node: Node, depth: number, isNumbered: boolean, into: HTMLElement[]) => {
            const ply = plies + depth;
            const move = numberText(Math.floor(ply / 2) + 1);
            if (ply % 2 === 0 || isNumbered)
                into.push(h("span", { class: "number" }, ply % 2 === 0 ? `${move}.` : `${move}…`));
            const kind = node.judged?.gave_away;
            const button = h(
                "button",
                {
                    class: `step${kind ? ` slip ${kind}` : ""}`,
                    "aria-current": node === now ? "step" : null,
                    onclick: () => this.events.jump(node),
                },
                moveText(node.san!) + (kind ? MARKS[kind] : ""),
            );
            if (node === now) current = button;
            into.push(button);
            if (node.end) into.push(h("span", { class: "line-end" }, words.verdict.lineEnd[node.end]));
        };
        const write = (from: Node, depth: number, isNumbered: boolean, into: HTMLElement[]): void => {
            for (let node = from; ; depth += 1) {
                const [main, ...others] = node.next.filter(({ san }) => san !== null);
                if (!main) return;
                step(main, depth, isNumbered, into);
                for (const other of others) {
                    const inner: HTMLElement[] = [];
                    step(other, depth, true, inner);
                    write(other, depth + 1, false, inner);
                    into.push(h("span", { class: "variation" }, ...inner));
                }
                isNumbered = others.length > 0;
                node = main;
            }
        };
        write(root, 0, true, parts);
        this.element.replaceChildren(...parts);
        const tool = (text: string, act: () => void) => h("button", { class: "small", onclick: act }, text);
        this.tools.replaceChildren(
            tool(say.removeStep, this.events.remove),
            ...(line.isAside ? [tool(say.promote, this.events.promote)] : []),
        );
        const shown = current as HTMLElement | null;
        this.element.scrollTop = shown ? shown.offsetTop - this.element.offsetTop - 40 : 0;
    }
}
