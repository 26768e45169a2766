// Databases of a browser.
import type { FileStore } from "./kept.ts";

/** The outcome of a request. */
export const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result);
        request.onerror = () => failed(request.error);
    });

/** Whether there is an IndexedDB. */
export const hasIndexedDb = (): boolean => typeof indexedDB !== "undefined";

/** Milliseconds after which a database that has not opened is done without: some browsers never answer. */
const PATIENCE = 1000;

/** Opens a database, which is set up when it is new. */
export async function openDatabase(name: string, setUp: (database: IDBDatabase) => void): Promise<IDBDatabase> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => setUp(request.result);
    const late = new Promise<never>((_, failed) =>
        setTimeout(() => failed(new Error(`the database ${name} does not open`)), PATIENCE),
    );
    return Promise.race([settled(request), late]);
}

/** Whole files in IndexedDB. */
export class IndexedDbFiles implements FileStore {
    private readonly name: string;
    private opened: Promise<IDBDatabase> | null = null;

    constructor(name = "makruk-probe-files") {
        this.name = name;
    }

    /** Opens the database before it is needed. A failure is reported again when the database is needed. */
    prepare(): void {
        this.database().catch(() => {});
    }

    private database(): Promise<IDBDatabase> {
        return (this.opened ??= openDatabase(this.name, (database) => database.createObjectStore("files")));
    }

    private async files(mode: IDBTransactionMode): Promise<IDBObjectStore> {
        return (await this.database()).transaction("files", mode).objectStore("files");
    }

    async keys(): Promise<string[]> {
        return (await settled((await this.files("readonly")).getAllKeys())) as string[];
    }

    async get(key: string): Promise<Blob | undefined> {
        return settled<Blob | undefined>((await this.files("readonly")).get(key));
    }

    async put(key: string, file: Blob): Promise<void> {
        await settled((await this.files("readwrite")).put(file, key));
    }

    async delete(key: string): Promise<void> {
        await settled((await this.files("readwrite")).delete(key));
    }
}
