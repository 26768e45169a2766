// Setting up by hand, and counts that are set aside until their men are back.
import { hasPawns, type Man, mayStand, readFen, roleOf, type Setup, writeFen } from "./position.ts";

/** A man to place by tapping, "x" to remove; null moves men. */
export type Brush = Man | "x" | null;

/** The men on the board, on any squares. */
const menOf = ({ squares }: Setup): string => squares.filter(Boolean).sort().join("");

export class Editor {
    isOn = false;
    brush: Brush = null;
    private readonly aside = new Map<string, NonNullable<Setup["count"]>>();

    turn(on: boolean): void {
        this.isOn = on;
        this.brush = null;
    }

    /** Forgets the counts that were set aside. */
    clear(): void {
        this.aside.clear();
    }

    /** The FEN after a change; null if the change has no effect. */
    change(fen: string, change: (setup: Setup) => Setup): string | null {
        const before = readFen(fen);
        const setup = change(before);
        const [was, is] = [menOf(before), menOf(setup)];
        if (was !== is) {
            // With other men it is another ending: a running count is set aside until the men are back.
            if (before.count) this.aside.set(was, before.count);
            setup.count = hasPawns(setup.squares) ? null : (this.aside.get(is) ?? null);
        } else if (before.count && !setup.count) {
            this.aside.delete(is);
        }
        const after = writeFen(setup);
        return after === fen ? null : after;
    }
}

/**
 * A setup with a man put on a square, or a square emptied. A side has one king: it goes where it was put last. A pawn
 * is put only where one may stand; elsewhere nothing changes.
 */
export function placed(setup: Setup, square: number, man: string | null): Setup {
    if (man !== null && !mayStand(man, square)) return setup;
    const squares = setup.squares.map((is) => (man && roleOf(man) === "K" && is === man ? null : is));
    squares[square] = man;
    return { ...setup, squares };
}
