// The WebAssembly module: bytes in, JSON out.
import { ProbeError } from "./error.js";
import { builtin } from "./platform.js";
/** There is no module: at an address, or in bytes. Browsers say in words alone that a page's policy forbids it. */
function noModule(what, cause, url) {
    let remedy = REMEDY;
    if (/content.security.policy|\bCSP\b|unsafe-eval/i.test(String(cause)))
        remedy = REMEDY_OF_POLICY;
    else if (url?.pathname.endsWith("/wasm/npm/makruk.wasm"))
        remedy = REMEDY_OF_SOURCES;
    return new ProbeError("no_module", `${what} the WebAssembly module makruk.wasm. ${remedy}`, "makruk.wasm", {}, { cause });
}
/** A bundler, or a development server that moves the package's scripts, leaves the module behind. */
const REMEDY = "Give open() its address as the option wasm, " +
    'or with Vite add optimizeDeps: { exclude: ["makruk-probe"] } to its configuration';
const REMEDY_OF_POLICY = "The page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
/** The sources have the module in another folder, from which packing copies it. */
const REMEDY_OF_SOURCES = "In the sources the module is in another folder: install the package that `npm pack probe/wasm/npm` makes";
/** The module of an address: its bytes, or an instance that was compiled while it arrived. */
async function fetched(url) {
    try {
        if (url.protocol === "file:") {
            const fs = builtin("node:fs/promises");
            return await fs.readFile(url);
        }
        const answer = await fetch(url);
        if (!answer.ok)
            throw noModule(`status ${answer.status}: ${url.href} is not`, undefined, url);
        const type = answer.headers.get("content-type") ?? "";
        if (type.startsWith("text/html"))
            throw noModule(`${url.href} is a page of HTML and not`, undefined, url);
        // Compiled while it arrives, where the host names its type.
        if (type.startsWith("application/wasm") && typeof WebAssembly.instantiateStreaming === "function")
            return (await WebAssembly.instantiateStreaming(answer, {})).instance;
        return await answer.arrayBuffer();
    }
    catch (cause) {
        if (cause instanceof ProbeError)
            throw cause;
        throw noModule(`${url.href} cannot be read as`, cause, url);
    }
}
export class Module {
    exports;
    encoder = new TextEncoder();
    decoder = new TextDecoder();
    /** A running module, by its exports. */
    constructor(exports) {
        this.exports = exports;
    }
    /** Compiles the module. `from` is its address, its bytes, or the module compiled before. */
    static async load(from) {
        if (from instanceof WebAssembly.Module)
            return new Module((await WebAssembly.instantiate(from, {})).exports);
        const isAddress = typeof from === "string" || from instanceof URL;
        // Bundlers move this file: a page's own address is the base of what it names.
        const { location } = globalThis;
        const base = location?.href ?? import.meta.url;
        const bytes = isAddress ? await fetched(from instanceof URL ? from : new URL(from, base)) : from;
        if (bytes instanceof WebAssembly.Instance)
            return new Module(bytes.exports);
        try {
            const { instance } = await WebAssembly.instantiate(bytes, {});
            return new Module(instance.exports);
        }
        catch (cause) {
            throw noModule("these bytes are not", cause);
        }
    }
    put(...pieces) {
        let at = this.exports.makruk_room(pieces.reduce((sum, { length }) => sum + length, 0));
        const memory = new Uint8Array(this.exports.memory.buffer);
        for (const piece of pieces) {
            memory.set(piece, at);
            at += piece.length;
        }
    }
    result() {
        const start = this.exports.makruk_result();
        return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, start, this.exports.makruk_result_len()));
    }
    open(catalogue, mostBytes) {
        this.put(catalogue);
        const isOpen = this.exports.makruk_open(mostBytes) === 1;
        const result = JSON.parse(this.result());
        if (!isOpen)
            throw new Error(result.error);
        return result;
    }
    /** Begins a question, if it is valid. */
    begin({ ask, ...fields }) {
        this.put(this.encoder.encode(JSON.stringify({ [ask]: fields })));
        return this.exports.makruk_begin() || JSON.parse(this.result());
    }
    goOn(question) {
        this.exports.makruk_go_on(question);
        return JSON.parse(this.result());
    }
    end(question) {
        this.exports.makruk_end(question);
    }
    /** Gives bytes that were wanted. If they are refused, returns the reason and the part of the guide about them. */
    give(file, offset, bytes) {
        const name = this.encoder.encode(file);
        this.put(name, bytes);
        return this.exports.makruk_give(name.length, offset) === 1 ? null : JSON.parse(this.result());
    }
}
