export * from "./answers.ts";
export { IndexedDbCache, type PieceCache } from "./cache.ts";
export { ProbeError, type SourceReason } from "./error.ts";
export type { FileStore } from "./kept.ts";
export type { Address, Bytes, CompiledModule, Fetch, HostAnswer, HostRequest, KeptFile, Signal } from "./platform.ts";
export { BytesSource, FileSource, HttpSource } from "./source.ts";
export type { FetchOptions, HttpCounts, HttpOptions, Part, Source } from "./source.ts";
export { open, Tablebase } from "./tablebase.ts";
export type { AskOptions, KeepOptions, OpenOptions, Question, Traffic } from "./tablebase.ts";
