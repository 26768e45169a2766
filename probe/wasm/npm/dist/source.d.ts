import type { Address, Fetch, Signal } from "./platform.ts";
/** A part of a file; the whole file if `length` is null. */
export interface Part {
    readonly file: string;
    readonly offset: number;
    readonly length: number | null;
}
/** Options of a fetch. */
export interface FetchOptions {
    signal?: Signal | undefined;
    /** Asks the host itself, past every cache on the way: what came before was wrong. */
    reload?: boolean;
    /** Milliseconds after which a request has failed, in place of the source's own. */
    timeout?: number;
}
/** Files of a site, by their paths from its root. Tables may be elsewhere. */
export interface Source {
    /** Parts of files, each with exactly its bytes, in order. */
    fetch(parts: readonly Part[], options: FetchOptions): Promise<Uint8Array[]>;
    /** Tables are in this folder from now on: relative to the site's root, or a URL. */
    setTables?(address: string): void;
    /** Ends what is open. */
    close?(): Promise<void>;
    /** Whether what comes from here is worth keeping on the device. */
    readonly isFar: boolean;
}
/** The counters of an HTTP source. */
export interface HttpCounts {
    requests: number;
    bytes: number;
}
/** Options of the requests to a host. */
export interface HttpOptions {
    /** Ranges of a file so near to each other, in bytes, are asked for together: 2048 unless given. */
    mergeGap?: number;
    /** Requests at a time: 24 unless given. Browsers have limits of their own. */
    parallel?: number;
    /** Milliseconds after which a request has failed: 30000 unless given. */
    timeout?: number;
    /** The number of new attempts at a request that was cut off: 2 unless given. */
    retries?: number;
    /** A replacement of the global `fetch`. */
    fetch?: Fetch;
    /** Headers of every request. */
    headers?: Record<string, string>;
}
/** Files of a web server that answers requests for ranges. */
export declare class HttpSource implements Source {
    readonly isFar = true;
    readonly counts: HttpCounts;
    /** The site's root. */
    readonly root: Address;
    private tables;
    private readonly gap;
    private readonly timeout;
    private readonly retries;
    private readonly turnstile;
    private readonly request;
    private readonly headers;
    /** The tags of files, which tell whether one became another meanwhile. */
    private readonly tags;
    /** The files below a URL, which is that of the site's root. */
    constructor(url: string | Address, options?: HttpOptions);
    setTables(address: string): void;
    fetch(parts: readonly Part[], options: FetchOptions): Promise<Uint8Array[]>;
    private range;
    private once;
    /** A file that became another while it is read is worth an error of its own: nothing that was kept of it fits any more. */
    private compareTags;
}
/** Files in memory, by their paths. */
export declare class BytesSource implements Source {
    readonly isFar = false;
    private readonly files;
    private tables;
    constructor(files: Map<string, Uint8Array> | Record<string, Uint8Array>);
    setTables(address: string): void;
    fetch(parts: readonly Part[], { signal }: FetchOptions): Promise<Uint8Array[]>;
}
/** Files of a folder, in Node, Deno and Bun. */
export declare class FileSource implements Source {
    readonly isFar = false;
    private readonly root;
    private tables;
    private readonly handles;
    constructor(folder: string);
    setTables(address: string): void;
    private open;
    fetch(parts: readonly Part[], { signal }: FetchOptions): Promise<Uint8Array[]>;
    /** Closes all files. */
    close(): Promise<void>;
}
/** The error of those who no longer wait. */
export declare function abortError(signal: Signal): unknown;
