/** The outcome of a request. */
export const settled = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
});
/** Whether there is an IndexedDB. */
export const hasIndexedDb = () => typeof indexedDB !== "undefined";
/** Milliseconds after which a database that has not opened is done without: some browsers never answer. */
const PATIENCE = 1000;
/** Opens a database, which is set up when it is new. */
export async function openDatabase(name, setUp) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => setUp(request.result);
    const late = new Promise((_, failed) => setTimeout(() => failed(new Error(`the database ${name} does not open`)), PATIENCE));
    return Promise.race([settled(request), late]);
}
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
        return (this.opened ??= openDatabase(this.name, (database) => database.createObjectStore("files")));
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
