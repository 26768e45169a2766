//! The reason of a refusal in one word, with the codes that protocols have for it.

use serde::{Serialize, Serializer};

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The failure of a probe: of the position's text, or of its tables.
    Probe(makruk_probe::Reason),
    /// More positions in one question than the door takes.
    TooManyPositions,
    /// The text names no material that has tables.
    BadMaterial,
    /// A game cannot be read.
    BadPgn,
    /// There is no such policy.
    BadPolicy,
    /// There is no such side.
    BadSide,
    /// The filter of a search cannot be parsed.
    BadFilter,
    /// The cursor cannot be parsed, or is outside of the search.
    BadCursor,
    /// The question cannot be read, or its parts contradict each other.
    BadRequest,
    /// A limit of the server is reached.
    Overloaded,
    /// The answer was not ready in time.
    DeadlineExceeded,
    /// A token is expected.
    Unauthenticated,
    /// The server accepts nothing more.
    ShuttingDown,
    /// The message is too long.
    TooLarge,
    /// There is no such path or method.
    NotFound,
    /// The path does not take this method.
    MethodNotAllowed,
}

/// The reasons besides those of a probe, each with its word for programs, the number of google.rpc.Code and the status
/// of HTTP.
macro_rules! others {
    ($($reason:ident: $name:literal, $code:literal, $status:literal;)*) => {
        impl Reason {
            /// Every reason.
            pub fn all() -> impl Iterator<Item = Reason> {
                makruk_probe::Reason::ALL.into_iter().map(Reason::Probe).chain([$(Reason::$reason),*])
            }

            const fn row(self) -> (&'static str, i32, u16) {
                match self {
                    Reason::Probe(reason) => row_of_probe(reason),
                    $(Reason::$reason => ($name, $code, $status),)*
                }
            }
        }
    };
}

others! {
    TooManyPositions: "too_many_positions", 3, 400;
    BadMaterial: "bad_material", 3, 400;
    BadPgn: "bad_pgn", 3, 400;
    BadPolicy: "bad_policy", 3, 400;
    BadSide: "bad_side", 3, 400;
    BadFilter: "bad_filter", 3, 400;
    BadCursor: "bad_cursor", 3, 400;
    BadRequest: "bad_request", 3, 400;
    Overloaded: "overloaded", 8, 429;
    DeadlineExceeded: "deadline_exceeded", 4, 504;
    Unauthenticated: "unauthenticated", 16, 401;
    ShuttingDown: "shutting_down", 14, 503;
    TooLarge: "too_large", 11, 413;
    NotFound: "not_found", 12, 404;
    MethodNotAllowed: "method_not_allowed", 12, 405;
}

const fn row_of_probe(reason: makruk_probe::Reason) -> (&'static str, i32, u16) {
    use makruk_probe::Reason as P;

    let (code, status) = match reason {
        P::BadFen | P::IllegalPosition | P::TooManyMen | P::BadCount => (3, 400),
        P::MissingTable => (5, 404),
        P::UnreadableTable => (14, 503),
        P::CorruptTable => (15, 500),
        P::Internal => (13, 500),
    };
    (reason.name(), code, status)
}

impl Reason {
    /// A fault of the program.
    pub const INTERNAL: Reason = Reason::Probe(makruk_probe::Reason::Internal);

    /// The word that programs match: `bad_fen`, `missing_table` and so on.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The number of the code in google.rpc.Code.
    pub fn grpc_code(self) -> i32 {
        self.row().1
    }

    /// The status of an HTTP response.
    pub fn http_status(self) -> u16 {
        self.row().2
    }

    /// The exit status of a program: 2 if the question cannot be asked in this way, 1 if it has no answer.
    pub const fn exit_status(self) -> u8 {
        use Reason::{BadCursor, BadFilter, BadMaterial, BadPolicy, BadRequest, BadSide, TooManyPositions};

        match self {
            TooManyPositions | BadMaterial | BadPolicy | BadSide | BadFilter | BadCursor | BadRequest => 2,
            _ => 1,
        }
    }

    /// Whether the tables do not have the position, though it is one.
    pub const fn is_unknown(self) -> bool {
        matches!(self, Reason::Probe(makruk_probe::Reason::MissingTable | makruk_probe::Reason::TooManyMen))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Reason {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ErrorReason".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let words: Vec<&str> = Reason::all().map(Reason::name).collect();
        let description = "The reason of a failure, for programs. The manual of the service lists the status of each.";
        schemars::json_schema!({ "type": "string", "enum": words, "description": description })
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
