// Whole files that stay on the device: questions about their tables need no net.
import { ProbeError } from "./error.js";
/** The time limit of a whole file, in milliseconds. */
const PATIENCE = 600_000;
/** The most bytes of a file that is kept. */
const MOST_KEPT = 512 << 20;
/** A source some of whose files are kept. */
export class KeptFiles {
    isFar = true;
    inner;
    store;
    prefix;
    /** The names of the files that are kept. */
    names;
    /** The files of a site. Kept files that have another fingerprint are deleted. */
    constructor(inner, store, site, fingerprint) {
        this.inner = inner;
        this.store = store;
        this.prefix = `${site} ${fingerprint} `;
        this.names = this.load(`${site} `);
    }
    async load(site) {
        // A browser that forbids to keep anything keeps nothing.
        const keys = await this.store.keys().catch(() => []);
        const stale = keys.filter((key) => key.startsWith(site) && !key.startsWith(this.prefix));
        for (const key of stale)
            await this.store.delete(key).catch(() => { });
        return new Set(keys.filter((key) => key.startsWith(this.prefix)).map((key) => key.slice(this.prefix.length)));
    }
    setTables(address) {
        this.inner.setTables?.(address);
    }
    async close() {
        await this.inner.close?.();
    }
    /** Whether this file is kept. */
    async has(file) {
        return (await this.names).has(file);
    }
    /** Fetches and keeps a whole file, unless it is kept already. */
    async keep(file, signal) {
        const names = await this.names;
        if (names.has(file))
            return;
        const whole = { file, offset: 0, length: null };
        const [bytes] = await this.inner.fetch([whole], {
            signal,
            timeout: PATIENCE,
            mostBytes: MOST_KEPT,
        });
        try {
            await this.store.put(this.prefix + file, new Blob([bytes]));
        }
        catch (error) {
            throw new ProbeError("no_room", `the device does not keep ${file}: ${String(error)}`, file, {}, { cause: error });
        }
        names.add(file);
    }
    async fetch(parts, options) {
        const found = await Promise.all(parts.map((part) => this.kept(part)));
        const lacking = parts.flatMap((_, at) => (found[at] ? [] : [at]));
        if (lacking.length > 0) {
            const fetched = await this.inner.fetch(lacking.map((at) => parts[at]), options);
            lacking.forEach((at, n) => (found[at] = fetched[n]));
        }
        return found;
    }
    /** Deletes a file whose bytes were refused. */
    async forget(file) {
        if ((await this.names).delete(file))
            await this.store.delete(this.prefix + file).catch(() => { });
    }
    /** A part of a file that is kept. */
    async kept({ file, offset, length }) {
        if (!(await this.has(file)))
            return null;
        try {
            const blob = await this.store.get(this.prefix + file);
            const part = blob?.slice(offset, length === null ? undefined : offset + length);
            if (part && (length === null || part.size === length))
                return new Uint8Array(await part.arrayBuffer());
        }
        catch {
            // The browser has deleted it.
        }
        await this.forget(file);
        return null;
    }
}
