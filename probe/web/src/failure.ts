// The message and the buttons that a view shows when one of the page's files cannot be loaded.
import { refusalOf } from "./api.ts";
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { renew } from "./renew.ts";

/** The failure of a file, with two remedies: to try again, or to reload the whole page. */
export function failure(error: unknown, again: () => void): HTMLElement[] {
    const say = words.error;
    const { reason, message } = refusalOf(error);
    const text = reason === "part_away" ? say.part_away : message;
    const button = (name: string, act: () => void) => h("button", { onclick: act }, name);
    return [
        h("p", { class: "problem-text", role: "alert" }, `${text}.`),
        h(
            "div",
            { class: "buttons" },
            button(say.again, again),
            button(say.reload, () => void renew()),
        ),
    ];
}
