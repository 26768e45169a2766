/** The outcome of a request. */
export const settled = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
});
/** Whether there is an IndexedDB. */
export const hasIndexedDb = () => typeof indexedDB !== "undefined";
/** Whole files in IndexedDB. */
export class IndexedDbFiles {
    name;
    opened = null;
    constructor(name = "makruk-probe-files") {
        this.name = name;
    }
    /** Opens the database before it is needed. A failure is reported again when the database is needed. */
    prepare() {
        this.database().catch(() => { });
    }
    database() {
        this.opened ??= (async () => {
            const request = indexedDB.open(this.name, 1);
            request.onupgradeneeded = () => request.result.createObjectStore("files");
            return settled(request);
        })();
        return this.opened;
    }
    async files(mode) {
        return (await this.database()).transaction("files", mode).objectStore("files");
    }
    async keys() {
        return (await settled((await this.files("readonly")).getAllKeys()));
    }
    async get(key) {
        return settled((await this.files("readonly")).get(key));
    }
    async put(key, file) {
        await settled((await this.files("readwrite")).put(file, key));
    }
    async delete(key) {
        await settled((await this.files("readwrite")).delete(key));
    }
}
