// The README's examples and the package's types, as programs of others compile them: strictly, with and without the
// library `dom`, and the declarations alone without any types of a runtime.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder, temporary } from "./host.mjs";

const modules = join(packageFolder, "../../web/node_modules");

/** The blocks of code of the README in JavaScript. */
function examples() {
    const text = readFileSync(join(packageFolder, "README.md"), "utf8");
    return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
}

/** Compiles files in a project of its own that has the package; returns what the compiler says. */
function compile(files, options) {
    const folder = temporary();
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(packageFolder, join(folder, "node_modules/makruk-probe"));
    symlinkSync(join(modules, "@types"), join(folder, "node_modules/@types"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compilerOptions = {
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        target: "ES2022",
        module: "NodeNext",
        types: [],
        ...options,
    };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const { stdout, status } = spawnSync(join(modules, ".bin/tsc"), ["-p", folder], { encoding: "utf8" });
    return status === 0 ? "" : stdout;
}

const browser = { lib: ["ES2022", "DOM"] };
const node = { lib: ["ES2022"], types: ["node"] };

test("the README's examples compile strictly, in a browser and in Node without the library dom", () => {
    const found = examples();
    assert.ok(found.length >= 3, `${found.length} examples`);
    const files = Object.fromEntries(found.map((code, at) => [`example${at}.ts`, code]));
    assert.equal(compile(files, browser), "");
    assert.equal(compile(files, node), "");
});

test("the declarations need no types of any runtime", () => {
    const text = 'import type { Tablebase } from "makruk-probe";\nexport type Asked = ReturnType<Tablebase["explore"]>;\n';
    assert.equal(compile({ "alone.ts": text }, { lib: ["ES2022"] }), "");
});

test("answers are told apart by their status", () => {
    const narrowed = `
import { type Explored, type ExploredMove, type Game, type Judged, open, type Tablebase } from "makruk-probe";
export async function ask(tables: Tablebase, fen: string): Promise<string[]> {
    const position = await tables.probe(fen, { moves: true });
    const first: string | undefined = position.moves[0]?.san;
    // @ts-expect-error: a verdict has no such field
    position.nothing;
    const [judged] = await tables.batch([fen]);
    const category = judged?.status === "judged" ? judged.category : "unknown";
    return [first ?? "", category];
}
export function names(game: Game): string[] {
    if (game.status === "refused") return [game.reason, String(game.line)];
    return game.positions.map((position) => (position.status === "judged" ? position.material : position.fen));
}
export function worth(explored: Explored): number {
    if (explored.status === "unjudged") return 0;
    const moves: Judged<ExploredMove>[] = explored.moves.filter((move) => move.status === "judged");
    return moves.length + (moves[0]?.attacker_moves_left ?? 0) + (explored.dtm ?? 0);
}
export const opened = open(new URL("https://example.org/"), { fetch, memory: 1, signal: new AbortController().signal });
`;
    assert.equal(compile({ "narrowed.ts": narrowed }, browser), "");
    assert.equal(compile({ "narrowed.ts": narrowed }, node), "");
    // What is not narrowed does not compile.
    const wrong = `
import type { Game } from "makruk-probe";
export const count = (game: Game): number => game.positions.length;
`;
    assert.match(compile({ "wrong.ts": wrong }, browser), /'positions' does not exist/);
});
