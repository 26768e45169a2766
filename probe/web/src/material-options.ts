// A choice between endings, grouped by their pawns.
import { h } from "./dom.ts";
import { words } from "./language/index.ts";
import { byPawns } from "./material-name.ts";
import { endingName } from "./pieces.ts";

/** The options; without groups if none or all have as many pawns. */
function materialOptions(materials: string[], chosen: string): HTMLElement[] {
    const options = (names: string[]) =>
        names.map((name) => h("option", { value: name, selected: name === chosen }, endingName(name)));
    const groups = byPawns(materials, (name) => name);
    if (groups.length < 2) return options(materials);
    return groups.map(([pawns, names]) => h("optgroup", { label: words.materials.pawns(pawns) }, ...options(names)));
}

/** The label and the list, which `all` precedes. The list keeps the focus where its view is drawn anew. */
export function materialChoice(
    id: string,
    materials: string[],
    chosen: string,
    choose: (material: string) => void,
    all: string | null = null,
): HTMLElement[] {
    const every = all !== null && h("option", { value: "", selected: chosen === "" }, all);
    const select = h("select", { id, "data-act": id }, every, ...materialOptions(materials, chosen));
    select.addEventListener("change", () => choose(select.value));
    return [h("label", { for: id }, words.materials.name), select];
}
