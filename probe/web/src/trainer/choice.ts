// A choice of few values: buttons of which one is pressed.
import { h } from "../dom.ts";

/** `spoken` is what a screen reader says for a text of signs. */
export function choice<T extends string>(
    name: string,
    label: string,
    options: readonly (readonly [value: T, text: string, spoken?: string])[],
    chosen: T,
    choose: (value: T) => void,
): HTMLElement {
    const radios = options.flatMap(([value, text, spoken]) => {
        const id = `${name}-${value}`;
        const radio = h("input", { type: "radio", name, id, "data-act": id, "aria-label": spoken });
        radio.checked = value === chosen;
        radio.addEventListener("change", () => choose(value));
        return [radio, h("label", { for: id }, text)];
    });
    return h(
        "div",
        { class: "fields" },
        h("span", { class: "muted", id: `${name}-label` }, label),
        h("div", { class: "switch wrap", role: "radiogroup", "aria-labelledby": `${name}-label` }, ...radios),
    );
}
