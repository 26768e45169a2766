// The page: the choice of the view, and the parts that all views share.
import "./style/page.css";
import { onHealth, type Health, server, unlock } from "./api.ts";
import { readShared } from "./address.ts";
import { openExamples, openHelp, openPaste, type Pasted, takeText } from "./dialogs.ts";
import { CompareView } from "./compare.ts";
import { closeDialog, h, part } from "./dom.ts";
import { toggleNotation } from "./notation.ts";
import { EXAMPLES } from "./examples.ts";
import { isEmbedded } from "./embed.ts";
import { Explorer } from "./explorer.ts";
import { restoreLook, showHeader, toggleLetters } from "./header.ts";
import { language, speak, words } from "./language/index.ts";
import { sprite, toggleTraditional } from "./pieces.ts";
import { SetView } from "./set.ts";
import { SetsView } from "./sets.ts";
import { SearchView } from "./search/view.ts";
import { TrainerView } from "./trainer/view.ts";
import { root } from "./root.ts";

type View = "board" | "sets" | "set" | "compare" | "find" | "train";

const pasted: Pasted = {
    fen: (fen) => {
        show("board");
        explorer.set(fen);
    },
    game: (game) => {
        show("board");
        explorer.setGame(game);
    },
};
const explorer = new Explorer(
    () => openPaste(pasted),
    (task) => {
        show("train", `${root}?train`);
        scrollTo(0, 0);
        trainer.begin(task);
    },
);
const sets = new SetsView((material) => openSet(material));
const set = new SetView({
    back: () => openSets(),
    explore: (fen, quiz, more) => {
        show("board");
        explorer.set(fen, quiz, more);
    },
    find: (material) => openSearch(`${root}?find&in=${material}`),
    compare: (one, other) => {
        show("compare", `${root}?set=${one},${other}`);
        scrollTo(0, 0);
        void compare.show([one, other], true);
    },
});
const compare = new CompareView({ back: () => openSets(), open: (material) => openSet(material) });
const search = new SearchView({
    solve: (fen, quiz, more) => {
        show("board");
        explorer.set(fen, quiz, more);
    },
});
const trainer = new TrainerView({
    explore: (fen) => {
        show("board");
        explorer.set(fen);
    },
});
let view: View = "board";

/** Changes to a view; it has its own address to come back to, unless it is entered when it is known. */
function show(next: View, to: string | null = null): void {
    if (to !== null) history.pushState(null, "", to);
    const isReturn = next === "board" && view !== "board";
    view = next;
    const shown = { board: explorer, sets, set, compare, find: search, train: trainer }[next];
    if (part("main").firstChild !== shown.element) part("main").replaceChildren(shown.element);
    header();
    // The language may have changed meanwhile.
    if (isReturn && !explorer.isEmpty) explorer.relabel();
}

function header(): void {
    showHeader(view === "set" || view === "compare" ? "sets" : view, {
        go: (to) => {
            if (to === "sets") {
                openSets();
            } else if (to === "find") {
                openSearch(`${root}?find`);
            } else if (to === "train") {
                show("train", `${root}?train`);
                scrollTo(0, 0);
                trainer.show(true);
            } else if (view !== "board") {
                show("board", explorer.isEmpty ? root : explorer.address);
                if (explorer.isEmpty) void first();
            }
        },
        examples: () =>
            openExamples(
                (example) => {
                    show("board");
                    explorer.set(example.fen, example.quiz);
                },
                (pgn) => takeText(pgn, pasted),
            ),
        help: openHelp,
        speak: (code) => {
            speak(code);
            speaks();
            header();
            banner(health);
            relabel();
        },
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

function letters(): void {
    toggleLetters();
    header();
}

/** Makes the view in the language of the day. */
function relabel(): void {
    if (view === "board") explorer.relabel();
    if (view === "sets") sets.relabel();
    if (view === "set") set.relabel();
    if (view === "compare") compare.relabel();
    if (view === "find") search.relabel();
    if (view === "train") trainer.relabel();
}

/** Sets the language of the document, for the browser and for screen readers. */
function speaks(): void {
    document.documentElement.lang = language;
    document.querySelector('meta[name="description"]')?.setAttribute("content", words.description);
}

function openSets(): void {
    show("sets", `${root}?sets`);
    scrollTo(0, 0);
    sets.show(location.search, true);
}

function openSearch(address: string): void {
    show("find", address);
    scrollTo(0, 0);
    search.show(location.search, true);
}

function openSet(material: string): void {
    show("set", `${root}?set=${material}`);
    scrollTo(0, 0);
    void set.show(material, true);
}

/** A position to begin with: the first example whose ending is there. */
async function first(): Promise<void> {
    const [wanted] = EXAMPLES;
    explorer.begin(wanted!.fen);
    try {
        const { sets } = await server.sets();
        const there = new Set(sets.filter(({ totals }) => totals).map(({ material }) => material));
        const example = EXAMPLES.find(({ set }) => there.has(set)) ?? wanted!;
        if (explorer.fen === wanted!.fen && example !== wanted) explorer.begin(example.fen);
    } catch {
        // The first example stays.
    }
}

function route(): void {
    const address = new URLSearchParams(location.search);
    const fen = address.get("fen");
    const material = address.get("set");
    if (material?.includes(",")) {
        show("compare");
        void compare.show(material.split(",").slice(0, 2));
    } else if (material) {
        show("set");
        void set.show(material);
    } else if (address.has("sets")) {
        show("sets");
        sets.show(location.search);
    } else if (address.has("find")) {
        show("find");
        search.show(location.search);
    } else if (address.has("train")) {
        show("train");
        trainer.show();
    } else {
        show("board");
        if (fen) explorer.open(fen.replaceAll("_", " "), readShared(location.hash));
        else void first();
    }
}

let health: Health = "well";

/** Says that the server is away, back, or wants a token. */
function banner(now: Health): void {
    const was = health;
    health = now;
    const box = part("banner");
    const say = words.health;
    box.className = now;
    box.hidden = now === "well" && was === "well";
    if (now === "away") {
        box.replaceChildren(say.away);
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
        box.replaceChildren(say.back);
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
        ArrowLeft: () => explorer.go("back"),
        ArrowRight: () => explorer.go("forward"),
        Home: () => explorer.go("start"),
        End: () => explorer.go("end"),
        f: () => explorer.flip(),
        e: () => explorer.toggleSetup(),
        l: letters,
        "?": openHelp,
    };
    if (event.key === " " && !on.closest("button, a, summary")) explorer.best();
    else if (acts[event.key]) acts[event.key]!();
    else return;
    event.preventDefault();
}

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
    takeText(text, pasted);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file?.text() ?? Promise.resolve(event.dataTransfer?.getData("text/plain") ?? "");
    void text.then((text) => text.trim() !== "" && takeText(text, pasted));
});
route();
// In a frame of another page there is nothing to install.
if (!isEmbedded()) void navigator.serviceWorker?.register("worker.js").catch(() => {});
