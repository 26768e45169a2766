// The endings as options of a choice, grouped by their pawns.
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { byPawns } from "./material-name.ts";

/** The options of a choice between endings; without groups if none or all have as many pawns. */
export function materialOptions(materials: string[], chosen: string | null = null): HTMLElement[] {
    const options = (names: string[]) =>
        names.map((name) => h("option", { value: name, selected: name === chosen }, name));
    const groups = byPawns(materials, (name) => name);
    if (groups.length < 2) return options(materials);
    return groups.map(([pawns, names]) => h("optgroup", { label: words.materials.pawns(pawns) }, ...options(names)));
}
