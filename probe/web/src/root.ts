// The address of the page, and whether a server is behind it.

/** The path of the page's folder: "/" on a server of its own, more on a host that has other pages too. */
export const root = new URL(".", location.href).pathname;

/** Enters an address in the browser's history, or puts it in the place of the current one. */
export function goTo(address: string, state: unknown = null, isReplaced = false): void {
    try {
        if (isReplaced) history.replaceState(state, "", address);
        else history.pushState(state, "", address);
    } catch {
        // Some browsers limit the entries in a period: then Back goes further.
    }
}

/** Whether the page has no server, only files. `makruk-probe site` marks the page then. */
export const isSite = document.querySelector('meta[name="makruk-site"]') !== null;
