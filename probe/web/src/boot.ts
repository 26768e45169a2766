// The page's first script: it fetches the page and the words of its language side by side.
import { chosen, NAMES } from "./language/choice.ts";
import type { Words } from "./language/en.ts";
import { renew } from "./renew.ts";
import { isSite, root } from "./root.ts";
import { keptInTab } from "./store.ts";

type Site = { openTables(root: string): Promise<unknown> };
type Main = { start(code: string, words: Words): void };

/** Set in a tab whose page did not start and was loaded again. */
const RENEWED = "makruk-renewed";

const [main, site] = ["./main.js", "./site.js"];
const speech = async (code: string): Promise<[string, Words]> => {
    const file = `./${code}.js`;
    return [code, ((await import(file)) as { words: Words }).words];
};
/** Without a net, a language that was spoken here before stands in for one that was not. */
const another = async (error: unknown): Promise<[string, Words]> => {
    if (!(error instanceof SyntaxError))
        for (const code of Object.keys(NAMES)) if (await caches.match(`./${code}.js`)) return speech(code);
    throw error;
};
// Without a server the prober is compiled while the page arrives. If that fails, the first question tries again.
if (isSite) void (import(site) as Promise<Site>).then(({ openTables }) => openTables(root)).catch(() => {});
let isLoaded = false;
Promise.all([speech(chosen()).catch(another), import(main) as Promise<Main>])
    .then(([[code, words], { start }]) => {
        isLoaded = true;
        start(code, words);
        keptInTab.set(RENEWED, "");
    })
    .catch((error: unknown) => {
        // Files of two pages do not fit each other; once is enough to mend that.
        if ((isLoaded || error instanceof SyntaxError) && !keptInTab.get(RENEWED)) {
            keptInTab.set(RENEWED, "yes");
            void renew();
            return;
        }
        const link = document.createElement("a");
        link.href = location.href;
        link.textContent = "⟳ Makruk";
        link.addEventListener("click", (event) => (event.preventDefault(), void renew()));
        document.getElementById("main")?.replaceChildren(link);
    });
