import type { Address, Bytes, CompiledModule } from "./platform.ts";
/** The bytes that a question wants: the file, where they begin, their number or null for the whole file. */
export type Want = readonly [file: string, offset: number, length: number | null];
/** The outcome of a question, for now or for good. */
export type Outcome = {
    answer: unknown;
} | {
    refused: {
        reason: string;
        error: string;
    } & Record<string, unknown>;
} | {
    wants: Want[];
};
export declare class Module {
    private readonly exports;
    private readonly encoder;
    private readonly decoder;
    /** A running module, by its exports. */
    constructor(exports: object);
    /** Compiles the module. `from` is its address, its bytes, or the module compiled before. */
    static load(from: string | Address | Bytes | CompiledModule): Promise<Module>;
    private put;
    private result;
    open(catalogue: Uint8Array, mostBytes: number): {
        tables: string[];
        address: string;
        fingerprint: string;
    };
    /** Begins a question, if it is valid. */
    begin({ ask, ...fields }: {
        ask: string;
    }): number | Outcome;
    goOn(question: number): Outcome;
    end(question: number): void;
    /** Gives bytes that were wanted. If they are refused, returns the reason and the part of the guide about them. */
    give(file: string, offset: number, bytes: Uint8Array): {
        error: string;
        guide: [string, number] | null;
    } | null;
}
