// The words of the other views in French.
import { materials } from "../materials/fr.ts";
import { search } from "../search/fr.ts";
import { trainer } from "../trainer/fr.ts";
import type { ViewWords } from "./en.ts";

export const words: ViewWords = { materials, search, trainer };
