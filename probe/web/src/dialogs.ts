// What opens above the page: pasting, examples, help.
import type { Game } from "./api.ts";
import { Refusal, server } from "./api.ts";
import { h, part } from "./dom.ts";
import { EXAMPLES, type Example, GAME } from "./examples.ts";
import { words } from "./language/index.ts";
import { drawMan } from "./pieces.ts";

function open(...content: (Node | string)[]): HTMLDialogElement {
    const dialog = part<HTMLDialogElement>("dialog");
    dialog.replaceChildren(...content);
    dialog.showModal();
    return dialog;
}

const closer = (label: string) =>
    h(
        "button",
        {
            type: "button",
            class: "close",
            "aria-label": label,
            onclick: () => part<HTMLDialogElement>("dialog").close(),
        },
        "×",
    );

export interface Pasted {
    fen: (fen: string) => void;
    game: (game: Game) => void;
}

/** One line with a board of eight ranks, or something that wants to be one. */
export const looksLikeFen = (text: string): boolean => /^\s*[^\s[\]{}.]*\/[^\n]*$/.test(text) && !/^\s*\[/m.test(text);

/** Takes a text for a position or for games; says what is wrong with it where it is told to. */
export async function take(
    text: string,
    pasted: Pasted,
    refuse: (sentence: string) => void,
    choose: (games: Game[]) => void,
) {
    if (text.trim() === "") return refuse(words.paste.empty);
    if (looksLikeFen(text)) return pasted.fen(text.trim());
    try {
        const { games } = await server.analyse(text);
        const [only] = games;
        if (!only) refuse(words.paste.empty);
        else if (games.length > 1) choose(games);
        else if (only.error) refuse(only.error);
        else pasted.game(only);
    } catch (error) {
        refuse(error instanceof Refusal ? error.message : String(error));
    }
}

export function openPaste(pasted: Pasted, text = ""): void {
    const say = words.paste;
    const area = h("textarea", {
        id: "paste-text",
        rows: "10",
        spellcheck: "false",
        "aria-describedby": "paste-problem",
        value: text,
    });
    const problem = h("p", { id: "paste-problem", class: "problem-text", role: "alert" });
    const list = h("div", { class: "game-list" });
    const file = h("input", {
        type: "file",
        accept: ".pgn,.fen,.txt,text/plain",
        class: "offscreen",
        id: "paste-file",
        tabindex: "-1",
    });
    const form = h(
        "form",
        { method: "dialog" },
        h("h2", {}, say.title),
        h("label", { for: "paste-text", class: "muted" }, say.hint),
        area,
        problem,
        list,
        h(
            "div",
            { class: "buttons" },
            file,
            h("button", { type: "button", onclick: () => file.click() }, say.file),
            h("span", { class: "gap" }),
            h("button", { type: "button", onclick: () => dialog.close() }, say.cancel),
            h("button", { type: "submit", class: "primary" }, say.open),
        ),
    );
    const closing: Pasted = {
        fen: (fen) => (dialog.close(), pasted.fen(fen)),
        game: (game) => (dialog.close(), pasted.game(game)),
    };
    const refuse = (sentence: string) => {
        problem.textContent = sentence;
        area.setAttribute("aria-invalid", "true");
    };
    const choose = (games: Game[]) => {
        const name = (game: Game) => {
            const tag = (name: string) => game.tags?.find(([found]) => found === name)?.[1] ?? "?";
            return game.error ?? `${game.game}. ${tag("White")} – ${tag("Black")}, ${tag("Date")}, ${game.result}`;
        };
        const entry = (game: Game) =>
            h(
                "button",
                { type: "button", disabled: game.error !== undefined, onclick: () => closing.game(game) },
                name(game),
            );
        list.replaceChildren(h("h3", {}, say.choose), ...games.map(entry));
    };
    const read = () => {
        problem.textContent = "";
        area.removeAttribute("aria-invalid");
        void take(area.value, closing, refuse, choose);
    };
    file.addEventListener("change", async () => {
        area.value = (await file.files?.[0]?.text()) ?? "";
        read();
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        read();
    });
    const dialog = open(form);
    area.focus();
    if (text) read();
}

export function openExamples(show: (example: Example) => void, game: (pgn: string) => void): void {
    const say = words.examples;
    const pick = (then: () => void) => () => {
        dialog.close();
        then();
    };
    const entry = (example: Example) =>
        h(
            "li",
            {},
            h(
                "button",
                { type: "button", class: "example", onclick: pick(() => show(example)) },
                h("b", {}, say.about[example.about]),
                h(
                    "span",
                    { class: "muted" },
                    `${example.set} · ${example.quiz === "win" ? say.findWin : say.findDraw}`,
                ),
            ),
        );
    const dialog = open(
        h("h2", {}, say.title),
        closer(words.help.close),
        h(
            "ul",
            { class: "examples" },
            ...EXAMPLES.map(entry),
            h(
                "li",
                {},
                h(
                    "button",
                    { type: "button", class: "example", onclick: pick(() => game(GAME)) },
                    h("b", {}, say.game),
                    h("span", { class: "muted" }, "SchemingMind, 2023 · PGN"),
                ),
            ),
        ),
    );
}

export function openHelp(): void {
    const say = words.help;
    open(
        h("h2", {}, say.title),
        closer(say.close),
        ...say.body.map((paragraph) => h("p", {}, paragraph)),
        h("h3", {}, say.men),
        h(
            "ul",
            { class: "men-list" },
            ...say.menBody.map(([role, text]) =>
                h("li", {}, drawMan(role), drawMan(role.toLowerCase()), h("span", {}, text)),
            ),
        ),
        h("h3", {}, say.keys),
        h(
            "dl",
            { class: "keys" },
            ...say.keysBody.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key!)), h("dd", {}, text!)]),
        ),
    );
}
