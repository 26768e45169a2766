// Serves the page for the tests: `makruk-probe serve`, with the tables that they use.
//
// Tables that are missing are built: KRRvKR, KRvKS, KRvKM, two men of S N M against a bare king and the pawns as the
// trainer's course has them, what captures and promotions lead to, and nothing else.
import { spawn, spawnSync } from "node:child_process";
import { program, tables } from "./program.mjs";

const [port] = process.argv.slice(2);
if (!program) {
    console.error("there is no makruk-probe: cargo build -p makruk-cli --features full makes it");
    process.exit(1);
}
const fens = [
    "1K6/8/5k2/8/1R6/4R3/7r/8 b",
    "8/8/8/8/8/4s1k1/4R3/K7 w",
    "8/1K6/2MN4/k7/8/8/8/8 b",
    "k7/8/4S3/8/8/4K3/S7/8 w",
    "8/8/8/8/2M5/2kS4/8/2K5 w",
    "8/8/8/5N2/1K6/8/k7/2S5 w",
    "8/3K4/1R1m4/8/4k3/8/8/8 w",
    "8/8/2R5/3P4/K2k4/8/8/8 w",
    "8/8/8/2k5/Rp6/8/K7/8 b",
];
const query = spawnSync(program, ["query", "--json", "--build", "--tables", tables, ...fens], {
    stdio: ["ignore", "ignore", "inherit"],
});
if (query.status !== 0) process.exit(1);
const server = spawn(program, ["serve", "--tables", tables, "--listen", `127.0.0.1:${port}`], {
    stdio: "inherit",
    env: { RUST_LOG: "warn", ...process.env },
});
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 1));
