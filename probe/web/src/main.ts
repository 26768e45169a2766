// The page begins when its words are there.
import { speak } from "./language/index.ts";
import type { Words } from "./language/en.ts";
import { begin } from "./page.ts";

export function start(code: string, words: Words): void {
    speak(code, words);
    begin();
}
