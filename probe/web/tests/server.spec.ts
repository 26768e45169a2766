import { expect, test } from "@playwright/test";
import { KHON, move, open, ROOKS, verdict } from "./helpers.ts";

test("a server that is away says so, and the page goes on when it is back", async ({ page }) => {
    await open(page, KHON);
    await page.route(/\/(v1|healthz)/, (route) => route.abort());
    await move(page, "Re1").click();
    await expect(page.locator("#banner")).toContainText("The server cannot be reached");
    await page.unroute(/\/(v1|healthz)/);
    await expect(page.locator("#banner")).toContainText("The server is back");
    await expect(page.locator(".moves h2")).toHaveText("Black’s moves");
});

test.describe("with its worker", () => {
    test.use({ serviceWorkers: "allow" });

    test("nothing is asked of another server, and the console stays empty", async ({ page, baseURL }) => {
        const asked: string[] = [];
        const said: string[] = [];
        // The requests of the worker, too.
        page.context().on("request", (request) => asked.push(request.url()));
        page.on("console", (message) => said.push(message.text()));
        page.on("pageerror", (error) => said.push(String(error)));
        await open(page, ROOKS);
        await page.goto("/?material=KRvK");
        await expect(page.locator(".histogram")).toBeVisible();
        expect(asked.filter((url) => !url.startsWith(baseURL!))).toEqual([]);
        expect(said).toEqual([]);
    });
});

test("a server with tokens asks for one", async ({ page }) => {
    let asked = 0;
    await page.route(/\/v1\//, async (route) => {
        asked += 1;
        if (route.request().headers()["authorization"] === "Bearer good") return route.continue();
        return route.fulfill({
            status: 401,
            json: { error: "this server asks for a token", reason: "unauthenticated" },
        });
    });
    await page.goto(`/?fen=${KHON.replaceAll(" ", "_")}`);
    await page.getByLabel("This server requires a token. Token").fill("good");
    await page.getByRole("button", { name: "Unlock" }).click();
    await expect(verdict(page).locator("h2")).toHaveText("White wins");
    expect(asked).toBeGreaterThan(1);
});
