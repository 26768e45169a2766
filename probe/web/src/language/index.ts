// The language of the page.
import { en, type Words } from "./en.ts";
import { fr } from "./fr.ts";
import { joined } from "./joined.ts";
import { th } from "./th.ts";
import { kept as stored } from "../store.ts";

export const LANGUAGES: Record<string, Words> = { en, th: joined(th), fr };
const KEY = "makruk-language";

function first(): string {
    const [query, fragment] = [location.search, location.hash.slice(1)].map((text) => new URLSearchParams(text));
    const asked = query!.get("lang") ?? fragment!.get("lang");
    const kept = stored.get(KEY);
    const wishes = [asked, kept, ...navigator.languages.map((tag) => tag.slice(0, 2))];
    return wishes.find((code): code is string => code !== null && code in LANGUAGES) ?? "en";
}

export let language = first();
export let words: Words = LANGUAGES[language]!;

export function speak(code: string): void {
    language = code;
    words = LANGUAGES[code]!;
    stored.set(KEY, code);
}
