// Builds the module into the page, ../service/page/makruk.wasm, and the package's scripts into npm/dist. All are
// committed.
//
//   node build.mjs              builds both
//   node build.mjs --check      are the scripts what their sources build, and is the module as young as its sources?
//   node build.mjs --rebuild    builds the module elsewhere and compares its bytes
//
// With rustup's nightly toolchain for wasm32-unknown-unknown, or Debian's packages rustc-web, cargo-web, rust-web-src
// and lld; and with wasm-opt of the package binaryen.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url).pathname;
const root = join(here, "../..");
const module = join(root, "probe/service/page/makruk.wasm");
/** The hash of the sources that the module was built from. */
const record = join(here, "npm/makruk.sources");
/** The most bytes of the module, compressed. */
const MOST = 188_500;

/** Everything that the module is made of: the crates, without their comments, and the versions of what they use. */
const CRATES = ["tables/rules", "tables/format", "tables", "probe", "probe/answers", "probe/remote", "probe/wasm"];
const USED = ["arrayvec", "crc32c", "memmap2", "miniz_oxide", "serde", "serde_json", "thiserror"];

function files(folder) {
    return readdirSync(folder, { withFileTypes: true })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap(({ name }) =>
            statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : join(folder, name),
        );
}

function fingerprint() {
    const hash = createHash("sha256");
    for (const crate of CRATES) {
        for (const file of files(join(root, crate, "src")).filter((file) => file.endsWith(".rs"))) {
            const code = readFileSync(file, "utf8")
                .split("\n")
                .map((line) => line.trim())
                .filter((line) => line !== "" && !line.startsWith("//"));
            hash.update(`${file.slice(root.length)}\n${code.join("\n")}\n`);
        }
    }
    const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
    for (const name of USED)
        hash.update(lock.match(new RegExp(`name = "${name}"\nversion = .*`, "g"))?.join("\n") ?? name);
    const profile = /\[profile\.wasm\][^[]*/.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[0];
    return hash.update(profile).digest("hex");
}

function run(command, args, options = {}) {
    const { status, error } = spawnSync(command, args, { stdio: "inherit", cwd: root, ...options });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
}

/** Builds the module, and returns the path of the built file. */
function build() {
    // Debian's packages can build the standard library for WebAssembly, but not before they are told that they may.
    const isDebian = existsSync("/usr/lib/rustlib/src/rust/library/std") && existsSync("/usr/bin/wasm-ld");
    const target = process.env.MAKRUK_WASM_TARGET ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "wasm");
    const env = {
        ...process.env,
        RUSTC_BOOTSTRAP: "1",
        CARGO_TARGET_DIR: target,
        // A panic ends the module without a message, which would take a fifth of its bytes.
        // No answer prints a derived `Debug` with its fields, which would take 2 kB.
        // Code that is small in other ways is fast where small functions are inlined: batches answer a third more.
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS:
            "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none -Zfmt-debug=shallow -Cllvm-args=-inline-threshold=50",
        ...(isDebian && { RUSTC: "/usr/bin/rustc", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld" }),
    };
    const std = ["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"];
    const what = [
        "--target",
        "wasm32-unknown-unknown",
        "--package",
        "makruk-probe-wasm",
        "--profile",
        "wasm",
        "--locked",
        // A crate that is built as an rlib, too, gets no link-time optimization: 8 kB more, and a tenth slower.
        "--crate-type",
        "cdylib",
    ];
    run(isDebian ? "/usr/bin/cargo" : "cargo", ["rustc", ...std, ...what], { env });
    const built = join(target, "wasm32-unknown-unknown/wasm/makruk_probe_wasm.wasm");
    const smaller = join(target, "makruk.wasm");
    const features = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types"];
    const enabled = [...features, "sign-ext"].map((name) => `--enable-${name}`);
    const inlined = ["--one-caller-inline-max-function-size=20", "--always-inline-max-function-size=8"];
    const steps = ["-Os", ...inlined, "--converge", "--flatten", "--rereloop", "-Oz", "--converge"];
    // The lowest addresses are the far end of the stack.
    run("wasm-opt", [...steps, "--low-memory-unused", "--strip-producers", "--strip-target-features", ...enabled, built, "-o", smaller]);
    return smaller;
}

function buildScripts(out) {
    run(join(root, "probe/web/node_modules/.bin/tsc"), ["--outDir", out], { cwd: join(here, "npm") });
}

function check() {
    const stale = [];
    if (readFileSync(record, "utf8").trim() !== fingerprint()) stale.push("makruk.wasm");
    const out = mkdtempSync(join(tmpdir(), "makruk-npm-"));
    try {
        buildScripts(out);
        const built = readdirSync(out);
        // Packing copies the page's element beside the scripts.
        const committed = readdirSync(join(here, "npm/dist")).filter((name) => name !== "element.js");
        const differs = (name) =>
            !built.includes(name) ||
            !committed.includes(name) ||
            !readFileSync(join(out, name)).equals(readFileSync(join(here, "npm/dist", name)));
        stale.push(...new Set([...built, ...committed].filter(differs)));
    } finally {
        rmSync(out, { recursive: true });
    }
    if (stale.length > 0) {
        console.error(
            `probe/wasm/npm is not what its sources build (${stale.join(", ")}): run node probe/wasm/build.mjs`,
        );
        process.exit(1);
    }
}

const [mode] = process.argv.slice(2);
if (mode === "--check") {
    check();
} else if (mode === "--rebuild") {
    if (!readFileSync(build()).equals(readFileSync(module))) {
        console.error("the module that was built differs from probe/service/page/makruk.wasm");
        process.exit(1);
    }
} else {
    const bytes = readFileSync(build());
    writeFileSync(module, bytes);
    writeFileSync(record, `${fingerprint()}\n`);
    rmSync(join(here, "npm/dist"), { recursive: true, force: true });
    buildScripts(join(here, "npm/dist"));
}
const packed = gzipSync(readFileSync(module), { level: 9 }).length;
console.log(`makruk.wasm: ${statSync(module).size} bytes, ${packed} compressed`);
if (packed > MOST) {
    console.error(`the module has ${packed} bytes compressed: at most ${MOST} are allowed`);
    process.exit(1);
}
