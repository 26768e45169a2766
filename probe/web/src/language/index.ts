// The language that the page speaks.
import { PAGE } from "../store.ts";
import { choose } from "./choice.ts";
import type { Words } from "./en.ts";
import type { ViewWords } from "./views/en.ts";

export let language = "en";
/** The words: those of the board are there before the page is, those of the other views come with them. */
export let words: Words & ViewWords;

const areWhole = (spoken: Words) => "trainer" in spoken;
const filesOf = (code: string) => [`./${code}.js`, `./${code}-views.js`] as const;

/** The words of the languages that were spoken, by their codes. */
const known = new Map<string, Words>();

export function speak(code: string, spoken: Words): void {
    known.set(code, spoken);
    language = code;
    words = spoken as Words & ViewWords;
}

/** Adds the words of the other views to those of a language. Addresses of files end with the mark. */
async function complete(code: string, spoken: Words, mark: string): Promise<void> {
    const [, file] = filesOf(code);
    Object.assign(spoken, ((await import(file + mark)) as { words: ViewWords }).words);
}

/** Loads the words of the other views. The language may change meanwhile. */
export async function speakWhole(mark: string): Promise<void> {
    while (!areWhole(words)) await complete(language, words, mark);
}

/** Loads another language, speaks it, and remembers that it was chosen. */
export async function change(code: string, mark: string): Promise<void> {
    const [file] = filesOf(code);
    const spoken = known.get(code) ?? ((await import(file + mark)) as { words: Words }).words;
    while (areWhole(words) && !areWhole(spoken)) await complete(code, spoken, mark);
    speak(code, spoken);
    choose(code);
}

/** Keeps the words for visits without a net: a service worker keeps the other files. */
export async function keepWords(): Promise<void> {
    const [cache, files] = [await caches.open(PAGE), filesOf(language)];
    const kept = await Promise.all(files.map((file) => cache.match(file)));
    await cache.addAll(files.filter((_, at) => !kept[at]));
}
