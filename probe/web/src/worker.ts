// The service worker: the page opens without a net, with the answers that were given last.
//
// The server's answer comes first. Without one, the kept page and the kept answers are used.

import { PAGE } from "./store.ts";

/** The parts of a service worker's world that are used here; the compiler knows pages only. */
interface WorkerEvent extends Event {
    waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as {
    addEventListener(name: "install" | "activate", act: (event: WorkerEvent) => void): void;
    addEventListener(name: "fetch", act: (event: FetchEvent) => void): void;
};

const ANSWERS = "makruk-answers";
/** The path of the page's folder. */
const ROOT = new URL(".", location.href).pathname;
/** The files of the page, and those that are kept once they are used. build.mjs names them. */
declare const PAGE_FILES: string[];
declare const USED_FILES: string[];
/** The build of the page, which the addresses of its parts end with. */
declare const BUILD: string;
const PARTS = ["", ...PAGE_FILES].map((part) => ROOT + part);
const USED = USED_FILES.map((part) => ROOT + part);
/** The files with which a page without a server asks. The pieces of tables are kept by the page itself. */
const SITE = ["site.js", "makruk.wasm", "guide/catalogue"].map((part) => ROOT + part);
/** Answers that are kept, and how many more there may be before the oldest are deleted. */
const KEPT = 400;
const SPARE = 50;
/** Addresses whose answers change only with the tables. */
const KNOWN = /^(v1\/(explore|line|materials|saves|tables)|answers)\b/;

async function trim(cache: Cache): Promise<void> {
    const keys = await cache.keys();
    if (keys.length <= KEPT + SPARE) return;
    await Promise.all(keys.slice(0, keys.length - KEPT).map((key) => cache.delete(key)));
}

/** The server's answer, which is kept; without one, the answer kept under the same address. */
async function answer(request: Request, name: string, key: string): Promise<Response> {
    const cache = await caches.open(name);
    const isOfThisBuild = request.url.endsWith(`?${BUILD}`) && request.cache !== "reload";
    const part = isOfThisBuild ? await cache.match(key) : undefined;
    if (part) return part;
    try {
        const fresh = await fetch(request);
        if (fresh.ok) {
            // The newest answer comes last, so that the oldest are deleted first.
            await cache.delete(key);
            await cache.put(key, fresh.clone());
            if (name === ANSWERS) await trim(cache);
        }
        return fresh;
    } catch (error) {
        const kept = await cache.match(key);
        if (kept) return kept;
        throw error;
    }
}

worker.addEventListener("install", (event) => {
    const keep = async () => {
        const cache = await caches.open(PAGE);
        const used = (await cache.keys()).map(({ url }) => new URL(url).pathname).filter((path) => USED.includes(path));
        // All of one page: a newer one has a worker of its own. What the browser has kept of an older one is not taken.
        await cache.addAll([...PARTS, ...used].map((part) => new Request(part, { cache: "no-cache" })));
        // A server has none of these.
        await cache.addAll(SITE).catch(() => {});
    };
    event.waitUntil(keep());
});

worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    // Every view is the same file.
    if (request.mode === "navigate" && [ROOT, `${ROOT}index.html`].includes(pathname))
        event.respondWith(answer(request, PAGE, ROOT));
    else if ([PARTS, SITE, USED].some((files) => files.includes(pathname)))
        event.respondWith(answer(request, PAGE, pathname));
    // Answers to those who have a token are for them alone.
    else if (KNOWN.test(pathname.slice(ROOT.length)) && !request.headers.has("authorization"))
        event.respondWith(answer(request, ANSWERS, pathname + search));
});
