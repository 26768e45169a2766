// The base of all views but the board's: an element and a title.
import { h } from "./dom.ts";
import { words } from "./language/index.ts";

export class View {
    readonly element: HTMLElement;
    protected readonly title = h("h1", { tabindex: "-1" });

    constructor(kind: string) {
        this.element = h("div", { class: `view ${kind}` });
    }

    /** Sets the title, and with it the window's. */
    protected name(name: string, title: (Node | string)[] = [name]): void {
        this.title.replaceChildren(...title);
        document.title = `${name} · ${words.title}`;
    }

    /** A reader goes to the title if somebody came here by a link of the page. */
    protected enter(isEntered: boolean): void {
        if (isEntered) this.title.focus({ preventScroll: true });
    }
}
