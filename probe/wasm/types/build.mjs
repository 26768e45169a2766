// Writes ../npm/src/schemas.ts, the types of all answers, from the service's openapi.json; with --check compares it.
// openapi-typescript needs TypeScript 5, so it is not among the packages of the page.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const description = new URL("../../service/openapi.json", import.meta.url);
const types = new URL("../npm/src/schemas.ts", import.meta.url);

const { openapi, info, components } = JSON.parse(await readFile(description, "utf8"));
// The answers alone: no program asks by these types.
const nodes = await openapiTS({ openapi, info, paths: {}, components: { schemas: components.schemas } });
const schemas = nodes.filter((node) => node.name?.text === "components");
const text =
    "// Made from probe/service/openapi.json by `cargo regenerate`: not edited by hand.\n" +
    // Constants need no word on the type of their values.
    astToString(schemas).replace(/^ +\* @enum \{unknown\}\n/gm, "");

if (process.argv.includes("--check")) {
    if ((await readFile(types, "utf8").catch(() => "")) !== text) {
        console.error(
            "probe/wasm/npm/src/schemas.ts is not what openapi.json says: run cargo regenerate, then node probe/wasm/build.mjs",
        );
        process.exit(1);
    }
} else {
    await writeFile(types, text);
}
