// Measures cold and warm positions: rounds, bytes, requests and milliseconds, by kind of material.
//
//   node test/measure.mjs SITE [--men N] [--each N] [--delay MS] [--mbit N] [--gap BYTES] [--warm]
//
// SITE is a folder that `makruk-probe site` made. It is served by nginx; with --delay or --mbit through a line with that round
// trip and that rate. --warm counts answers a second where everything is there.
import { readFileSync } from "node:fs";
import { open, ProbeError } from "../dist/index.js";
import { packageFolder, placement, random, slowLine, startNginx } from "./host.mjs";

const [site, ...options] = process.argv.slice(2);
const option = (name, otherwise) => (options.includes(name) ? Number(options[options.indexOf(name) + 1]) : otherwise);
const [men, each] = [option("--men", 5), option("--each", 6)];
const [delay, rate] = [option("--delay", 0), (option("--mbit", 0) * 1e6) / 8 / 1000];

const host = await startNginx(site);
const slow = delay > 0 || rate > 0 ? await slowLine(Number(new URL(host.url).port), delay, rate) : null;
const url = slow ? `http://127.0.0.1:${slow.address().port}/` : host.url;
const wasm = await WebAssembly.compile(readFileSync(`${packageFolder}makruk.wasm`));
const fresh = () => open(url, { wasm, cache: null, mergeGap: option("--gap", 2048) });

const base = await fresh();
console.log(`catalogue: ${base.source.counts.bytes} bytes`);
const has = new Set(base.tables);
const isWhole = (name) => has.has(`${name}.dtm`) && (name.endsWith("vK") || has.has(`${name}.dtz`));
const materials = [...new Set(base.tables.map((table) => table.split(".")[0]))].filter(
    (name) => name.length === men + 1 && isWhole(name),
);
/** How its files have Black to move. */
const kindOf = (name) =>
    name.endsWith("vK") ? "bare king" : name.split("v")[1].includes("R") ? "both sides stored" : "Black omitted";

const pick = random(20);
const cold = [];
for (const material of materials)
    for (const turn of ["w", "b"])
        for (let n = 0; n < each; n++) {
            const fen = placement(material, turn, pick);
            for (const ask of ["probe", "explore"]) {
                const tables = await fresh();
                const { bytes, requests } = { ...tables.source.counts };
                const begun = performance.now();
                try {
                    const answer = await tables[ask](fen);
                    const milliseconds = performance.now() - begun;
                    if (answer.reason) continue;
                    const again = performance.now();
                    await tables[ask](fen);
                    cold.push({
                        ask,
                        kind: `${kindOf(material)}, ${turn === "w" ? "White" : "Black"} to move`,
                        rounds: tables.traffic.rounds,
                        bytes: tables.source.counts.bytes - bytes,
                        requests: tables.source.counts.requests - requests,
                        milliseconds,
                        warm: performance.now() - again,
                    });
                } catch (error) {
                    if (!(error instanceof ProbeError) || error.reason !== "illegal_position") throw error;
                    n -= ask === "probe" ? 1 : 0;
                    break;
                }
            }
        }

const at = (values, share) => values[Math.min(values.length - 1, Math.floor(share * values.length))];
const digits = (value) => (value < 10 ? Math.round(value * 100) / 100 : Math.round(value));
for (const ask of ["probe", "explore"]) {
    const kinds = [...new Set(cold.map(({ kind }) => kind)), "all"];
    for (const kind of kinds) {
        const found = cold.filter((each) => each.ask === ask && (kind === "all" || each.kind === kind));
        const parts = ["rounds", "bytes", "requests", "milliseconds", "warm"].map((field) => {
            const values = found.map((each) => each[field]).sort((a, b) => a - b);
            const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
            return `${field} ${[mean, at(values, 0.5), at(values, 0.95), values.at(-1)].map(digits).join("/")}`;
        });
        console.log(`${ask}, ${kind} (${found.length}): ${parts.join("  ")}   (mean/median/95 %/worst)`);
    }
}

if (options.includes("--warm")) {
    const fens = Array.from({ length: 200 }, (_, n) =>
        placement(materials[n % materials.length], n % 2 ? "w" : "b", pick),
    );
    const tables = await fresh();
    const legal = (await tables.batch(fens, { moves: true }))
        .filter((each) => !("error" in each))
        .map(({ fen }) => fen);
    for (const moves of [false, true]) {
        await tables.batch(legal, { moves });
        const begun = performance.now();
        let answers = 0;
        while (performance.now() - begun < 2000) answers += (await tables.batch(legal, { moves })).length;
        const rate = Math.round(answers / ((performance.now() - begun) / 1000));
        console.log(`warm, ${moves ? "with all moves" : "verdicts"}: ${rate} positions/s`);
    }
}
host.stop();
slow?.close();
process.exit(0);
