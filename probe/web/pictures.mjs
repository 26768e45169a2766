// Draws the pictures of the documents anew, from a running server: node pictures.mjs http://127.0.0.1:50051
//
// The server needs the tables of KRRvKR.
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [server] = process.argv.slice(2);
if (!server) throw new Error("expected the address of a server");
const ROOKS = "/?fen=1K6/8/5k2/8/1R6/4R3/7r/8_b_-_-_0_1";
/** Name, address, size in CSS pixels, language, and an element that appears when everything is there. */
const PICTURES = [
    { name: "board", path: ROOKS, width: 1200, height: 790, language: "en", last: ".move" },
    { name: "ending", path: "/?material=KRRvKR", width: 1140, height: 1060, language: "en", last: ".miniature" },
    { name: "phone", path: ROOKS, width: 393, height: 800, language: "th", last: ".move", hasTouch: true },
];
const SCALE = 1.5;
const QUALITY = 0.86;

/** Waits until the server has found the longest wins of KRRvKR, which the picture of the ending shows. */
async function longestWins() {
    const answer = await fetch(`${server}/v1/tables/KRRvKR?longest=true`);
    const { dtm, dtz } = await answer.json();
    const isPending = [dtm.white, dtm.black, dtz.white, dtz.black].some((side) => side.longest_pending);
    if (isPending) await longestWins();
}

await longestWins();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
for (const { name, path, width, height, language, last, hasTouch = false } of PICTURES) {
    const context = await browser.newContext({
        baseURL: server,
        viewport: { width, height },
        deviceScaleFactor: SCALE,
        colorScheme: "light",
        hasTouch,
        isMobile: hasTouch,
        serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.goto(`${path}&lang=${language}`);
    await page.locator(last).first().waitFor();
    await page.evaluate(() => document.fonts.ready);
    const png = await page.screenshot({ animations: "disabled" });
    // Browsers encode WebP themselves.
    const webp = await page.evaluate(
        async ([data, quality]) => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [image.width, image.height];
            canvas.getContext("2d").drawImage(image, 0, 0);
            return canvas.toDataURL("image/webp", quality).split(",")[1];
        },
        [png.toString("base64"), QUALITY],
    );
    const bytes = Buffer.from(webp, "base64");
    writeFileSync(new URL(`docs/${name}.webp`, import.meta.url), bytes);
    console.log(`docs/${name}.webp: ${bytes.length} bytes`);
    await context.close();
}
await browser.close();
