// The top of the page: links to the views, and the looks of the page.
import { h, part } from "./dom.ts";
import icon from "./icon.svg";
import { NAMES } from "./language/choice.ts";
import { language, words } from "./language/index.ts";
import { isThai } from "./notation.ts";
import { drawTraditional, isTraditional } from "./pieces.ts";
import { kept } from "./store.ts";
import { root } from "./root.ts";

/** The views that the header links to. */
export type Place = "board" | "materials" | "find" | "train";

export interface HeaderEvents {
    go: (view: Place) => void;
    examples: () => void;
    help: () => void;
    speak: (code: string) => void;
    letters: () => void;
    notation: () => void;
    /** Changes the set of men. */
    men: () => void;
}

const THEME = "makruk-theme";
const LETTERS = "makruk-letters";

const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** Restores the looks of the last visit. */
export function restoreLook(): void {
    const theme = kept.get(THEME);
    if (theme) document.documentElement.dataset.theme = theme;
    document.documentElement.classList.toggle("letters", kept.get(LETTERS) === "yes");
}

export function toggleLetters(): void {
    const on = document.documentElement.classList.toggle("letters");
    kept.set(LETTERS, on ? "yes" : "no");
}

export function showHeader(view: Place, events: HeaderEvents): void {
    const say = words.nav;
    const link = (to: Place, href: string, name: string) => {
        const go = (event: Event) => {
            event.preventDefault();
            events.go(to);
        };
        return h("a", { href, "aria-current": view === to ? "page" : null, onclick: go }, name);
    };
    const theme = h(
        "button",
        {
            type: "button",
            class: "icon",
            title: words.view.dark,
            "aria-label": words.view.dark,
            "aria-pressed": String(isDark()),
        },
        "◐",
    );
    theme.addEventListener("click", () => {
        const next = isDark() ? "light" : "dark";
        document.documentElement.dataset.theme = next;
        kept.set(THEME, next);
        theme.setAttribute("aria-pressed", String(next === "dark"));
    });
    const hasLetters = document.documentElement.classList.contains("letters");
    const letters = h(
        "button",
        {
            type: "button",
            class: "icon",
            title: words.view.letters,
            "aria-label": words.view.letters,
            "aria-pressed": String(hasLetters),
            onclick: events.letters,
        },
        "Aa",
    );
    const notation = h(
        "button",
        {
            type: "button",
            class: "icon",
            title: words.view.notation,
            "aria-label": `${words.view.notation} (ก๑)`,
            "aria-pressed": String(isThai()),
            onclick: events.notation,
        },
        h("span", { lang: "th" }, "ก๑"),
    );
    const men = h(
        "button",
        {
            type: "button",
            class: "icon",
            title: words.view.traditional,
            "aria-label": words.view.traditional,
            "aria-pressed": String(isTraditional()),
            onclick: events.men,
        },
        drawTraditional("R"),
    );
    const choice = h(
        "select",
        { "aria-label": words.view.language },
        ...Object.entries(NAMES).map(([code, name]) =>
            h("option", { value: code, selected: code === language, lang: code }, name),
        ),
    );
    choice.addEventListener("change", () => events.speak(choice.value));
    const header = part("header");
    const place = [...header.querySelectorAll("a, button, select")].indexOf(document.activeElement!);
    header.replaceChildren(
        h(
            "a",
            {
                class: "brand",
                href: root,
                "aria-label": words.title,
                onclick: (event: Event) => (event.preventDefault(), events.go("board")),
            },
            h("img", { src: icon, alt: "", width: 28, height: 28 }),
            h("span", {}, words.title),
        ),
        h(
            "nav",
            {},
            link("board", root, say.board),
            link("materials", `${root}?materials`, say.materials),
            link("find", `${root}?find`, say.find),
            link("train", `${root}?train`, say.train),
            h("button", { type: "button", onclick: events.examples }, words.examples.title),
            h("button", { type: "button", onclick: events.help }, say.help),
        ),
        h("div", { class: "look" }, letters, notation, men, theme, choice),
    );
    // The element with the focus keeps it.
    if (place >= 0) header.querySelectorAll<HTMLElement>("a, button, select")[place]?.focus();
}
