// The dialogs: pasting and help; and the card of a game that was pasted.
import { read } from "./answers.ts";
import type { Game, MaterialList, ReadGame } from "./api.ts";
import { Refusal, refusalOf, server } from "./api.ts";
import { closeDialog, h, openDialog } from "./dom.ts";
import { boardIn, fensIn, lineIn } from "./fen.ts";
import { type FoundGame, gamesIn, pause } from "./games.ts";
import { words } from "./language/index.ts";
import { drawMan } from "./pieces.ts";
import { isSite, root } from "./root.ts";
import { why } from "./verdict.ts";

export { GameCard } from "./game.ts";

/** Characters from which on a text is too long for a field, which would draw it all. */
const LONG = 100_000;
/** Games that are listed at a time. */
const LISTED = 200;

/** A game to try, whose positions have tables in every folder of four men. */
const EXAMPLE = `[FEN "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1"]

1. Re1 Kf2 2. Rb1 Kf3 3. Kb2 Ke2 4. Kc3 Sf4 5. Rb2+ Kf3 6. Kd4 Kg3 7. Rf2 Kxf2 1/2-1/2`;

const closer = (label: string) => h("button", { class: "close", "aria-label": label, onclick: closeDialog }, "×");

export interface Pasted {
    fen: (fen: string) => void;
    game: (game: ReadGame) => void;
    /** A link to a line: its position, and the part after the #. */
    line: (fen: string, link: string) => void;
    /** The position on the board, from which moves without a tag are played, if it is legal. */
    board: () => string | undefined;
}

/** The receivers of a pasted text, and of the reason if nothing receives it. */
interface Taking {
    pasted: Pasted;
    refuse: (why: (Node | string)[]) => void;
    /** One of several is to be chosen. */
    choose: (entries: { name: string; take: () => void }[]) => void;
}

/** Takes a FEN if the server can read it; else the board stays as it is. */
async function takeFen(fen: string, { pasted, refuse }: Taking): Promise<void> {
    const answer = await read(fen);
    if (!(answer instanceof Refusal)) pasted.fen(answer.fen);
    // An illegal setup is shown all the same: it can be corrected on the board.
    else if (answer.problems.length > 0) pasted.fen(boardIn(fen));
    else refuse(why(answer));
}

/** A game of several in a line: its players, else its event. */
function nameOf({ text, tags }: FoundGame, at: number): string {
    const tag = (name: string) => {
        const value = tags.get(name) ?? "";
        return /^[?.*]*$/.test(value) ? "" : value;
    };
    const [white, black] = [tag("White"), tag("Black")];
    const players = white || black ? `${white || "?"} – ${black || "?"}` : "";
    const about = [players, tag("Event"), tag("Date")].filter(Boolean).join(", ") || tag("FEN") || text.slice(0, 60);
    return [`${at + 1}. ${about}`, tag("Result")].filter(Boolean).join(", ");
}

/** Reads a game. A text without tags may have several. */
async function takeGame(text: string, { pasted, refuse, choose }: Taking): Promise<void> {
    try {
        const { games } = await server.analyse(text, pasted.board());
        const show = (game: Game) => {
            if (game.status === "refused") refuse(why(new Refusal(game.error, game.reason, [], game)));
            else pasted.game(game);
        };
        const named = (game: Game, at: number) =>
            game.status === "refused" ? game.error : nameOf({ text: game.positions[0]!.fen, tags: new Map() }, at);
        if (games.length > 1) choose(games.map((game, at) => ({ name: named(game, at), take: () => show(game) })));
        else if (games[0]) show(games[0]);
        else refuse([words.paste.empty]);
    } catch (error) {
        refuse(why(refusalOf(error)));
    }
}

/** Reads a text as a position or as games; shows its problem at the given place. */
async function take(text: string, taking: Taking): Promise<void> {
    const { pasted, refuse, choose } = taking;
    if (text.trim() === "") return refuse([words.paste.empty]);
    const line = lineIn(text);
    if (line) return pasted.line(line.fen, line.link);
    const fens = text.length < LONG ? fensIn(text) : [];
    if (fens.length === 1) return takeFen(fens[0]!, taking);
    if (fens.length > 1) return choose(fens.map((fen) => ({ name: fen, take: () => void takeFen(fen, taking) })));
    if (/^\s*https?:\S*\s*$/.test(text)) return refuse([words.paste.empty]);
    const games = await gamesIn(text);
    if (games.length === 1) return takeGame(text, taking);
    choose(games.map((game, at) => ({ name: nameOf(game, at), take: () => void takeGame(game.text, taking) })));
}

/** The text of a file: in UTF-8, in UTF-16 with its mark, or as old programs for Windows write Thai. */
export async function textOf(file: Blob): Promise<string> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const mark = `${bytes[0]} ${bytes[1]}`;
    if (mark === "255 254" || mark === "254 255")
        return new TextDecoder(mark === "255 254" ? "utf-16le" : "utf-16be").decode(bytes);
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("windows-874").decode(bytes);
    }
}

/** Takes a text that was pasted or dropped; the dialog opens only if there is something to ask or to say. */
export function takeText(text: string, pasted: Pasted): void {
    let form: Taking | null = null;
    const opened = () => (form ??= openPaste(pasted, text));
    const [refuse, choose]: [Taking["refuse"], Taking["choose"]] = [
        (why) => opened().refuse(why),
        (entries) => opened().choose(entries),
    ];
    void take(text, { pasted: closing(pasted), refuse, choose });
}

/** Closes the dialog when something is taken. */
const closing = (pasted: Pasted): Pasted => ({
    ...pasted,
    line: (fen, link) => (closeDialog(), pasted.line(fen, link)),
    fen: (fen) => (closeDialog(), pasted.fen(fen)),
    game: (game) => (closeDialog(), pasted.game(game)),
});

export function openPaste(pasted: Pasted, text = ""): Taking {
    const say = words.paste;
    /** A text that is too long to be shown in the field. */
    let long = "";
    const area = h("textarea", {
        id: "paste-text",
        rows: "10",
        spellcheck: "false",
        "aria-describedby": "paste-problem",
        oninput: () => (long = ""),
        onpaste: (event: ClipboardEvent) => {
            const pasted = event.clipboardData?.getData("text/plain") ?? "";
            if (pasted.length < LONG) return;
            event.preventDefault();
            fill(pasted);
            read();
        },
    });
    const problem = h("p", { id: "paste-problem", class: "problem-text", role: "alert" });
    const list = h("div", { class: "game-list" });
    const file = h("input", { type: "file", accept: ".pgn,.fen,.txt,text/plain", hidden: true, id: "paste-file" });
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
            h("button", { onclick: () => file.click() }, say.file),
            h("button", { onclick: () => (fill(EXAMPLE), read()) }, say.example),
            h("span", { class: "gap" }),
            h("button", { onclick: closeDialog }, say.cancel),
            h("button", { type: "submit", class: "primary" }, say.open),
        ),
    );
    const refuse = (why: (Node | string)[]) => {
        problem.replaceChildren(...why);
        area.setAttribute("aria-invalid", "true");
    };
    const choose: Taking["choose"] = (entries) => {
        const title = h("h3", {}, say.choose);
        list.replaceChildren(title);
        const add = async () => {
            for (let at = 0; at < entries.length && title.isConnected; at += LISTED) {
                const some = entries.slice(at, at + LISTED);
                list.append(...some.map(({ name, take }) => h("button", { onclick: take }, name)));
                await pause();
            }
        };
        void add();
    };
    const taking = { pasted: closing(pasted), refuse, choose };
    const fill = (text: string) => {
        [area.value, long] = text.length < LONG ? [text, ""] : ["", text];
    };
    const read = () => {
        problem.textContent = "";
        list.replaceChildren();
        area.removeAttribute("aria-invalid");
        void take(long || area.value, taking);
    };
    file.addEventListener("change", async () => {
        const [chosen] = file.files ?? [];
        fill(chosen ? await textOf(chosen) : "");
        read();
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        read();
    });
    fill(text);
    openDialog(form);
    area.focus();
    return taking;
}

export function openHelp(): void {
    const say = words.help;
    const { nav, materials, search, trainer, thumb } = words;
    const views: [string, string][] = [
        [nav.materials, materials.intro],
        [nav.find, search.intro],
        [nav.train, trainer.intro],
        [nav.thumb, thumb.intro],
    ];
    const tables = h("p", {});
    const counted = ({ materials, checksum }: MaterialList) => {
        const there = materials.filter(({ totals }) => totals);
        const solved = words.solved(there.length, Math.max(0, ...there.map(({ men }) => men)));
        tables.replaceChildren(`${solved} ${words.checksum}: `, h("code", {}, checksum));
    };
    server.materials().then(counted, () => {});
    openDialog(
        h("h2", {}, say.title),
        closer(say.close),
        ...say.body.map((paragraph) => h("p", {}, paragraph)),
        h("h3", {}, words.nav.views),
        h("dl", { class: "keys" }, ...views.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
        tables,
        ...(navigator.serviceWorker ? [h("p", {}, say.offline)] : []),
        ...(isSite ? [] : [h("p", {}, h("a", { href: `${root}v1/openapi.json` }, say.programs))]),
        h("h3", {}, say.men),
        h(
            "ul",
            { class: "men-list" },
            ...say.menBody.map(([role, text]) =>
                h("li", {}, drawMan(role), drawMan(role.toLowerCase()), h("span", {}, text)),
            ),
        ),
        h(
            "div",
            { class: "keys-only" },
            h("h3", {}, say.keys),
            h(
                "dl",
                { class: "keys" },
                ...say.keysBody.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key!)), h("dd", {}, text!)]),
            ),
        ),
    );
}
