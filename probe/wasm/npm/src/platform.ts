// The parts of browsers and runtimes that the package's types name. They are structural, so that the types need neither
// the library `dom` nor those of Node, Deno or Bun; the objects of all of them fit.

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
    readonly headers: { get(name: string): string | null };
    readonly body: { cancel(): Promise<void>; getReader(): BodyReader } | null;
}

/** The body of an answer, piece by piece. */
export interface BodyReader {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
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
export type Fetch = (
    // Each runtime has types of its own for these.
    url: any,
    request?: HostRequest,
) => Promise<HostAnswer>;

/** The process of Node, which Deno and Bun imitate. Browsers have none. */
interface Process {
    versions?: { node?: unknown };
    getBuiltinModule(name: string): unknown;
}

const processHere = () => (globalThis as { process?: Process }).process;

/** Whether folders can be read here: in Node, Deno and Bun, their workers, and under a document that one imitates. */
export const hasFolders = (): boolean => typeof processHere()?.versions?.node === "string";

const runtime = processHere();

/** A module of Node's own. It is not imported: bundlers for browsers would look for it. */
export const builtin = <T>(name: string): T => runtime!.getBuiltinModule(name) as T;
