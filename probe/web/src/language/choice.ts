// The choice of the page's language. Each has a file of its own: a visit loads one.
import { kept as stored } from "../store.ts";

/** The languages by their codes, in their own words. */
export const NAMES: Record<string, string> = { en: "English", th: "ไทย", fr: "Français" };
const KEY = "makruk-language";

/** The language of the address, else of the last visit, else the first of the browser's that the page has. */
export function chosen(): string {
    const [query, fragment] = [location.search, location.hash.slice(1)].map((text) => new URLSearchParams(text));
    const asked = query!.get("lang") ?? fragment!.get("lang");
    const kept = stored.get(KEY);
    const wishes = [asked, kept, ...navigator.languages.map((tag) => tag.slice(0, 2))];
    return wishes.find((code): code is string => code !== null && code in NAMES) ?? "en";
}

/** Remembers the language for the next visit. */
export const choose = (code: string): void => stored.set(KEY, code);
