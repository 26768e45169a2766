// A choice of few values, with its label.
import { h, radios } from "../dom.ts";
import { words } from "../language/index.ts";
import { LEVELS, stars } from "./puzzles.ts";

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

/** The choice of a difficulty: 0 for any, or stars. */
export function levelChoice(name: string, chosen: number, choose: (level: number) => void): HTMLElement {
    const { difficulty, difficulties } = words.trainer;
    const options = LEVELS.map((level, at) => {
        const spoken = difficulties[level];
        return [String(at), at > 0 ? stars(at) : spoken, spoken] as const;
    });
    return choice(name, difficulty, options, String(chosen), (level) => choose(Number(level)));
}
