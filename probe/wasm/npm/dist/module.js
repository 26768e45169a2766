var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
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
        let bytes;
        if (typeof from === "string" || from instanceof URL) {
            const url = new URL(from, import.meta.url);
            if (url.protocol === "file:") {
                const name = "node:fs/promises";
                const fs = (await import(__rewriteRelativeImportExtension(/* @vite-ignore */ name)));
                bytes = await fs.readFile(url);
            }
            else {
                const answer = await fetch(url);
                if (!answer.ok)
                    throw new Error(`cannot read ${url.href} (status ${answer.status})`);
                // Compiled while it arrives, where the host names its type.
                const isWasm = answer.headers.get("content-type")?.startsWith("application/wasm");
                if (isWasm && typeof WebAssembly.instantiateStreaming === "function")
                    return new Module((await WebAssembly.instantiateStreaming(answer, {})).instance.exports);
                bytes = await answer.arrayBuffer();
            }
        }
        else {
            bytes = from;
        }
        const { instance } = await WebAssembly.instantiate(bytes, {});
        return new Module(instance.exports);
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
    begin(question) {
        this.put(this.encoder.encode(JSON.stringify(question)));
        return this.exports.makruk_begin() || JSON.parse(this.result());
    }
    goOn(question) {
        this.exports.makruk_go_on(question);
        return JSON.parse(this.result());
    }
    end(question) {
        this.exports.makruk_end(question);
    }
    /** Gives bytes that were wanted. Returns the reason if they are refused, and the part of the guide that describes them. */
    give(file, offset, bytes) {
        const name = this.encoder.encode(file);
        this.put(name, bytes);
        return this.exports.makruk_give(name.length, offset) === 1 ? null : JSON.parse(this.result());
    }
}
