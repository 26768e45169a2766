// One look: the men and their board, the bars and the charts.
import { expect, test, type Page } from "@playwright/test";
import { TODAY, TRADITIONAL } from "../src/shapes.ts";
import { inAddress, KHON, look, open, speak, verdict } from "./helpers.ts";

const shapeOf = (page: Page, role: string) => page.locator(`#man-${role} path`).first().getAttribute("d");

test("Thai has the men of a Thai board, until others are chosen", async ({ page }) => {
    await open(page, KHON);
    expect(await shapeOf(page, "R")).toBe(TODAY.R.body[0]);
    await speak(page, "th");
    await expect.poll(() => shapeOf(page, "R")).toBe(TRADITIONAL.R.body[0]);
    await look(page, "หมากแบบดั้งเดิม");
    expect(await shapeOf(page, "R")).toBe(TODAY.R.body[0]);
    await page.reload();
    await expect(verdict(page).locator("h2")).toBeVisible();
    expect(await shapeOf(page, "R")).toBe(TODAY.R.body[0]);
});

/** The coordinates of a corner's square of which a part is covered by a man who may stand there, of either set. */
const covered = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
        const found: string[] = [];
        const context = document.createElement("canvas").getContext("2d")!;
        const cell = document.querySelector<HTMLElement>('[data-square="a1"]')!;
        const { width } = cell.getBoundingClientRect();
        const man = parseFloat(getComputedStyle(cell.querySelector(".man")!).left);
        for (const [pseudo, text] of [
            ["::before", cell.dataset.rank!],
            ["::after", cell.dataset.file!],
        ] as const) {
            const style = getComputedStyle(cell, pseudo);
            context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            const [wide, tall] = [context.measureText(text).width, 0.75 * parseFloat(style.fontSize)];
            const isBefore = pseudo === "::before";
            const left = isBefore ? parseFloat(style.left) : width - parseFloat(style.right) - wide;
            const top = isBefore ? parseFloat(style.top) : width - parseFloat(style.bottom) - tall;
            for (const symbol of document.querySelectorAll(".sprite symbol")) {
                const [x0, y0, , high] = symbol.getAttribute("viewBox")!.split(" ").map(Number) as [
                    number,
                    number,
                    number,
                    number,
                ];
                // A symbol fills the man's square by its height, with its middle in the middle.
                const scale = high / (width - 2 * man);
                const isCovered = [...symbol.querySelectorAll<SVGPathElement>(".body")].some((path) =>
                    [0, 0.5, 1].some((u) =>
                        [0, 0.5, 1].some((v) => {
                            const x = x0 + 20 + (left + u * wide - width / 2) * scale;
                            const y = y0 + (top + v * tall - man) * scale;
                            return path.isPointInFill(new DOMPoint(x, y));
                        }),
                    ),
                );
                if (isCovered) found.push(`${symbol.id} over ${text} at ${innerWidth}`);
            }
        }
        return found;
    });

test("no coordinate is below a man, and the men are in the middle of their squares", async ({ page }) => {
    for (const width of [320, 390, 760, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        for (const lang of ["en", "th"]) {
            await page.goto(`${inAddress(KHON)}&lang=${lang}`);
            await expect(verdict(page).locator("h2")).toBeVisible();
            expect(await covered(page)).toEqual([]);
        }
    }
    // The tallest man leaves as much above as below.
    const [above, below] = await page.locator('[data-square="a1"]').evaluate((cell) => {
        const [square, man] = [cell, cell.querySelector("use")!].map((each) => each.getBoundingClientRect());
        return [man!.top - square!.top, square!.bottom - man!.bottom];
    });
    expect(Math.abs(above! - below!)).toBeLessThan(2);
});

test("a share that is nearly all White's has an outline that is seen", async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto("/?material=KRvKS");
        const contrast = await page
            .locator(".totals .shares")
            .first()
            .evaluate((bar) => {
                const light = (colour: string) => {
                    const parts = colour
                        .match(/[\d.]+/g)!
                        .slice(0, 3)
                        .map((part) => Number(part) / 255);
                    const [r, g, b] = parts.map((part) =>
                        part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
                    );
                    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05;
                };
                const [a, b] = [
                    getComputedStyle(bar).borderTopColor,
                    getComputedStyle(document.body).backgroundColor,
                ].map(light);
                return Math.max(a! / b!, b! / a!);
            });
        expect(contrast).toBeGreaterThan(3);
    }
});

test("a histogram has a scale", async ({ page }) => {
    await page.goto("/?material=KRvKS");
    const numbers = page.locator(".histogram .scale-of");
    await expect(numbers.first()).toBeVisible();
    const scale = await numbers.evaluateAll((all) =>
        all.map((text) => [Number(text.textContent!.replace(/\D/g, "")), Number(text.getAttribute("y"))] as const),
    );
    expect(scale.length).toBeGreaterThan(1);
    for (const [at, [number, y]] of scale.slice(1).entries()) {
        expect(number).toBeLessThan(scale[at]![0]);
        expect(y - scale[at]![1]).toBeGreaterThan(40);
    }
    // The highest bar is higher than the highest number, and not twice as high.
    const bars = await page.locator(".histogram .column title").allTextContents();
    const most = Math.max(...bars.map((text) => Number(/: ([\d,]+)/.exec(text)![1]!.replaceAll(",", ""))));
    expect(scale[0]![0]).toBeLessThanOrEqual(most);
    expect(3 * scale[0]![0]).toBeGreaterThan(most);
});

/** The two men of a set that are most alike on a phone's square, and the share of their dots that differ. */
const mostAlike = (page: Page, set: typeof TODAY) =>
    page.evaluate((set) => {
        const side = 40;
        const men = Object.entries(set).map(([role, { body, lines }]) => {
            const context = new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true })!;
            context.scale(side / 48, side / 48);
            [context.fillStyle, context.strokeStyle, context.lineWidth] = ["#f00", "#800", 1.5];
            for (const d of body) context.fill(new Path2D(d));
            for (const d of [...body, ...lines]) context.stroke(new Path2D(d));
            const { data } = context.getImageData(0, 0, side, side);
            return {
                role,
                red: [...data.keys()].filter((at) => at % 4 === 0).map((at) => (data[at]! * data[at + 3]!) / 255),
            };
        });
        const pairs = men.flatMap((one, at) =>
            men.slice(at + 1).map((other) => {
                const gaps = one.red.map((red, dot) => Math.abs(red - other.red[dot]!));
                const all = one.red.filter((red, dot) => red > 0 || other.red[dot]! > 0);
                return { men: one.role + other.role, share: gaps.filter((gap) => gap > 50).length / all.length };
            }),
        );
        return pairs.sort((one, other) => one.share - other.share)[0]!;
    }, set);

test("the men of a set are told apart on a phone's square", async ({ page }) => {
    for (const set of [TODAY, TRADITIONAL]) {
        const { men, share } = await mostAlike(page, set);
        expect(share, men).toBeGreaterThan(0.36);
    }
});
