// Endgame tables of Makruk, from any static host, a folder or memory.
export * from "./answers.js";
export { IndexedDbCache } from "./cache.js";
export { ProbeError } from "./error.js";
export { BytesSource, FileSource, HttpSource } from "./source.js";
export { open, Tablebase } from "./tablebase.js";
