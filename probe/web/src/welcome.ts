// The greeting of the first page: what it is, and four ways in.
import { h, link } from "./dom.ts";
import { words } from "./language/index.ts";
import { root } from "./root.ts";
import { explained } from "./verdict.ts";

/** The ways: the puzzle of the day, a position to set up, the course, the count by thumb. */
type Way = "solve" | "lookUp" | "learn" | "thumb";

export function welcome(go: Record<Way, () => void>): HTMLElement {
    const say = words.welcome;
    const way = (name: Way, href: string) => {
        const { title, text } = say.ways[name];
        return link(href, go[name], { class: "way" }, h("b", {}, title), h("span", { class: "muted" }, text));
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
