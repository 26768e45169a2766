// A cache of the fetched pieces on the device.
import { hasIndexedDb, openDatabase, settled } from "./indexed.ts";

/** Pieces of files, by keys. Nothing here fails: pieces that cannot be kept are fetched again. */
export interface PieceCache {
    /** The pieces of these keys; undefined where there is none. */
    get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
    put(pieces: readonly (readonly [string, Uint8Array])[]): Promise<void>;
    delete(keys: readonly string[]): Promise<void>;
}

interface Kept {
    key: string;
    bytes: Uint8Array;
    /** When it was kept. */
    at: number;
}

/** Pieces in IndexedDB, up to a number of bytes; the oldest are deleted first. */
export class IndexedDbCache implements PieceCache {
    private readonly name: string;
    private readonly most: number;
    private opened: Promise<IDBDatabase | null> | null = null;
    /** Bytes that are kept; unknown until they were counted once. */
    private held: number | null = null;

    constructor(name = "makruk-probe", mostBytes = 256 << 20) {
        this.name = name;
        this.most = mostBytes;
    }

    /** Whether there is an IndexedDB. */
    static isPossible(): boolean {
        return hasIndexedDb();
    }

    /** Opens the database before it is needed. */
    prepare(): void {
        void this.database();
    }

    private database(): Promise<IDBDatabase | null> {
        // Private windows and frames of other sites may have none.
        return (this.opened ??= openDatabase(this.name, (database) => {
            database.createObjectStore("pieces", { keyPath: "key" }).createIndex("at", "at");
        }).catch(() => null));
    }

    async get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]> {
        const database = await this.database();
        if (!database || keys.length === 0) return keys.map(() => undefined);
        try {
            const pieces = database.transaction("pieces").objectStore("pieces");
            const found = await Promise.all(keys.map((key) => settled<Kept | undefined>(pieces.get(key))));
            return found.map((kept) => kept?.bytes);
        } catch {
            return keys.map(() => undefined);
        }
    }

    async put(pieces: readonly (readonly [string, Uint8Array])[]): Promise<void> {
        const database = await this.database();
        if (!database || pieces.length === 0) return;
        try {
            const store = database.transaction("pieces", "readwrite", { durability: "relaxed" }).objectStore("pieces");
            const at = Date.now();
            // A view would take the whole of its buffer along.
            await Promise.all(pieces.map(([key, bytes]) => settled(store.put({ key, bytes: bytes.slice(), at }))));
            if (this.held !== null) this.held += pieces.reduce((sum, [, bytes]) => sum + bytes.length, 0);
            await this.trim(database);
        } catch {
            // There is no room on the device.
        }
    }

    async delete(keys: readonly string[]): Promise<void> {
        const database = await this.database();
        try {
            const store = database?.transaction("pieces", "readwrite").objectStore("pieces");
            if (store) await Promise.all(keys.map((key) => settled(store.delete(key))));
        } catch {
            // They are compared again when they are used.
        }
    }

    private async trim(database: IDBDatabase): Promise<void> {
        if (this.held !== null && this.held <= this.most) return;
        // Counted, and the oldest deleted until a quarter is free.
        const store = database.transaction("pieces", "readwrite").objectStore("pieces");
        const sizes: { key: IDBValidKey; bytes: number }[] = [];
        await new Promise<void>((done, failed) => {
            const walk = store.index("at").openCursor();
            walk.onerror = () => failed(walk.error);
            walk.onsuccess = () => {
                const cursor = walk.result;
                if (!cursor) return done();
                sizes.push({ key: cursor.primaryKey, bytes: (cursor.value as Kept).bytes.length });
                cursor.continue();
            };
        });
        let held = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        if (held > this.most) {
            for (const { key, bytes } of sizes) {
                if (held <= this.most * 0.75) break;
                store.delete(key);
                held -= bytes;
            }
        }
        this.held = held;
    }
}
