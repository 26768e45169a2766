#!/usr/bin/env node
// Does a program count as Makruk's rules do? The cases of makruk_count_kit/cases.json ask it.
//
//   node run.mjs ./program.mjs [ARGUMENT...]
//
// program.mjs exports by default a function answer(fen, moves); with arguments, a function of these that gives it. It
// plays the moves (UCI) and returns any of these fields, or a promise of them; a field that it leaves out is not asked:
//
//   limit, ply      the count after the moves, in plies, both null if nobody counts; or fen, the FEN that has them
//   counted, left   the last number called, and the attacker's moves left, in moves
//   drawn           is the game drawn now?
//
// Exit status: 0 it agrees, 1 it differs, 2 it cannot be asked.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The cases; cases.schema.json describes their fields. */
export const cases = JSON.parse(
    readFileSync(new URL("./makruk_count_kit/cases.json", import.meta.url), "utf8"),
).cases;

/** LIMIT and PLY of a FEN, or nulls. */
export function countOf(fen) {
    const [limit, ply] = fen.split(/\s+/).slice(3, 5).map(Number);
    return limit > 0 && ply >= 0 ? { limit, ply } : { limit: null, ply: null };
}

const text = ({ limit, ply }) => (limit === null ? "none" : `${limit} ${ply}`);

/** Asks a program every case: the number of its answers, and the cases in which it differs. */
export async function check(answer, which = cases) {
    const report = { answers: 0, differing: [] };
    for (const asked of which) {
        let given = await answer(asked.fen, [...asked.moves]);
        if ("fen" in given) given = { ...given, ...countOf(given.fen) };
        const found = [];
        const compare = (field, expected, value) => {
            report.answers += 1;
            if (expected !== value) found.push({ field, expected, found: value });
        };
        if ("limit" in given || "ply" in given)
            compare("count", text(asked), text({ limit: given.limit ?? null, ply: given.ply ?? null }));
        for (const field of ["counted", "left", "drawn"])
            if (field in given && asked[field] !== null) compare(field, asked[field], given[field]);
        if (found.length > 0) report.differing.push({ case: asked, differences: found });
    }
    return report;
}

/** A report as text. */
export function printed({ answers, differing }) {
    const lines = [`${answers} answers, ${differing.reduce((sum, { differences }) => sum + differences.length, 0)} differ`];
    for (const { case: asked, differences } of differing) {
        const disputed = asked.disputed ? ` (disputed: ${asked.disputed})` : "";
        lines.push(`  ${asked.name}, ${asked.clause}${disputed}: ${asked.why}`);
        lines.push(`    ${asked.fen} moves ${asked.moves.join(" ")}`);
        for (const { field, expected, found } of differences)
            lines.push(`    ${field}: ${expected} expected, ${found} found`);
    }
    return lines.join("\n");
}

async function main([file, ...parameters]) {
    if (!file || file.startsWith("-")) {
        console.error("usage: node run.mjs ./program.mjs [ARGUMENT...]; the first lines of run.mjs say what it exports");
        return 2;
    }
    try {
        const { default: answer } = await import(pathToFileURL(resolve(file)).href);
        if (typeof answer !== "function") throw new TypeError("it exports no function by default");
        const report = await check(parameters.length > 0 ? await answer(...parameters) : answer);
        console.log(printed(report));
        return report.differing.length > 0 ? 1 : 0;
    } catch (error) {
        console.error(`makruk-count-kit: cannot ask ${file}: ${error.message}`);
        return 2;
    }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
    process.exitCode = await main(process.argv.slice(2));
