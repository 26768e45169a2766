import type { FileStore } from "./kept.ts";
/** The outcome of a request. */
export declare const settled: <T>(request: IDBRequest<T>) => Promise<T>;
/** Whether there is an IndexedDB. */
export declare const hasIndexedDb: () => boolean;
/** Opens a database, which is set up when it is new. */
export declare function openDatabase(name: string, setUp: (database: IDBDatabase) => void): Promise<IDBDatabase>;
/** Whole files in IndexedDB. */
export declare class IndexedDbFiles implements FileStore {
    private readonly name;
    private opened;
    constructor(name?: string);
    /** Opens the database before it is needed. A failure is reported again when the database is needed. */
    prepare(): void;
    private database;
    private files;
    keys(): Promise<string[]>;
    get(key: string): Promise<Blob | undefined>;
    put(key: string, file: Blob): Promise<void>;
    delete(key: string): Promise<void>;
}
