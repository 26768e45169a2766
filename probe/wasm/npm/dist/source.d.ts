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
    /** Asks the host itself and bypasses every cache: the bytes received before were wrong. */
    reload?: boolean;
    /** Milliseconds after which a request has failed, instead of the source's own number. */
    timeout?: number;
    /** The most bytes of a whole file; by default 16 MiB. */
    mostBytes?: number;
}
/** Files of a site, by their paths from its root. Tables may be elsewhere. */
export interface Source {
    /** Parts of files, each with exactly its bytes, in order. */
    fetch(parts: readonly Part[], options: FetchOptions): Promise<Uint8Array[]>;
    /** Tables are in this folder from now on: relative to the site's root, or a URL. */
    setTables?(address: string): void;
    /** Closes what is open. */
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
    /** Ranges of a file that are at most this number of bytes apart are requested together; by default 2048. */
    mergeGap?: number;
    /** Requests at a time; by default 24. Browsers have their own limits. */
    parallel?: number;
    /** Milliseconds after which a request has failed; by default 30000. */
    timeout?: number;
    /** The number of new attempts at a request that was cut off; by default 2. */
    retries?: number;
    /** A replacement of the global `fetch`. */
    fetch?: Fetch;
    /** Headers of the requests to the origin of the site's root, such as a token. */
    headers?: Record<string, string>;
    /** Other origins that get these headers: that of the tables, if the catalogue names another. By default none. */
    headersTo?: readonly string[];
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
    /** The origins that get the headers. */
    private readonly trusted;
    /** The tags of files, which show whether a file was replaced in the meantime. */
    private readonly tags;
    /** The files below a URL, which is that of the site's root. */
    constructor(url: string | Address, options?: HttpOptions);
    setTables(address: string): void;
    fetch(parts: readonly Part[], options: FetchOptions): Promise<Uint8Array[]>;
    private range;
    private once;
    /** The error of a file that was replaced while it is read: nothing that was kept of it fits any more. */
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
/** What a promise gives; fails as soon as the signal aborts. */
export declare function unlessAborted<T>(promise: Promise<T>, signal: Signal | undefined): Promise<T>;
/** The error for callers that no longer wait. */
export declare function abortError(signal: Signal): unknown;
