// Serves the page from ../service/page/ in front of a server that was built earlier: its files are read anew for each request, all other
// requests are forwarded. So the page can be tried and tested without building the program again.
//
//   node dev.mjs PORT SERVER        for example: node dev.mjs 8081 http://127.0.0.1:8080
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { extname } from "node:path";

const [port, server] = process.argv.slice(2);
if (!port || !server) {
    console.error("usage: node dev.mjs PORT SERVER");
    process.exit(1);
}
const target = new URL(server);
const folder = new URL("../service/page/", import.meta.url);
const types = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
};

/** The headers that the server sends with its page, so that the page has the same restrictions here. */
async function headers() {
    const answer = await fetch(target);
    await answer.arrayBuffer();
    const kept = ["content-security-policy", "x-content-type-options", "referrer-policy"];
    return Object.fromEntries(
        kept.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : [])),
    );
}
let guards = null;

createServer(async (asked, answer) => {
    const { pathname } = new URL(asked.url, target);
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const bytes = name.includes("/") ? null : await readFile(new URL(name, folder)).catch(() => null);
    if (bytes) {
        guards ??= await headers();
        answer.writeHead(200, {
            ...guards,
            "content-type": types[extname(name)] ?? "text/plain",
            "cache-control": "no-store",
        });
        answer.end(bytes);
        return;
    }
    const { hostname, port: to } = target;
    const onward = request(
        { hostname, port: to, path: asked.url, method: asked.method, headers: asked.headers },
        (reply) => {
            answer.writeHead(reply.statusCode, reply.headers);
            reply.pipe(answer);
        },
    );
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
}).listen(Number(port), "127.0.0.1");
