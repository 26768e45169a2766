// ffish-es6 (GPL), Fairy-Stockfish's board in JavaScript: npm install ffish-es6, then node run.mjs subjects/ffish.mjs
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// The package of the folder in which the runner is started, or of the one that FFISH names.
const require = createRequire(join(resolve(process.env.FFISH ?? "."), "none.js"));
const path = require.resolve("ffish-es6");
const { default: start } = await import(pathToFileURL(path).href);
// Outside of a browser it does not find its module.
const ffish = await start({ wasmBinary: readFileSync(join(dirname(path), "ffish.wasm")) });

export default function answer(fen, moves) {
    const board = new ffish.Board("makruk", fen);
    try {
        for (const move of moves) if (!board.push(move)) throw new Error(`${fen}: ${move} is refused`);
        // The third repetition is a draw that a player may claim.
        const drawn = board.isGameOver(true) && board.result(true) === "1/2-1/2";
        return { fen: board.fen(), drawn };
    } finally {
        board.delete();
    }
}
