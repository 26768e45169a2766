// The words of the other views in Thai.
import { joined } from "../joined.ts";
import { materials } from "../materials/th.ts";
import { search } from "../search/th.ts";
import { trainer } from "../trainer/th.ts";
import type { ViewWords } from "./en.ts";

export const words: ViewWords = joined({ materials, search, trainer });
