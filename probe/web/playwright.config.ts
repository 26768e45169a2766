// Tests in a real browser, against a real server: see tests/serve.mjs.
import { defineConfig } from "@playwright/test";

const port = Number(process.env["MAKRUK_WEB_PORT"] ?? 50971);

export default defineConfig({
    testDir: "tests",
    // Busy machines are slow: these end a test that waits in vain.
    timeout: 240_000,
    expect: { timeout: 60_000 },
    // One after the other: they share one server, and machines with two cores run them.
    workers: 1,
    forbidOnly: true,
    reporter: [["list"]],
    use: {
        baseURL: `http://127.0.0.1:${port}`,
        viewport: { width: 1280, height: 860 },
        locale: "en-GB",
        colorScheme: "light",
        permissions: ["clipboard-read", "clipboard-write"],
        // Tests watch and forge requests, which a service worker would answer; only tests/offline.spec.ts allows one.
        serviceWorkers: "block",
        launchOptions: {
            executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
            // As root, in containers, Chromium has no sandbox; and small machines have a small /dev/shm.
            args: ["--no-sandbox", "--disable-dev-shm-usage"],
        },
    },
    webServer: {
        command: `node tests/serve.mjs ${port}`,
        url: `http://127.0.0.1:${port}/readyz`,
        timeout: 300_000,
        reuseExistingServer: false,
        gracefulShutdown: { signal: "SIGTERM", timeout: 5000 },
    },
});
