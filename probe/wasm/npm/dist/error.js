// Failures and their reasons.
/** A question that has no answer, or bytes that cannot be read. `reason` is for programs, the message for people. */
export class ProbeError extends Error {
    name = "ProbeError";
    /**
     * One word: a {@link SourceReason}, or the reason of a refusal: `bad_fen`, `illegal_position`, `too_many_men`,
     * `bad_count`, `missing_table`, `bad_request`, `bad_side`, `bad_policy`.
     */
    reason;
    /** The file that it is about, if it is about one. */
    file;
    /** All fields of a refusal: `fen`, `field`, `found`, and `problems`, a list of `IllegalProblem`. */
    details;
    constructor(reason, message, file, details = {}, options) {
        super(message, options);
        this.reason = reason;
        this.file = file;
        this.details = details;
    }
}
