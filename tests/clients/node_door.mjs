// Asks the npm package questions, one JSON object per line, about the site in a folder; prints an answer per line.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { open } from "../../probe/wasm/npm/dist/index.js";

const wasm = readFileSync(new URL("../../probe/service/page/makruk.wasm", import.meta.url));
const tables = await open(process.argv[2], { wasm });
const asks = {
    probe: ({ fen, moves }) => tables.probe(fen, { moves }),
    explore: ({ fen, counts }) => tables.explore(fen, { counts }),
    line: ({ fen, max_plies, defence }) => tables.line(fen, { maxPlies: max_plies, defence }),
    analyse: async ({ pgn, ...options }) => ({ games: await tables.analyse(pgn, options) }),
    batch: ({ fens, moves }) => tables.batch(fens, { moves }),
    category: ({ fen }) => tables.category(fen),
    lichess: ({ fen }) => tables.lichess(fen),
    lichess_line: ({ fen }) => tables.lichessMainline(fen),
};

for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    console.log(JSON.stringify(await asks[question.ask](question).catch((error) => error.details)));
}
