// The top of the page: links to the views, and a menu with the looks of the page.
import { h, link, part, redraw, toolIcon } from "./dom.ts";
import { NAMES } from "./language/choice.ts";
import { language, words } from "./language/index.ts";
import { isThai } from "./notation.ts";
import { drawMan, isTraditional } from "./pieces.ts";
import { kept } from "./store.ts";
import { root } from "./root.ts";

/** The views that the header links to. */
export type Place = "board" | "materials" | "find" | "train" | "thumb";

export interface HeaderEvents {
    go: (view: Place) => void;
    help: () => void;
    speak: (code: string) => void;
    letters: () => void;
    notation: () => void;
    /** Changes the set of men. */
    men: () => void;
}

const THEME = "makruk-theme";
const LETTERS = "makruk-letters";
const ICONS = {
    views: "M4 6h16M4 12h16M4 18h16",
    look: "M4 8h8M18 8h2M4 16h2M12 16h8M15 5.200a2.800 2.800 0 1 0 .01 0M9 13.200a2.800 2.800 0 1 0 .01 0",
};

/** The menu that is open: on phones the views are one, too. */
let opened: keyof typeof ICONS | null = null;

const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** Restores the looks of the last visit, and closes a menu when something else is pressed. */
export function restoreLook(): void {
    const theme = kept.get(THEME);
    if (theme) document.documentElement.dataset.theme = theme;
    document.documentElement.classList.toggle("letters", kept.get(LETTERS) === "yes");
    addEventListener(
        "pointerdown",
        ({ target }) => (target as Element).closest?.("header .menu, .toggle") ?? open(null),
    );
    addEventListener("keydown", ({ key }) => key === "Escape" && open(null));
}

export function toggleLetters(): void {
    const on = document.documentElement.classList.toggle("letters");
    kept.set(LETTERS, on ? "yes" : "no");
}

function open(menu: typeof opened): void {
    opened = menu;
    for (const toggle of part("header").querySelectorAll<HTMLElement>(".toggle"))
        toggle.setAttribute("aria-expanded", String(toggle.dataset.menu === menu));
}

/** A button that opens and closes the menu that follows it. */
function toggle(menu: keyof typeof ICONS, name: string): HTMLElement {
    return h(
        "button",
        {
            class: `icon toggle ${menu}`,
            title: name,
            "aria-label": name,
            "aria-expanded": String(opened === menu),
            "data-menu": menu,
            onclick: () => open(opened === menu ? null : menu),
        },
        toolIcon(ICONS[menu]),
    );
}

export function showHeader(view: Place, events: HeaderEvents): void {
    const say = words.nav;
    const way = (to: Place, href: string, name: string) =>
        link(href, () => (open(null), events.go(to)), { "aria-current": view === to ? "page" : null }, name);
    const dialog = (name: string, show: () => void) => h("button", { onclick: () => (open(null), show()) }, name);
    const choice = (name: string, isOn: boolean, act: () => void) =>
        h("button", { "aria-pressed": String(isOn), onclick: act }, name);
    const theme = choice(words.view.dark, isDark(), () => {
        const next = isDark() ? "light" : "dark";
        document.documentElement.dataset.theme = next;
        kept.set(THEME, next);
        theme.setAttribute("aria-pressed", String(next === "dark"));
    });
    const speech = h(
        "select",
        { "aria-label": words.view.language },
        ...Object.entries(NAMES).map(([code, name]) =>
            h("option", { value: code, selected: code === language, lang: code }, name),
        ),
    );
    speech.addEventListener("change", () => events.speak(speech.value));
    const header = part("header");
    const parts = [
        link(
            root,
            () => events.go("board"),
            { class: "brand", "aria-label": words.title },
            drawMan("K"),
            h("span", {}, words.title),
        ),
        toggle("views", say.views),
        h(
            "nav",
            { class: "menu" },
            way("board", root, say.board),
            way("materials", `${root}?materials`, say.materials),
            way("find", `${root}?find`, say.find),
            way("train", `${root}?train`, say.train),
            way("thumb", `${root}?thumb`, say.thumb),
            dialog(say.help, events.help),
        ),
        toggle("look", say.look),
        h(
            "div",
            { class: "menu looks" },
            choice(words.view.letters, document.documentElement.classList.contains("letters"), events.letters),
            choice(words.view.notation, isThai(), events.notation),
            choice(words.view.traditional, isTraditional(), events.men),
            theme,
            speech,
        ),
    ];
    redraw(header, () => header.replaceChildren(...parts));
}
