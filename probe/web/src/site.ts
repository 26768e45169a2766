// The answers of a site without a server: positions from the tables, by the prober in WebAssembly; the rest from files
// that were made beforehand. It is built into a file of its own, which only such a site loads.
import { open, ProbeError, type Tablebase } from "../../wasm/npm/src/index.ts";
import type {
    Answerer,
    BatchItem,
    Explored,
    Game,
    Glimpse,
    Known,
    Line,
    Mistake,
    Problem,
    Save,
    MaterialList,
    Side,
    SiteTools,
    Statistics,
} from "./api.ts";
import { countMen, readFen } from "./position.ts";

/** The most men of tables that hold both sides to move: with more, a verdict may be derived from those after moves. */
const DERIVED = 4;

/** The failures that pass: the host is not there, or slow. */
const PASSING = ["network", "timeout"];

/** The number of times that a question fails at tables although the site itself answers, before that is an error. */
const ATTEMPTS = 2;

/** Milliseconds after which the page has what it shows first. */
const SETTLED = 3000;

/** The materials of up to `men` men that a site has. */
function materials({ tables }: Tablebase, men: number): string[] {
    const names = tables.map((table) => table.split(".")[0]!);
    return [...new Set(names)].filter((name) => name.replace("v", "").length <= men);
}

let opened: Promise<Tablebase> | null = null;

/** The tables, opened when they are first asked for: the page's first script does so, while the page arrives. */
export function openTables(root: string): Promise<Tablebase> {
    if (!opened) {
        opened = open(new URL(root, location.href), { wasm: new URL(`${root}makruk.wasm`, location.href) });
        opened.then(
            // The small ones come once the page has what it shows first; the others when they are needed.
            (tables) => setTimeout(() => void tables.keep(materials(tables, 3)).catch(() => {}), SETTLED),
            () => (opened = null),
        );
    }
    return opened;
}

/** Asks the tables and the files of a site. */
export function answerer({ root, refuse, isThere, away, well }: SiteTools): Answerer {
    const tables = () => openTables(root);

    /** Asks until there is an answer, however long the host cannot be reached. */
    async function ask<T>(question: (tables: Tablebase) => Promise<unknown>, signal?: AbortSignal): Promise<T> {
        let [failures, changes] = [0, 0];
        for (;;) {
            try {
                const answer = await question(await tables());
                well();
                return answer as T;
            } catch (error) {
                if (signal?.aborted || !(error instanceof ProbeError)) throw error;
                const { file, message, details } = error;
                const mistake: Mistake = { ...(details as Mistake), ...(file !== undefined && { file }) };
                const fail = (reason: string) =>
                    refuse(message, reason, (details["problems"] ?? []) as Problem[], mistake);
                if (error.reason === "changed") {
                    // Tables that were replaced fit a guide that is read again. A file that was cut short fits none.
                    opened = null;
                    if (changes > 0) throw fail("misfit");
                    changes += 1;
                } else if (!PASSING.includes(error.reason)) {
                    // The file of the prober is missing like any other.
                    throw fail(error.reason === "no_module" ? "no_file" : error.reason);
                } else if (await isThere()) {
                    // The site answers: its tables, which may be elsewhere, do not.
                    failures += 1;
                    if (failures >= ATTEMPTS) throw fail("out_of_reach");
                } else {
                    await away();
                }
            }
        }
    }

    /** A file that was made beforehand. */
    async function file<T>(path: string, signal?: AbortSignal): Promise<T> {
        for (;;) {
            let answer: Response;
            try {
                answer = await fetch(`${root}answers/${path}.json`, signal ? { signal } : {});
            } catch (error) {
                if (signal?.aborted) throw error;
                await away();
                continue;
            }
            if (answer.status === 404)
                throw refuse(`there are no tables of ${path.split("/").at(-1)} here`, "missing_table");
            if (!answer.ok) throw refuse(`${answer.status} ${answer.statusText}`, "unreadable");
            well();
            return (await answer.json()) as T;
        }
    }

    return {
        explore: async (fen, signal, counts = null, early) => {
            // A result needs a few requests, a verdict up to thirty from five men on, all moves a hundred and more.
            const soon = async <T extends Known | Glimpse>(question: (tables: Tablebase) => Promise<unknown>) => {
                try {
                    const known = await ask<T>(question, signal);
                    early?.(known);
                    return known.category;
                } catch (error) {
                    // A position without a verdict has moves, or its refusal comes again.
                    if (signal.aborted) throw error;
                    return null;
                }
            };
            if (early && counts === null) {
                const isGlimpsed = countMen(readFen(fen).squares) > DERIVED;
                const glimpse = async (tables: Tablebase) => ({
                    ...(await tables.category(fen, { signal })),
                    status: "glimpsed",
                });
                // A draw has no figures to wait for.
                if (!isGlimpsed || (await soon<Glimpse>(glimpse)) !== "draw")
                    await soon<Known>((tables) => tables.probe(fen, { signal }));
            }
            return ask<Explored>((tables) => tables.explore(fen, { signal, counts }), signal);
        },
        line: (fen) => ask<Line>((tables) => tables.line(fen, { maxPlies: 400 })),
        analyse: (pgn, from) =>
            ask<{ games: Game[] }>(async (tables) => ({ games: await tables.analyse(pgn, from ? { from } : {}) })),
        batch: (fens, signal) => ask<BatchItem[]>((tables) => tables.batch(fens, { signal }), signal),
        materials: () => file<MaterialList>("materials"),
        statistics: (material, _, signal) => file<Statistics>(`statistics/${material}`, signal),
        find: () => Promise.reject(refuse("a search reads whole tables: it needs a server", "needs_server")),
        saveCounts: (material, signal) => file<Record<Side, { saves: number }>>(`counts/${material}`, signal),
        saves: (material, signal) => file<{ saves: Save[] }>(`saves/${material}`, signal),
        keep: (men, heard) => ask<void>((tables) => tables.keep(materials(tables, men), { onProgress: heard })),
        isKept: async (men) => {
            const opened = await tables();
            return opened.isKept(materials(opened, men));
        },
    };
}
