/** An `AbortSignal`. */
export interface Signal {
    readonly aborted: boolean;
    readonly reason?: unknown;
    addEventListener(type: "abort", listener: () => void): void;
    removeEventListener(type: "abort", listener: () => void): void;
}
/** A `URL`. */
export interface Address {
    readonly href: string;
}
/** Bytes in memory, as `BufferSource`. */
export type Bytes = ArrayBuffer | ArrayBufferView;
/** A `WebAssembly.Module`. */
export type CompiledModule = object;
/** A file that a device keeps: a `Blob`. */
export interface KeptFile {
    readonly size: number;
    slice(start?: number, end?: number): KeptFile;
    arrayBuffer(): Promise<ArrayBuffer>;
}
/** An answer of a host, as `Response`. */
export interface HostAnswer {
    readonly ok: boolean;
    readonly status: number;
    readonly headers: {
        get(name: string): string | null;
    };
    readonly body: {
        cancel(): Promise<void>;
        getReader(): BodyReader;
    } | null;
}
/** The body of an answer, piece by piece. */
export interface BodyReader {
    read(): Promise<{
        done: boolean;
        value?: Uint8Array | undefined;
    }>;
    cancel(): Promise<void>;
}
/** The options that a request is made with. */
export interface HostRequest {
    headers: Record<string, string>;
    signal: AbortSignalOfRequest;
    cache?: "no-store" | "reload";
    /** Requests with headers of their own follow no redirection: it might lead to another origin. */
    redirect?: "manual";
}
/** The signal of a request, which every `fetch` takes. */
type AbortSignalOfRequest = any;
/** The global `fetch`, or a substitute for it. */
export type Fetch = (url: any, request?: HostRequest) => Promise<HostAnswer>;
/** Whether folders can be read here: in Node, Deno and Bun, their workers, and under a document that one imitates. */
export declare const hasFolders: () => boolean;
/** A module of Node's own. It is not imported: bundlers for browsers would look for it. */
export declare const builtin: <T>(name: string) => T;
export {};
