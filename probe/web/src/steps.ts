// The moves so far, with the variations that were tried.
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { MARKS } from "./line.ts";
import type { Walk } from "./walk.ts";
import { moveText, numberText } from "./notation.ts";

export class Steps {
    readonly element = h("div", { class: "line", role: "group", translate: "no" });
    /** The buttons for a variation. */
    readonly tools = h("div", { class: "buttons line-tools" });
    private readonly walk: Walk;

    constructor(walk: Walk) {
        this.walk = walk;
    }

    show(): void {
        const { line, editor } = this.walk;
        const isSetup = editor.isOn;
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
        /** The line, and within it the variations that are open. */
        const open: HTMLElement[] = [this.element];
        let current: HTMLElement | null = null;
        this.element.replaceChildren();
        for (const part of line.written(() => false)) {
            const into = open[open.length - 1]!;
            if (part === "(") {
                const variation = h("span", { class: "variation" });
                into.append(variation);
                open.push(variation);
                continue;
            }
            if (part === ")") {
                open.pop();
                continue;
            }
            const { node, number, isWhite } = part;
            if (number !== null)
                into.append(h("span", { class: "number" }, numberText(number) + (isWhite ? "." : "…")));
            const kind = node.judged?.gave_away;
            const button = h(
                "button",
                {
                    class: `step${kind ? ` slip ${kind}` : ""}`,
                    "aria-current": node === now ? "step" : null,
                    onclick: () => this.walk.jump(node),
                },
                moveText(node.san!) + (kind ? MARKS[kind] : ""),
            );
            if (node === now) current = button;
            into.append(button);
            if (node.end) into.append(h("span", { class: "line-end" }, words.verdict.lineEnd[node.end]));
        }
        const tool = (text: string, act: () => void) => h("button", { class: "small", onclick: act }, text);
        this.tools.replaceChildren(
            tool(say.removeStep, () => this.walk.remove()),
            ...(line.isAside ? [tool(say.promote, () => this.walk.promote())] : []),
        );
        const shown = current as HTMLElement | null;
        this.element.scrollTop = shown ? shown.offsetTop - this.element.offsetTop - 40 : 0;
    }
}
