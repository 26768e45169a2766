// The WebAssembly module: bytes in, JSON out.
import { ProbeError } from "./error.ts";
import type { Address, Bytes, CompiledModule } from "./platform.ts";
import { builtin } from "./platform.ts";

interface Exports {
    memory: { readonly buffer: ArrayBuffer };
    makruk_room(length: number): number;
    makruk_result(): number;
    makruk_result_len(): number;
    makruk_open(mostBytes: number): number;
    makruk_begin(): number;
    makruk_go_on(question: number): void;
    makruk_end(question: number): void;
    makruk_give(nameLength: number, offset: number): number;
}

/** The bytes that a question wants: the file, where they begin, their number or null for the whole file. */
export type Want = readonly [file: string, offset: number, length: number | null];

/** The outcome of a question, for now or for good. */
export type Outcome =
    { answer: unknown } | { refused: { reason: string; error: string } & Record<string, unknown> } | { wants: Want[] };

/** There is no module: at an address, or in bytes. Browsers say in words alone that a page's policy forbids it. */
function noModule(what: string, cause?: unknown, url?: URL): ProbeError {
    let remedy = REMEDY;
    if (/content.security.policy|\bCSP\b|unsafe-eval/i.test(String(cause))) remedy = REMEDY_OF_POLICY;
    else if (url?.pathname.endsWith("/wasm/npm/makruk.wasm")) remedy = REMEDY_OF_SOURCES;
    return new ProbeError("no_module", `${what} the WebAssembly module makruk.wasm. ${remedy}`, "makruk.wasm", {}, { cause });
}

/** A bundler, or a development server that moves the package's scripts, leaves the module behind. */
const REMEDY =
    "Give open() its address as the option wasm, " +
    'or with Vite add optimizeDeps: { exclude: ["makruk-probe"] } to its configuration';

const REMEDY_OF_POLICY =
    "The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";

/** The sources have the module in another folder, from which packing copies it. */
const REMEDY_OF_SOURCES =
    "In the sources the module is in another folder: install the package that `npm pack probe/wasm/npm` makes";

/** The module of an address: its bytes, or an instance that was compiled while it arrived. */
async function fetched(url: URL): Promise<ArrayBuffer | Uint8Array<ArrayBuffer> | WebAssembly.Instance> {
    try {
        if (url.protocol === "file:") {
            const fs = builtin<{ readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> }>("node:fs/promises");
            return await fs.readFile(url);
        }
        const answer = await fetch(url);
        if (!answer.ok) throw noModule(`status ${answer.status}: ${url.href} is not`, undefined, url);
        const type = answer.headers.get("content-type") ?? "";
        if (type.startsWith("text/html")) throw noModule(`${url.href} is a page of HTML and not`, undefined, url);
        // Compiled while it arrives, where the host names its type.
        if (type.startsWith("application/wasm") && typeof WebAssembly.instantiateStreaming === "function")
            return (await WebAssembly.instantiateStreaming(answer, {})).instance;
        return await answer.arrayBuffer();
    } catch (cause) {
        if (cause instanceof ProbeError) throw cause;
        throw noModule(`${url.href} cannot be read as`, cause, url);
    }
}

export class Module {
    private readonly exports: Exports;
    private readonly encoder = new TextEncoder();
    private readonly decoder = new TextDecoder();

    /** A running module, by its exports. */
    constructor(exports: object) {
        this.exports = exports as Exports;
    }

    /** Compiles the module. `from` is its address, its bytes, or the module compiled before. */
    static async load(from: string | Address | Bytes | CompiledModule): Promise<Module> {
        if (from instanceof WebAssembly.Module) return new Module((await WebAssembly.instantiate(from, {})).exports);
        const isAddress = typeof from === "string" || from instanceof URL;
        // Bundlers move this file: a page's own address is the base of what it names.
        const { location } = globalThis as { location?: { href: string } };
        const base = location?.href ?? import.meta.url;
        const bytes = isAddress ? await fetched(from instanceof URL ? from : new URL(from, base)) : (from as Bytes);
        if (bytes instanceof WebAssembly.Instance) return new Module(bytes.exports);
        try {
            const { instance } = await WebAssembly.instantiate(bytes as ArrayBuffer, {});
            return new Module(instance.exports);
        } catch (cause) {
            throw noModule("these bytes are not", cause);
        }
    }

    private put(...pieces: Uint8Array[]): void {
        let at = this.exports.makruk_room(pieces.reduce((sum, { length }) => sum + length, 0));
        const memory = new Uint8Array(this.exports.memory.buffer);
        for (const piece of pieces) {
            memory.set(piece, at);
            at += piece.length;
        }
    }

    private result(): string {
        const start = this.exports.makruk_result();
        return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, start, this.exports.makruk_result_len()));
    }

    open(catalogue: Uint8Array, mostBytes: number): { tables: string[]; address: string; fingerprint: string } {
        this.put(catalogue);
        const isOpen = this.exports.makruk_open(mostBytes) === 1;
        const result = JSON.parse(this.result());
        if (!isOpen) throw new Error(result.error);
        return result;
    }

    /** Begins a question, if it is valid. */
    begin({ ask, ...fields }: { ask: string }): number | Outcome {
        this.put(this.encoder.encode(JSON.stringify({ [ask]: fields })));
        return this.exports.makruk_begin() || (JSON.parse(this.result()) as Outcome);
    }

    goOn(question: number): Outcome {
        this.exports.makruk_go_on(question);
        return JSON.parse(this.result()) as Outcome;
    }

    end(question: number): void {
        this.exports.makruk_end(question);
    }

    /** Gives bytes that were wanted. If they are refused, returns the reason and the part of the guide about them. */
    give(file: string, offset: number, bytes: Uint8Array): { error: string; guide: [string, number] | null } | null {
        const name = this.encoder.encode(file);
        this.put(name, bytes);
        return this.exports.makruk_give(name.length, offset) === 1 ? null : JSON.parse(this.result());
    }
}
