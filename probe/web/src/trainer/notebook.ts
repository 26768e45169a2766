// The notebook of own mistakes: a list, and a file of games to keep it elsewhere.
import { server } from "../api.ts";
import { actButton, download, h } from "../dom.ts";
import { words } from "../language/index.ts";
import { gameText, pgnFile } from "../pgn-text.ts";
import type { Memo, Memory } from "./memory.ts";
import { taskBefore } from "./task.ts";

/** The mistakes as games, each of the one move that was the mistake. */
export const mistakesFile = (mistakes: Memo[]): Blob =>
    pgnFile(mistakes.map(({ game, fen, slip }) => gameText(game!, fen, `${slip}??`)));

/** Adds the mistakes of a file: the first moves of its games. Returns what it read. */
export async function readMistakes(memory: Memory, file: Blob): Promise<string> {
    const { games } = await server.analyse(await file.text());
    const tasks = games.flatMap((game) => {
        if (game.status === "refused") return [];
        const [first] = game.positions;
        const event = game.tags.find(([name]) => name === "Event")?.[1];
        return (first && taskBefore(first, event ?? "")) ?? [];
    });
    for (const task of tasks) memory.add(task);
    return words.trainer.mistakesRead(tasks.length, games.length);
}

/** The part of the trainer's view. */
export function drawNotebook(
    mistakes: Memo[],
    button: (memo: Memo) => HTMLElement,
    read: (file: Blob) => void,
): HTMLElement[] {
    const say = words.trainer;
    const file = h("input", { type: "file", accept: ".pgn,.txt,text/plain", hidden: true, id: "mistakes-file" });
    file.addEventListener("change", () => file.files?.[0] && read(file.files[0]));
    const save = actButton("save-mistakes", words.search.save, () => download(mistakesFile(mistakes), "mistakes.pgn"));
    save.disabled = mistakes.length === 0;
    return [
        h("h2", {}, say.mistakes),
        h("p", { class: "muted" }, say.mistakesIntro),
        h("ol", { class: "lessons" }, ...mistakes.map((memo) => h("li", {}, button(memo)))),
        h(
            "div",
            { class: "buttons" },
            file,
            save,
            actButton("open-mistakes", words.paste.file, () => file.click()),
        ),
    ];
}
