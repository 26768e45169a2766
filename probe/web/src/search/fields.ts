// The fields of the search's form: each sets one condition of the query.
import { h } from "../dom.ts";
import { words } from "../language/index.ts";
import { type Choice, CHOICES, type Flag, FLAGS, has, type Query, type Range, RANGES } from "./query.ts";

/** A choice of one of several values. */
export function choice<T extends string>(
    name: string,
    label: string,
    options: readonly (readonly [T, string])[],
    chosen: T,
    choose: (value: T) => void,
) {
    const select = h(
        "select",
        { id: `find-${name}` },
        ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    );
    select.addEventListener("change", () => choose(select.value as T));
    return h("div", { class: "field" }, h("label", { for: `find-${name}` }, label), select);
}

/** A condition with one of several values. */
export function chosen(query: Query, name: Choice): HTMLElement | null {
    const condition = CHOICES[name];
    if (!has(query, condition)) return null;
    const texts = words.search.choices[name] as Record<string, string>;
    return choice(
        name,
        name === "king" && query.kind === "zugzwangs" ? words.search.mover : texts["label"]!,
        ["any", ...condition.values].map((value) => [value, texts[value]!] as const),
        query.choices[name] as string,
        (value) => Object.assign(query.choices, { [name]: value }),
    );
}

/** A quantity between two numbers. */
export function between(query: Query, name: Range): HTMLElement | null {
    const say = words.search;
    if (!has(query, RANGES[name])) return null;
    const range = query.ranges[name];
    const label = say.ranges[name];
    const input = (bound: "least" | "most", kind: string) => {
        const box = h("input", {
            type: "number",
            min: "0",
            max: "999",
            inputmode: "numeric",
            "aria-label": `${label}, ${kind}`,
            value: range[bound] ?? "",
        });
        box.addEventListener("input", () => {
            const value = Number(box.value);
            range[bound] = box.value.trim() !== "" && Number.isInteger(value) && value >= 0 ? value : null;
        });
        return box;
    };
    return h(
        "div",
        { class: "field" },
        h("span", {}, label),
        h("span", { class: "between" }, input("least", say.least), "–", input("most", say.most)),
    );
}

/** A condition that holds or not. */
export function flag(query: Query, name: Flag): HTMLElement | null {
    if (!has(query, FLAGS[name])) return null;
    const id = `find-${name}`;
    const box = h("input", { type: "checkbox", id });
    box.checked = query.flags[name];
    box.addEventListener("change", () => (query.flags[name] = box.checked));
    return h("div", { class: "field check" }, box, h("label", { for: id }, words.search.flags[name](query.kind)));
}

/** Further conditions, typed in the words of the filter. */
export function typed(query: Query): HTMLElement {
    const id = "find-more";
    const box = h("input", {
        id,
        type: "text",
        value: query.more,
        placeholder: "not check and (K=centre or dtz>60)",
        spellcheck: "false",
        autocomplete: "off",
    });
    box.addEventListener("input", () => (query.more = box.value));
    return h("div", { class: "field wide" }, h("label", { for: id }, words.search.and), box);
}
