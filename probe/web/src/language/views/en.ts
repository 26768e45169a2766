// The words of the other views in English, which come with those views and with the help.
import { materials } from "../materials/en.ts";
import { search } from "../search/en.ts";
import { trainer } from "../trainer/en.ts";

export const words = { materials, search, trainer };

export type ViewWords = typeof words;
