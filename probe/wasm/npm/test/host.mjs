// What the tests share: the program, a site, and hosts that serve it.
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const target = process.env.CARGO_TARGET_DIR ?? new URL("../../../../target", import.meta.url).pathname;
const built = ["release", "debug"].map((profile) => join(target, profile, "makruk-probe")).filter(existsSync);

/** The program that was built last, unless MAKRUK_PROBE names another. */
export const program = process.env.MAKRUK_PROBE ?? built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];

export const packageFolder = new URL("..", import.meta.url).pathname;
// The module is committed with the page.
copyFileSync(new URL("../../../service/page/makruk.wasm", import.meta.url), join(packageFolder, "makruk.wasm"));

let place;

/**
 * A folder that is deleted when the process ends, however it ends: Deno tells its tests nothing of it, and no runtime
 * that is killed does.
 */
export function temporary() {
    if (!place) {
        place = mkdtempSync(join(tmpdir(), "makruk-site-"));
        const wait = 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; rm -rf "$2"';
        const watch = ["-c", wait, "sh", String(process.pid), place];
        spawn("sh", watch, { stdio: "ignore", detached: true }).unref();
    }
    return mkdtempSync(join(place, "folder-"));
}

/** The folder of the tables: MAKRUK_TABLES, or tables that are built for the tests. */
export function tablesFolder() {
    if (process.env.MAKRUK_TABLES) return process.env.MAKRUK_TABLES;
    const tables = join(target, "npm-tables");
    const fens = ["8/8/8/8/8/4s1k1/4R3/K7 w", "k7/8/4S3/8/8/4K3/S7/8 w", "8/8/8/5N2/1K6/8/k7/2M5 w"];
    run(["query", "--json", "--build", "--tables", tables, ...fens]);
    return tables;
}

let inputs;

/** Runs the program; returns what it prints. */
export function run(args, input = undefined, mayFail = false) {
    let command = [program, ...args];
    if (input !== undefined) {
        // Some runtimes do not read a program's output while they write its input: the shell opens a file of any size.
        const file = join((inputs ??= temporary()), "input");
        writeFileSync(file, input);
        command = ["sh", "-c", 'exec "$@" <"$0"', file, ...command];
    }
    const { status, stdout, error } = spawnSync(command[0], command.slice(1), {
        stdio: ["ignore", "pipe", args[0] === "site" ? "ignore" : "inherit"],
        maxBuffer: 1 << 30,
        encoding: "utf8",
    });
    if (error || (status !== 0 && !mayFail))
        throw error ?? new Error(`makruk-probe ${args.join(" ")}: status ${status}`);
    return stdout;
}

/** A site of these tables; with `guideOnly` without the page. */
export function makeSite(tables, guideOnly) {
    const folder = temporary();
    const kind = guideOnly ? ["--guide-only"] : [];
    run(["site", "--tables", tables, "--out", folder, ...kind]);
    return folder;
}

/** A port that is free now. */
export function freePort() {
    return new Promise((done) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

/**
 * Debian's nginx before the folder of a site, with the package under /npm/. Extra lines go into its server's block.
 */
export async function startNginx(site, extra = "") {
    const nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].find(existsSync) ?? "nginx";
    const [folder, port] = [temporary(), await freePort()];
    mkdirSync(join(folder, "temp"));
    const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path temp;`)
        .join(" ");
    writeFileSync(
        join(folder, "nginx.conf"),
        `${process.getuid?.() === 0 ? "user root;" : ""} worker_processes 1; pid nginx.pid; error_log stderr warn;
events { worker_connections 512; }
http {
    types { text/html html; text/css css; text/javascript js mjs; application/wasm wasm; image/svg+xml svg;
        application/json json; application/manifest+json webmanifest; }
    ${temp} keepalive_requests 100000; access_log off;
    server {
        listen 127.0.0.1:${port};
        root ${site};
        location /npm/ { alias ${packageFolder}; }
        ${extra}
    }
}
`,
    );
    const host = spawn(nginx, ["-p", folder, "-c", "nginx.conf", "-g", "daemon off;"], { stdio: "inherit" });
    const url = `http://127.0.0.1:${port}/`;
    await answers(`${url}guide/catalogue`, host);
    return { url, stop: () => host.kill() };
}

const isWell = (url) =>
    fetch(url).then(
        ({ ok }) => ok,
        () => false,
    );

async function answers(url, host) {
    for (let tries = 0; tries < 200; tries++) {
        if (host.exitCode !== null) break;
        if (await isWell(url)) return;
        await new Promise((done) => setTimeout(done, 50));
    }
    host.kill();
    throw new Error(`${url} does not answer`);
}

/** Numbers that are the same in every run. */
export function random(seed) {
    return (below) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
    };
}

/** The FEN of men on squares; `turn` is w or b. */
export function fenOf(men, turn) {
    const ranks = [];
    for (let rank = 7; rank >= 0; rank--) {
        let [text, empty] = ["", 0];
        for (let file = 0; file < 8; file++) {
            const man = men.get(rank * 8 + file);
            if (!man) empty += 1;
            else {
                text += (empty || "") + man;
                empty = 0;
            }
        }
        ranks.push(text + (empty || ""));
    }
    return `${ranks.join("/")} ${turn} - - 0 1`;
}

/** A random placement of a material's men, legal or not. */
export function placement(material, turn, pick) {
    const [white, black] = material.split("v");
    const men = new Map();
    for (const man of white + black.toLowerCase()) {
        let square;
        // A pawn stands on its third to fifth rank.
        const [from, squares] = { P: [16, 24], p: [24, 24] }[man] ?? [0, 64];
        do square = from + pick(squares);
        while (men.has(square));
        men.set(square, man);
    }
    return fenOf(men, turn);
}

/** Every position of a king and a man against a king, one of each that look the same in a mirror; legal or not. */
export function* threeMen(man) {
    const isDirected = man === "S" || man === "P";
    for (let king = 0; king < 64; king++) {
        const [file, rank] = [king % 8, king >> 3];
        // A khon and a pawn know up from down; without them, turned boards are the same too.
        if (file > 3 || (!isDirected && rank > file)) continue;
        for (let other = 0; other < 64; other++)
            for (let square = 0; square < 64; square++) {
                if (king === other || king === square || other === square) continue;
                const men = new Map([
                    [king, "K"],
                    [other, "k"],
                    [square, man],
                ]);
                yield fenOf(men, "w");
                yield fenOf(men, "b");
            }
    }
}

/** The verdicts of the program on these positions, without those that are not valid positions. */
export function nativeVerdicts(tables, fens, withMoves) {
    const out = run(
        ["query", "--json", ...(withMoves ? ["--moves"] : []), "--tables", tables],
        `${fens.join("\n")}\n`,
        true,
    );
    return out
        .trimEnd()
        .split("\n")
        .filter((line) => !line.includes('"error":'));
}

export const readPackage = () => JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
