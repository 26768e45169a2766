// The program that the tests run, and the folder with its tables: MAKRUK_PROBE and MAKRUK_WEB_TABLES, else what cargo
// built last, and a folder beside the program.
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const target = process.env.CARGO_TARGET_DIR ?? new URL("../../../target", import.meta.url).pathname;
const built = ["release", "debug"].map((profile) => join(target, profile, "makruk-probe")).filter(existsSync);
export const program =
    process.env.MAKRUK_PROBE ?? built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? "";
export const tables = process.env.MAKRUK_WEB_TABLES ?? join(dirname(program), "../web-tables");
