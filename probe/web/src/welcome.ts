// The greeting of the first page: what it is, and four ways in.
import { h, link } from "./dom.ts";
import { words } from "./language/index.ts";
import { root } from "./root.ts";
import { explained } from "./verdict.ts";

export interface WelcomeEvents {
    /** The puzzle of the day. */
    solve: () => void;
    /** A position to set up. */
    lookUp: () => void;
    /** The course. */
    learn: () => void;
    /** The count by thumb. */
    thumb: () => void;
}

export function welcome(events: WelcomeEvents): HTMLElement {
    const say = words.welcome;
    const way = (name: keyof WelcomeEvents, href: string) => {
        const { title, text } = say.ways[name];
        return link(
            href,
            () => events[name](),
            { class: "way" },
            h("b", {}, title),
            h("span", { class: "muted" }, text),
        );
    };
    return h(
        "section",
        { class: "welcome" },
        h("p", {}, ...explained(say.about)),
        h(
            "nav",
            { "aria-label": say.title },
            way("solve", `${root}?train=daily`),
            way("lookUp", root),
            way("learn", `${root}?train`),
            way("thumb", `${root}?thumb`),
        ),
    );
}
