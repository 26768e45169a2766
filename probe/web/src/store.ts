// The values that the page keeps on the device. In a frame of another page, or if nothing may be kept, they last as
// long as the page.

/** The cache with the files of the page. */
export const PAGE = "makruk-page";

const fallback = new Map<string, string>();

function read(storage: () => Storage, key: string): string | null {
    try {
        return storage().getItem(key) ?? fallback.get(key) ?? null;
    } catch {
        return fallback.get(key) ?? null;
    }
}

function write(storage: () => Storage, key: string, value: string): void {
    try {
        storage().setItem(key, value);
        fallback.delete(key);
    } catch {
        fallback.set(key, value);
    }
}

/** Kept from visit to visit. */
export const kept = {
    get: (key: string) => read(() => localStorage, key),
    set: (key: string, value: string) => write(() => localStorage, key, value),
};

/** A value that the page has kept; null if there is none that can be read. */
export function keptValue<T>(key: string): T | null {
    try {
        return JSON.parse(kept.get(key) ?? "null") as T | null;
    } catch {
        return null;
    }
}

/** Kept as long as the tab is open. */
export const keptInTab = {
    get: (key: string) => read(() => sessionStorage, key),
    set: (key: string, value: string) => write(() => sessionStorage, key, value),
};
