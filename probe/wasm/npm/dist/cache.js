// A cache of the fetched pieces on the device.
import { hasIndexedDb, openDatabase, settled } from "./indexed.js";
/** Pieces in IndexedDB, up to a number of bytes; the oldest are deleted first. */
export class IndexedDbCache {
    name;
    most;
    opened = null;
    /** Bytes that are kept; unknown until they were counted once. */
    held = null;
    constructor(name = "makruk-probe", mostBytes = 256 << 20) {
        this.name = name;
        this.most = mostBytes;
    }
    /** Whether there is an IndexedDB. */
    static isPossible() {
        return hasIndexedDb();
    }
    /** Opens the database before it is needed. */
    prepare() {
        void this.database();
    }
    database() {
        // Private windows and frames of other sites may have none.
        return (this.opened ??= openDatabase(this.name, (database) => {
            database.createObjectStore("pieces", { keyPath: "key" }).createIndex("at", "at");
        }).catch(() => null));
    }
    async get(keys) {
        const database = await this.database();
        if (!database || keys.length === 0)
            return keys.map(() => undefined);
        try {
            const pieces = database.transaction("pieces").objectStore("pieces");
            const found = await Promise.all(keys.map((key) => settled(pieces.get(key))));
            return found.map((kept) => kept?.bytes);
        }
        catch {
            return keys.map(() => undefined);
        }
    }
    async put(pieces) {
        const database = await this.database();
        if (!database || pieces.length === 0)
            return;
        try {
            const store = database.transaction("pieces", "readwrite", { durability: "relaxed" }).objectStore("pieces");
            const at = Date.now();
            // A view would take the whole of its buffer along.
            await Promise.all(pieces.map(([key, bytes]) => settled(store.put({ key, bytes: bytes.slice(), at }))));
            if (this.held !== null)
                this.held += pieces.reduce((sum, [, bytes]) => sum + bytes.length, 0);
            await this.trim(database);
        }
        catch {
            // There is no room on the device.
        }
    }
    async delete(keys) {
        const database = await this.database();
        try {
            const store = database?.transaction("pieces", "readwrite").objectStore("pieces");
            if (store)
                await Promise.all(keys.map((key) => settled(store.delete(key))));
        }
        catch {
            // They are compared again when they are used.
        }
    }
    async trim(database) {
        if (this.held !== null && this.held <= this.most)
            return;
        // Counted, and the oldest deleted until a quarter is free.
        const store = database.transaction("pieces", "readwrite").objectStore("pieces");
        const sizes = [];
        await new Promise((done, failed) => {
            const walk = store.index("at").openCursor();
            walk.onerror = () => failed(walk.error);
            walk.onsuccess = () => {
                const cursor = walk.result;
                if (!cursor)
                    return done();
                sizes.push({ key: cursor.primaryKey, bytes: cursor.value.bytes.length });
                cursor.continue();
            };
        });
        let held = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        if (held > this.most) {
            for (const { key, bytes } of sizes) {
                if (held <= this.most * 0.75)
                    break;
                store.delete(key);
                held -= bytes;
            }
        }
        this.held = held;
    }
}
