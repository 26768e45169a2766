import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { fenOf, KHON, open, paste, pasteHere, verdict } from "./helpers.ts";

const GAME = await readFile(new URL("../../../tests/data/schemingmind-2023.pgn", import.meta.url), "utf8");

test("a pasted game has a strip of its verdicts", async ({ page }) => {
    await open(page, KHON);
    await paste(page, GAME);
    await expect(page.locator(".game .about")).toContainText("SchemingMind");
    await expect(page.locator(".game .about")).toContainText("1-0");
    const strip = page.getByRole("slider", { name: "Verdicts of the game, move by move" });
    await expect(strip).toHaveAttribute("max", "225");
    // The end of the game, by the strip; then back by the keyboard.
    await strip.fill("225");
    await expect(page.locator(".step[aria-current]")).toHaveText("Nc1#");
    await strip.fill("0");
    await expect.poll(() => fenOf(page)).toContain("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w");
    await expect(verdict(page)).toContainText("Too many men for the tables");
    await expect(page.locator(".heap.unjudged .move")).toHaveCount(23);
    await page.locator("body").press("ArrowRight");
    await expect(page.locator(".step[aria-current]")).toHaveText("d4");
});

test("games with mistakes in covered endings show them", async ({ page }) => {
    await open(page, KHON);
    const pgn = `[White "Anan"]\n[Black "Boon"]\n[FEN "${KHON}"]\n1. Rxe3+ Kf4 2. Ra3 *`;
    await pasteHere(page, pgn);
    await expect(page.locator(".game .about")).toContainText("Anan – Boon");
    await expect(page.locator(".game")).toContainText("White gave away 1 win");
    await expect(page.locator(".game")).toContainText("Black gave nothing away");
    await page.getByRole("button", { name: "Next mistake" }).click();
    await expect(page.locator(".mistake")).toContainText("Rxe3+ gave the win away");
    await expect(page.locator(".step.slip")).toHaveText("Rxe3+??");
});
