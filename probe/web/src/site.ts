// The answers of a site without a server: positions from the tables, by the prober in WebAssembly; the rest from files that
// were made beforehand. It is built into a file of its own, which only such a site loads.
import { open, ProbeError, type Tablebase } from "../../wasm/npm/src/index.ts";
import type {
    Answerer,
    Explored,
    Game,
    Line,
    Mistake,
    Problem,
    Save,
    SetEntry,
    Side,
    SiteTools,
    Statistics,
    Verdict,
} from "./api.ts";

/** The failures that pass: the host is not there, or slow. */
const PASSING = ["network", "timeout"];

/** Milliseconds after which the page has what it shows first. */
const SETTLED = 3000;

/** The materials of up to so many men that a site has. */
function materials({ tables }: Tablebase, men: number): string[] {
    const names = tables.map((table) => table.split(".")[0]!);
    return [...new Set(names)].filter((name) => name.replace("v", "").length <= men);
}

/** Asks the tables and the files of a site. */
export function answerer({ root, refuse, away, well }: SiteTools): Answerer {
    let opened: Promise<Tablebase> | null = null;
    /** The tables, opened when they are first asked. */
    const tables = (): Promise<Tablebase> => {
        if (!opened) {
            opened = open(new URL(root, location.href), { wasm: new URL(`${root}makruk.wasm`, location.href) });
            opened.then(
                // The small ones at once, when the page has what it shows first. What is not kept is fetched when it is asked.
                (tables) => setTimeout(() => void tables.keep(materials(tables, 3)).catch(() => {}), SETTLED),
                () => (opened = null),
            );
        }
        return opened;
    };

    /** Asks until there is an answer: a host that is away is waited for. */
    async function ask<T>(question: (tables: Tablebase) => Promise<unknown>, signal?: AbortSignal): Promise<T> {
        for (;;) {
            try {
                const answer = await question(await tables());
                well();
                return answer as T;
            } catch (error) {
                if (signal?.aborted || !(error instanceof ProbeError)) throw error;
                if (error.reason === "changed") opened = null;
                if (!PASSING.includes(error.reason)) {
                    const problems = (error.details["problems"] ?? []) as Problem[];
                    throw refuse(error.message, error.reason, problems, error.details as Mistake);
                }
                await away();
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
        explore: (fen, signal, counts = null) =>
            ask<Explored>((tables) => tables.explore(fen, { signal, counts }), signal),
        line: (fen) => ask<Line>((tables) => tables.line(fen, { maxPlies: 400 })),
        analyse: (pgn) => ask<{ games: Game[] }>(async (tables) => ({ games: await tables.analyse(pgn) })),
        batch: (fens, signal) =>
            ask<(Verdict | { fen: string; error: string })[]>((tables) => tables.batch(fens, { signal }), signal),
        sets: () => file<{ sets: SetEntry[] }>("sets"),
        statistics: (set, _, signal) => file<Statistics>(`statistics/${set}`, signal),
        find: () => Promise.reject(refuse("a search reads whole tables: it needs a server", "needs_server")),
        saveCounts: (set, signal) => file<Record<Side, { saves: number }>>(`counts/${set}`, signal),
        saves: (set, signal) => file<{ saves: Save[] }>(`saves/${set}`, signal),
        keep: (men, heard) => ask<void>((tables) => tables.keep(materials(tables, men), { onProgress: heard })),
        isKept: async (men) => {
            const opened = await tables();
            return opened.isKept(materials(opened, men));
        },
    };
}
