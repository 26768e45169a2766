// Reloads the page when its files do not fit each other: some were kept by the browser, others are of a newer page.

/** Loads the page again, and with it the files that the browser may have kept. */
export async function renew(): Promise<void> {
    const files = performance
        .getEntriesByType("resource")
        .map(({ name }) => name)
        .filter((name) => /\.(js|css)(\?|$)/.test(name));
    await Promise.all(files.map((file) => fetch(file, { cache: "reload" }).catch(() => {})));
    location.reload();
}
