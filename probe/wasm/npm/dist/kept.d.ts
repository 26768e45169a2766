import type { KeptFile, Signal } from "./platform.ts";
import type { FetchOptions, Part, Source } from "./source.ts";
/** Files by keys. */
export interface FileStore {
    keys(): Promise<string[]>;
    get(key: string): Promise<KeptFile | undefined>;
    /** Fails if there is no room. */
    put(key: string, file: KeptFile): Promise<void>;
    delete(key: string): Promise<void>;
}
/** A source some of whose files are kept. */
export declare class KeptFiles implements Source {
    readonly isFar = true;
    private readonly inner;
    private readonly store;
    private readonly prefix;
    /** The names of the files that are kept. */
    private readonly names;
    /** The files of a site. Kept files that have another fingerprint are deleted. */
    constructor(inner: Source, store: FileStore, site: string, fingerprint: string);
    private load;
    setTables(address: string): void;
    close(): Promise<void>;
    /** Whether this file is kept. */
    has(file: string): Promise<boolean>;
    /** Fetches and keeps a whole file, unless it is kept already. */
    keep(file: string, signal: Signal | undefined): Promise<void>;
    fetch(parts: readonly Part[], options: FetchOptions): Promise<Uint8Array[]>;
    /** Deletes a file whose bytes were refused. */
    forget(file: string): Promise<void>;
    /** A part of a file that is kept. */
    private kept;
}
