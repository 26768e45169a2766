// Failures and their reasons.

/** The reasons why a host or its files give no bytes. */
export type SourceReason =
    /** The host cannot be reached, or the connection was cut. */
    | "network"
    /** The host took longer than the time limit. */
    | "timeout"
    /** The host answers requests for ranges with whole files. */
    | "no_range"
    /** An address is neither http nor https nor a folder that can be read here. */
    | "bad_address"
    /** A file has more bytes than such a file may have. */
    | "too_long"
    /** What is at the module's address is not the WebAssembly module. */
    | "no_module"
    /** The host sends a range compressed, or bytes other than those requested. */
    | "wrong_range"
    /** There is no such file. */
    | "no_file"
    /** The host refuses: access is forbidden, or the host has an error. */
    | "refused"
    /** A file is shorter or longer than the catalogue says, or was replaced while it was read. */
    | "changed"
    /** Bytes are not those that the guide describes, even when they are fetched again. */
    | "damaged"
    /** The device has no room for a file that is to be kept, or keeps none at all. */
    | "no_room";

/** A question that has no answer, or bytes that cannot be read. `reason` is for programs, the message for people. */
export class ProbeError extends Error {
    override readonly name = "ProbeError";
    /**
     * One word: a {@link SourceReason}, or the reason of a refusal: `bad_fen`, `illegal_position`, `too_many_men`,
     * `bad_count`, `missing_table`, `bad_request`, `bad_side`, `bad_policy`.
     */
    readonly reason: string;
    /** The file that it is about, if it is about one. */
    readonly file: string | undefined;
    /** All fields of a refusal: `fen`, `field`, `found`, and `problems`, a list of `IllegalProblem`. */
    readonly details: Readonly<Record<string, unknown>>;

    constructor(
        reason: string,
        message: string,
        file?: string,
        details: Record<string, unknown> = {},
        options?: { cause?: unknown },
    ) {
        super(message, options as ErrorOptions);
        this.reason = reason;
        this.file = file;
        this.details = details;
    }
}
