// The address of the page, and whether a server is behind it.

/** The path of the page's folder: "/" on a server of its own, more on a host that has other pages too. */
export const root = new URL(".", location.href).pathname;

/** Whether the page has no server, only files. `makruk-probe site` marks the page then. */
export const isSite = document.querySelector('meta[name="makruk-site"]') !== null;
