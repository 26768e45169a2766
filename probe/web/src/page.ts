// The page: the choice of the view, and the parts that all views share.
import { onHealth, type Health, server, unlock } from "./api.ts";
import { addressOf, readShared } from "./address.ts";
import type { Pasted } from "./dialogs.ts";
import { closeDialog, h, openDialog, part } from "./dom.ts";
import { toggleNotation } from "./notation.ts";
import { isEmbedded } from "./embed.ts";
import { Explorer } from "./explorer.ts";
import { openFrame, tellFrame } from "./frame.ts";
import { restoreLook, showHeader, toggleLetters } from "./header.ts";
import { change, keepWords, language, words } from "./language/index.ts";
import { showMen, sprite, toggleTraditional } from "./pieces.ts";
import { failure } from "./failure.ts";
import { loadFiles } from "./files.ts";
import { Later, load, type View } from "./parts.ts";
import type { Task } from "./trainer/task.ts";
import { welcome } from "./welcome.ts";
import { isSite, root } from "./root.ts";

const pasted: Pasted = {
    line: (fen, link) => {
        showBoard();
        explorer.open(fen, readShared(link), "new");
    },
    board: () => explorer.walk.explored?.fen,
    fen: explore,
    game: (game) => {
        showBoard();
        explorer.walk.setGame(game);
    },
};
let explorer: Explorer;

/** Changes to the board, which may be out of sight. */
function showBoard(): void {
    show("board");
    scrollTo(0, 0);
}

/** Shows a position on the board. */
function explore(fen: string): void {
    showBoard();
    explorer.walk.set(fen);
}

/** Begins a task; others may follow. */
function solve(task: Task, more: Task[] = []): void {
    show("train");
    scrollTo(0, 0);
    views.train.use((view) => view.begin(task, more));
}

const later = <V extends View>(make: (views: typeof import("./views.ts")) => V) =>
    new Later(async () => make(await load("views")));

/** The views besides the board's, by the names that addresses have for them. */
const views = {
    material: later(
        ({ MaterialView }) =>
            new MaterialView({
                back: () => enter("materials"),
                explore,
                solve,
                find: (material) => enter("find", `&in=${material}`),
                guess: (material) => enter("guess", `=${material}`),
            }),
    ),
    materials: later(({ MaterialsView }) => new MaterialsView((material) => enter("material", `=${material}`))),
    find: later(({ SearchView }) => new SearchView({ explore, solve })),
    guess: later(({ GuessView }) => new GuessView(explore)),
    thumb: later(({ ThumbView }) => new ThumbView()),
    train: later(({ TrainerView }) => new TrainerView({ explore, guess: () => enter("guess") })),
};
type Name = keyof typeof views;
let view: "board" | Name = "board";

/** Changes to a view; it has its own address to come back to, unless it is entered when it is known. */
function show(next: "board" | Name, to: string | null = null): void {
    if (to !== null) history.pushState(null, "", to);
    const isReturn = next === "board" && view !== "board";
    greeting?.remove();
    view = next;
    const { element } = next === "board" ? explorer : views[next];
    if (part("main").firstChild !== element) part("main").replaceChildren(element);
    header();
    // The language may have changed meanwhile.
    if (isReturn && !explorer.walk.isEmpty) explorer.relabel();
}

/** The version of the program that this page is built for, set by build.mjs. */
declare const VERSION: string;

function header(): void {
    const about = h("button", { class: "small", onclick: help }, words.help.title);
    part("footer").replaceChildren(h("p", { class: "muted" }, `${words.about(VERSION)} `, about));
    showHeader(view === "material" ? "materials" : view === "guess" ? "train" : view, {
        go: (to) => {
            if (to !== "board") {
                enter(to);
            } else if (view !== "board") {
                show("board", explorer.walk.isEmpty ? root : addressOf(explorer.walk.fen));
                if (explorer.walk.isEmpty) void first();
            }
        },
        help,
        speak: (code) => void speakIn(code),
        letters,
        notation: () => {
            toggleNotation();
            header();
            relabel();
        },
        men: () => {
            toggleTraditional();
            header();
        },
    });
}

/** Changes the language, if its words can be had. */
async function speakIn(code: string): Promise<void> {
    try {
        await loadFiles((mark) => change(code, mark));
        void keepWords().catch(() => {});
    } catch (error) {
        const again = () => (closeDialog(), void speakIn(code));
        openDialog(...failure(error, again));
    }
    speaks();
    showMen();
    header();
    banner(health);
    relabel();
}

/** Milliseconds after which a dialog says that its file is still on its way. */
const SLOW = 300;

/** Opens a dialog, at once or when its file is there; the dialog says if it cannot be had. */
function dialog(open: (dialogs: typeof import("./dialogs.ts")) => void): void {
    let isWaiting = false;
    const slow = setTimeout(() => {
        isWaiting = true;
        openDialog(h("p", { class: "muted", role: "status" }, words.verdict.waiting));
    }, SLOW);
    const arrived = () => {
        clearTimeout(slow);
        if (isWaiting) closeDialog();
    };
    load("dialogs").then(
        (dialogs) => {
            arrived();
            open(dialogs);
        },
        (error: unknown) => {
            arrived();
            openDialog(...failure(error, () => (closeDialog(), dialog(open))));
        },
    );
}

const help = () => dialog(({ openHelp }) => openHelp());

/** Takes a text that was pasted or dropped. */
const take = (text: string) => dialog(({ takeText }) => takeText(text, pasted));

function letters(): void {
    toggleLetters();
    header();
}

/** Makes the view in the language of the day. */
function relabel(): void {
    if (greeting?.isConnected) {
        greeting.remove();
        greet();
    }
    (view === "board" ? explorer : views[view]).relabel();
}

/** Sets the language of the document, for the browser and for screen readers. */
function speaks(): void {
    document.documentElement.lang = language;
    document.querySelector('meta[name="description"]')?.setAttribute("content", words.description);
}

/** Goes to a view by a link of the page: with an address of its own, at its top. */
function enter(next: Name, more = ""): void {
    show(next, `${root}?${next}${more}`);
    scrollTo(0, 0);
    views[next].show(true);
}

/** Positions to begin with, and the tables that they need. */
const FIRST = [
    ["1K6/8/5k2/8/1R6/4R3/7r/8 b - - 0 1", "KRRvKR"],
    ["8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", "KRvKS"],
    ["8/6k1/8/8/8/8/2K5/R7 w - 32 11 1", "KRvK"],
] as const;

/** Begins with the first position whose table is there. */
async function first(): Promise<void> {
    const [[wanted]] = FIRST;
    explorer.walk.set(wanted, "same");
    try {
        const { materials } = await server.materials();
        const there = new Set(materials.filter(({ totals }) => totals).map(({ material }) => material));
        const [fen] = FIRST.find(([, material]) => there.has(material)) ?? [wanted];
        if (explorer.walk.fen === wanted && fen !== wanted) explorer.walk.set(fen, "same");
    } catch {
        // The first one stays.
    }
}

function route(): void {
    const address = new URLSearchParams(location.search);
    const fen = address.get("fen");
    const next = (Object.keys(views) as Name[]).find((name) => address.has(name));
    if (next) {
        show(next);
        views[next].show(false);
    } else {
        show("board");
        if (fen) {
            explorer.open(fen.replaceAll("_", " "), readShared(location.href));
        } else {
            if (!isEmbedded()) greet();
            void first();
        }
    }
}

/** Greets those who came to the page itself, not to a position. */
function greet(): void {
    greeting = welcome({
        solve: () => enter("train", "=daily"),
        lookUp: () => {
            greeting?.remove();
            greeting = null;
            explorer.toggleSetup();
            explorer.element.scrollIntoView();
        },
        learn: () => enter("train"),
        thumb: () => enter("thumb"),
    });
    explorer.greet(greeting);
}

let greeting: HTMLElement | null = null;
let health: Health = "well";

/** Says that the server cannot be reached, is back, or requires a token. */
function banner(now: Health): void {
    const was = health;
    health = now;
    const box = part("banner");
    const say = words.health;
    box.className = now;
    box.hidden = now === "well" && was === "well";
    if (now === "away") {
        box.replaceChildren(!isSite ? say.away : navigator.onLine ? say.siteAway : say.offline);
    } else if (now === "locked") {
        const token = h("input", { type: "password", id: "token", autocomplete: "current-password" });
        const form = h(
            "form",
            {},
            h("label", { for: "token" }, `${say.locked} ${say.token}`),
            token,
            h("button", { type: "submit" }, say.unlock),
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            unlock(token.value);
        });
        box.replaceChildren(form);
    } else if (was === "away") {
        box.replaceChildren(isSite ? say.siteBack : say.back);
        setTimeout(() => (box.hidden = health === "well"), 3000);
    } else {
        box.hidden = true;
    }
}

/** Keys that have the same meaning everywhere, unless the focused element takes them. */
function key(event: KeyboardEvent): void {
    const on = event.target as HTMLElement;
    const isTyping = on.closest("input:not([type=radio]), textarea, select, dialog[open]");
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping || view !== "board") return;
    if (on.closest("input[type=radio]") && event.key.startsWith("Arrow")) return;
    const acts: Record<string, () => void> = {
        ArrowLeft: () => explorer.walk.go("back"),
        ArrowRight: () => explorer.walk.go("forward"),
        Home: () => explorer.walk.go("start"),
        End: () => explorer.walk.go("end"),
        f: () => explorer.walk.flip(),
        e: () => explorer.toggleSetup(),
        l: letters,
        "?": help,
    };
    if (event.key === " " && !on.closest("button, a, summary")) explorer.walk.best();
    else if (acts[event.key]) acts[event.key]!();
    else return;
    event.preventDefault();
}

/** Milliseconds after which the service worker is installed although no position has its answer. */
const PATIENCE = 3000;

/** Installs the service worker after the first answer: the files that it keeps must not delay what is shown first. */
function installLater(): void {
    const install = () => {
        clearTimeout(late);
        explorer.answered = null;
        const register = () => navigator.serviceWorker?.register("worker.js");
        void keepWords()
            .then(register, register)
            .catch(() => {});
    };
    const late = setTimeout(install, PATIENCE);
    explorer.answered = (state) => state && install();
}

/** Begins, when the words of the language are there. */
export function begin(): void {
    explorer = new Explorer(
        () => dialog(({ openPaste }) => openPaste(pasted)),
        solve,
        () => enter("thumb"),
    );
    addEventListener("help", help);
    restoreLook();
    if (isEmbedded()) document.documentElement.classList.add("embedded");
    speaks();
    document.body.prepend(sprite());
    onHealth(banner);
    addEventListener("keydown", key);
    addEventListener("popstate", route);
    // A button that was clicked gives the keyboard back, so that Space plays on.
    addEventListener("click", (event) => {
        const button = (event.target as Element).closest("button");
        if (event.detail > 0 && button && !button.closest("dialog")) button.blur();
    });
    part<HTMLDialogElement>("dialog").addEventListener("click", (event) => {
        if (event.target === event.currentTarget) closeDialog();
    });
    addEventListener("paste", (event) => {
        if ((event.target as Element).closest?.("input, textarea")) return;
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (text.trim() === "") return;
        event.preventDefault();
        take(text);
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        const text = event.dataTransfer?.getData("text/plain") ?? "";
        if (file) dialog(({ textOf }) => void textOf(file).then(take));
        else if (text.trim() !== "") take(text);
    });
    route();
    if (isEmbedded() && parent !== window) {
        explorer.answered = tellFrame;
        openFrame({
            set: pasted.fen,
            game: (game, ply) => {
                show("board");
                explorer.walk.setGame(game);
                explorer.walk.toGame(ply);
            },
            turn: (isFlipped) => isFlipped !== explorer.walk.flipped && explorer.walk.flip(),
        });
    }
    // In a frame of another page there is nothing to install.
    if (!isEmbedded()) installLater();
}
