// The language that the page speaks.
import { choose } from "./choice.ts";
import type { Words } from "./en.ts";

export let language = "en";
/** The words; they are there before the page is. */
export let words: Words;

export function speak(code: string, spoken: Words): void {
    language = code;
    words = spoken;
}

/** Loads another language, speaks it, and remembers that it was chosen. */
export async function change(code: string): Promise<void> {
    const file = `./${code}.js`;
    speak(code, ((await import(file)) as { words: Words }).words);
    choose(code);
}
