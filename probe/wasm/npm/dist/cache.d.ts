/** Pieces of files, by keys. Nothing here fails: pieces that cannot be kept are fetched again. */
export interface PieceCache {
    /** The pieces of these keys; undefined where there is none. */
    get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
    put(pieces: readonly (readonly [string, Uint8Array])[]): Promise<void>;
    delete(keys: readonly string[]): Promise<void>;
}
/** Pieces in IndexedDB, up to a number of bytes; the oldest are deleted first. */
export declare class IndexedDbCache implements PieceCache {
    private readonly name;
    private readonly most;
    private opened;
    /** Bytes that are kept; unknown until they were counted once. */
    private held;
    constructor(name?: string, mostBytes?: number);
    /** Whether there is an IndexedDB. */
    static isPossible(): boolean;
    /** Opens the database before it is needed. */
    prepare(): void;
    private database;
    get(keys: readonly string[]): Promise<(Uint8Array | undefined)[]>;
    put(pieces: readonly (readonly [string, Uint8Array])[]): Promise<void>;
    delete(keys: readonly string[]): Promise<void>;
    private trim;
}
