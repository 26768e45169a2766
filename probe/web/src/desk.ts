// The desk: each sheet is a line with its game, kept for the browser's Back and for a reload.
import { goTo } from "./root.ts";
import type { GamePosition } from "./api.ts";
import type { Loaded } from "./game.ts";
import { type KeptLine, Line, type Node } from "./line.ts";

export interface Sheet {
    line: Line;
    loaded: Loaded | null;
}

type KeptSheet = Omit<Sheet, "line"> & { line: KeptLine };

/** The state of an entry in the browser's history. */
interface Entry {
    line: string;
    node: number;
    /** It was made by walking through the line: the next step takes its place. */
    isStep: boolean;
}

const KEY = "makruk-desk";
/** Lines that Back can return to. */
const SHEETS = 12;

/** A position's way into the browser's history: a new entry, a step through the line, or the current entry. */
export type Visit = "new" | "step" | "same";

export class Desk {
    private readonly sheets = this.read();

    /** Remembers a line for Back. */
    keep(sheet: Sheet): void {
        this.sheets.delete(sheet.line.id);
        this.sheets.set(sheet.line.id, sheet);
        for (const id of this.sheets.keys()) if (this.sheets.size > SHEETS) this.sheets.delete(id);
    }

    /** Enters a position in the browser's history. */
    visit(address: string, { id }: Line, node: Node, visit: Visit): void {
        const before = history.state as Entry | null;
        const entry: Entry = { line: id, node: node.id, isStep: visit === "step" };
        const isReplaced = visit === "same" || (visit === "step" && before?.isStep === true && before.line === id);
        goTo(address, isReplaced ? { ...entry, isStep: before?.isStep ?? false } : entry, isReplaced);
    }

    /** The line and the place in it that the browser's history points at; null if it has none. */
    recall(): { sheet: Sheet; node: Node } | null {
        const entry = history.state as Entry | null;
        if (!entry?.line) return null;
        const sheet = this.sheets.get(entry.line);
        const node = sheet?.line.find(entry.node);
        return sheet && node ? { sheet, node } : null;
    }

    /** Writes the lines down for a reload, the last first. */
    write(): void {
        const kept = [...this.sheets.values()].reverse().map(({ line, ...sheet }) => ({ ...sheet, line: line.kept() }));
        while (kept.length > 0) {
            try {
                sessionStorage.setItem(KEY, JSON.stringify(kept));
                return;
            } catch {
                // Too long, or storage is forbidden: then a reload shows the position alone.
                kept.pop();
            }
        }
    }

    /** The lines that were written down. */
    private read(): Map<string, Sheet> {
        try {
            const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as KeptSheet[];
            return new Map(
                kept.reverse().map(({ line, ...sheet }) => [line.id, { ...sheet, line: Line.revive(line) }]),
            );
        } catch {
            return new Map();
        }
    }
}

/** The first position of a game that the tables know, or the first of all. */
export function firstKnown(positions: GamePosition[]): number {
    return Math.max(
        0,
        positions.findIndex(({ status }) => status === "judged"),
    );
}
