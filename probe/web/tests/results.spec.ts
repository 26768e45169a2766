// Results on the squares: of each move, and with one man on each square.
import { execFileSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { program, tables } from "./program.mjs";
import { check, fenOf, KHON, open, square } from "./helpers.ts";

type Shown = Record<string, string>;

/** The results that the board shows, by square: those of the labels that screen readers say. */
const shown = (page: Page): Promise<Shown> =>
    page.locator(".cell").evaluateAll((cells) => {
        const said = cells.map((cell) => [
            (cell as HTMLElement).dataset["square"]!,
            cell.getAttribute("aria-label")!.split(": ")[1],
        ]);
        return Object.fromEntries(said.filter(([, result]) => result)) as Record<string, string>;
    });

interface OnSquare {
    square: string;
    side: string;
    category: string;
    dtz: number | null;
}

/** The same from the program: `makruk-probe query --map`. */
function mapped(fen: string, from: string, side: string): Shown {
    const args = ["query", "--json", "--map", from, "--tables", tables, fen];
    const lines = execFileSync(program, args, { encoding: "utf8" }).trim().split("\n");
    const told = ({ side, category, dtz }: OnSquare) => {
        if (category === "draw") return "Draw";
        if (category === "cursed-win" || category === "blessed-loss") return "Draw by the count";
        const winner = (category === "win") === (side === "white") ? "White" : "Black";
        const moves = Math.ceil(Math.abs(dtz!) / 2);
        return `${winner} wins · ${moves} move${moves === 1 ? "" : "s"}`;
    };
    const squares = lines.map((line) => JSON.parse(line) as OnSquare).filter((one) => one.side === side);
    return Object.fromEntries(squares.map((one) => [one.square, told(one)]));
}

const results = async (page: Page): Promise<void> => {
    await page.locator("label[for=mode-results]").click();
    await expect(page.locator(".results")).toBeVisible();
};

test("each move's result stands on its square, by the best man who goes there", async ({ page }) => {
    await open(page, KHON);
    await results(page);
    expect(await shown(page)).toEqual({
        ...{ a2: "White wins · 23 moves", b2: "White wins · 25 moves", c2: "White wins · 25 moves" },
        ...{ e1: "White wins · 22 moves", e3: "Draw by the count" },
        ...Object.fromEntries(["b1", "d2", "f2", "g2", "h2"].map((name) => [name, "Draw"])),
    });
    await expect(page.locator(".mark")).toHaveCount(10);
    await square(page, "e1").click();
    await expect(page.locator(".results")).toContainText("e1: White wins · 22 moves");
    expect(await fenOf(page)).toBe(KHON);
    await page.locator("label[for=mode-play]").click();
    await expect(page.locator(".mark")).toHaveCount(0);
});

test("a man's map has the result of each square, for either side to move", async ({ page }) => {
    await open(page, KHON);
    await results(page);
    for (const man of ["e2", "e3"]) {
        await square(page, man).click();
        for (const side of ["black", "white"]) {
            await page.locator(`label[for=map-side-${side}]`).click();
            await expect(page.locator(".results p").first()).toBeEmpty();
            // One note, not that of a man in play as well.
            await expect(page.locator(".note:not(.results)")).toBeEmpty();
            expect(await shown(page), `${man}, ${side}`).toEqual(mapped(KHON, man, side));
        }
    }
    await check(page);
    await page.keyboard.press("Tab");
    await square(page, "e3").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator(".mark")).toHaveCount(10);
});

test("a map without tables says why, and judges nothing", async ({ page }) => {
    await open(page, "8/8/8/8/8/4s1k1/4R3/KN6 w - - 0 1");
    await results(page);
    await square(page, "e2").click();
    await expect(page.locator(".results")).toContainText("no table");
    await expect(page.locator(".mark")).toHaveCount(0);
});
