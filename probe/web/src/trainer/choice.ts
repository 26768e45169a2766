// A choice of few values, with its label.
import { h, radios } from "../dom.ts";

export function choice<T extends string>(
    name: string,
    label: string,
    options: readonly (readonly [value: T, text: string, spoken?: string])[],
    chosen: T,
    choose: (value: T) => void,
): HTMLElement {
    return h(
        "div",
        { class: "fields" },
        h("span", { class: "muted", id: `${name}-label` }, label),
        h(
            "div",
            { class: "switch wrap", role: "radiogroup", "aria-labelledby": `${name}-label` },
            ...radios(name, options, chosen, choose),
        ),
    );
}
