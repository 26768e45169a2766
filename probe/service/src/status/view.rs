//! The view that others have of a failure: code, reason, message and log level.

use std::path::Path;

use makruk_explorer::ErrorPlace;
use makruk_probe::{ProbeError, Reason, TableError, TableId};
use makruk_proto::v1::ErrorReason;
use makruk_tables::format::FormatError;
use makruk_tables::material::Material;
use makruk_tables::rules::FenError;
use makruk_tables::value::Metric;
use tonic::Code;
use tracing::Level;

use crate::status::{Failure, Load};

/// A failure as clients and the log see it.
pub(crate) struct ErrorView {
    pub(crate) code: Code,
    pub(crate) level: Level,
    pub(crate) reason: ErrorReason,
    /// The field of the request that is wrong.
    pub(crate) field: Option<&'static str>,
    /// The message for the client, which never names folders of the server.
    pub(crate) message: String,
    pub(crate) metadata: Vec<(&'static str, String)>,
}

impl ErrorView {
    /// A fault of the server's, or a state of it.
    fn new(code: Code, level: Level, reason: ErrorReason, message: impl Into<String>) -> ErrorView {
        ErrorView { code, level, reason, field: None, message: message.into(), metadata: Vec::new() }
    }

    /// A mistake of the client's, which the client has to log.
    fn misuse(reason: ErrorReason, field: &'static str, message: impl Into<String>) -> ErrorView {
        ErrorView { field: Some(field), ..ErrorView::new(Code::InvalidArgument, Level::DEBUG, reason, message) }
    }

    fn with(mut self, key: &'static str, value: impl ToString) -> ErrorView {
        self.metadata.push((key, value.to_string()));
        self
    }

    fn of_table(self, id: TableId) -> ErrorView {
        let view = self.with("material", id.material).with("metric", id.metric);
        // A table that cannot be read now need not be built.
        match view.reason {
            ErrorReason::UnreadableTable => view,
            _ => view.with("command", build_command(id.material)),
        }
    }
}

impl From<&Failure> for ErrorView {
    fn from(failure: &Failure) -> ErrorView {
        use ErrorReason as R;

        match failure {
            Failure::Probe(error) => error.into(),
            Failure::Overloaded { load, most } => {
                ErrorView::overloaded(*load, *most, "and no address has more of them than this one")
            }
            Failure::Displaced { load, most } => {
                ErrorView::overloaded(*load, *most, "and this address had the most of them")
            }
            Failure::Deadline { limit } => {
                let message = format!("no answer within {} ms, the deadline of this request", limit.as_millis());
                ErrorView::new(Code::DeadlineExceeded, Level::WARN, R::DeadlineExceeded, message)
            }
            Failure::Idle { limit } => {
                let message = format!("this stream was idle for {} ms, the limit", limit.as_millis());
                ErrorView::new(Code::DeadlineExceeded, Level::DEBUG, R::DeadlineExceeded, message)
            }
            Failure::Broken { .. } => {
                let message = "the server failed at this position; its log contains the cause";
                ErrorView::new(Code::Internal, Level::ERROR, R::Internal, message)
            }
            Failure::TooManyPositions { positions, most } => {
                let message = format!("the batch has {positions} positions: this server takes at most {most}");
                ErrorView::misuse(R::TooManyPositions, "fens", message).with("positions", positions).with("most", most)
            }
            Failure::TooLarge { most } => {
                let message = format!("the message is too long: this server reads at most {most} bytes");
                ErrorView::new(Code::OutOfRange, Level::DEBUG, R::TooLarge, message).with("most_bytes", most)
            }
            Failure::Material(error) => ErrorView::misuse(R::BadMaterial, "material", error.to_string()),
            Failure::BareKings => {
                ErrorView::misuse(R::BadMaterial, "material", "two bare kings have no table: they always draw")
            }
            Failure::Policy(given) => {
                let message = format!("{given} is not a policy: expected fastest, safest, stubborn or tricky");
                ErrorView::misuse(R::BadPolicy, "policy", message).with("found", given)
            }
            Failure::Filter(error) => ErrorView::misuse(R::BadFilter, "filter", error.to_string())
                .with("column", error.column)
                .with("found", &error.found),
            Failure::Cursor(problem) => ErrorView::misuse(R::BadCursor, "cursor", problem),
            Failure::Side(given) => {
                let message = format!("{given} is not a side: expected white or black");
                ErrorView::misuse(R::BadSide, "side", message).with("found", given)
            }
            Failure::Materials { given, most } => {
                let message = format!("the request names {given} materials: expected 1 to {most}");
                ErrorView::misuse(R::BadMaterial, "materials", message)
            }
            Failure::Query(problem) => ErrorView::misuse(R::BadRequest, "query", problem),
            Failure::Malformed => {
                ErrorView::misuse(R::BadRequest, "message", "the message cannot be decoded as a request of this method")
            }
            Failure::NotFound => {
                let message = "this address does not exist: GET /v1/probe?fen=FEN returns the value of a position";
                ErrorView::new(Code::Unimplemented, Level::DEBUG, R::NotFound, message)
            }
            Failure::MethodNotAllowed => {
                let message = "this path does not accept the method: the header \"allow\" lists those it accepts";
                ErrorView::new(Code::Unimplemented, Level::DEBUG, R::MethodNotAllowed, message)
            }
            Failure::Shared(failure) => (&**failure).into(),
            Failure::Unauthenticated => {
                let message = "this server expects a token: \"authorization: Bearer TOKEN\"";
                ErrorView::new(Code::Unauthenticated, Level::DEBUG, R::Unauthenticated, message)
            }
            Failure::ShuttingDown => {
                ErrorView::new(Code::Unavailable, Level::DEBUG, R::ShuttingDown, "the server is shutting down")
            }
        }
    }
}

impl From<&ProbeError> for ErrorView {
    fn from(error: &ProbeError) -> ErrorView {
        let reason = error_reason(error.reason());
        match error {
            ProbeError::Fen(fen) => {
                let view = ErrorView::misuse(reason, "fen", error.to_string());
                let view = match fen.field() {
                    Some(field) => view.with("fen_field", field),
                    None => view,
                };
                match fen.found() {
                    Some(found) => view.with("found", found),
                    None => view,
                }
            }
            ProbeError::Table(error) => error.into(),
        }
    }
}

impl From<&TableError> for ErrorView {
    fn from(error: &TableError) -> ErrorView {
        use ErrorReason as R;

        let (level, missing) = (Level::ERROR, Level::DEBUG);
        match error {
            TableError::TooManyMen(_) => ErrorView::misuse(R::TooManyMen, "fen", error.to_string()),
            TableError::Missing { id, .. } => {
                let message = format!("there is no table {id} here; `{}` makes it", build_command(id.material));
                ErrorView::new(Code::NotFound, missing, R::MissingTable, message).of_table(*id)
            }
            TableError::Unreadable { id, .. } => {
                let message =
                    format!("the server cannot read the table {id} (its log contains the cause); try again later");
                ErrorView::new(Code::Unavailable, level, R::UnreadableTable, message).of_table(*id)
            }
            TableError::Unsupported { id, .. } => {
                let message = format!(
                    "the table {id} has another format version or other counting rules; delete it, and `{}` makes it again",
                    build_command(id.material)
                );
                ErrorView::new(Code::DataLoss, level, R::CorruptTable, message).of_table(*id)
            }
            TableError::Corrupt { id, .. } => {
                let message = format!(
                    "the table {id} is damaged (the server's log contains the place); delete it, and `{}` makes it again",
                    build_command(id.material)
                );
                ErrorView::new(Code::DataLoss, level, R::CorruptTable, message).of_table(*id)
            }
        }
    }
}

impl ErrorView {
    /// Overload is logged at DEBUG only: a line for each shed request would add to the load.
    fn overloaded(load: Load, most: usize, share: &str) -> ErrorView {
        let taken = match load {
            Load::Connections => format!("{most} connections are open"),
            Load::Calls => format!("{most} calls are open"),
            Load::Watches => format!("{most} watches are open"),
            Load::Requests => format!("{most} requests are in progress"),
            Load::Positions => format!("{most} positions are in progress or unread"),
            Load::Searches => format!("searches take all of their places or memory ({most})"),
            Load::Memory => format!("clients take {most} bytes of memory"),
        };
        let message = format!("{taken}, the limit of this server, {share}; try again a little later");
        ErrorView::new(Code::ResourceExhausted, Level::DEBUG, ErrorReason::Overloaded, message)
            .with("limit", load.name())
            .with("most", most)
    }
}

impl Failure {
    /// The failure to open a table.
    pub(crate) fn of_table(material: Material, metric: Metric, folder: &Path, source: FormatError) -> Failure {
        let id = TableId { material, metric };
        Failure::Probe(TableError::of(id, folder.join(id.to_string()), source).into())
    }
}

/// The command that builds a table.
pub(crate) fn build_command(material: Material) -> String {
    format!("makruk-gen build {material}")
}

pub(crate) const fn error_reason(reason: Reason) -> ErrorReason {
    match reason {
        Reason::BadFen => ErrorReason::BadFen,
        Reason::IllegalPosition => ErrorReason::IllegalPosition,
        Reason::TooManyMen => ErrorReason::TooManyMen,
        Reason::BadCount => ErrorReason::BadCount,
        Reason::MissingTable => ErrorReason::MissingTable,
        Reason::UnreadableTable => ErrorReason::UnreadableTable,
        Reason::CorruptTable => ErrorReason::CorruptTable,
    }
}

impl ErrorView {
    /// The place of the mistake, for HTTP.
    pub(crate) fn place(&self) -> ErrorPlace {
        let metadata = |key| self.metadata.iter().find(|(of, _)| *of == key).map(|(_, value)| value);
        let of_fen = FenError::FIELDS.into_iter().find(|field| metadata("fen_field").is_some_and(|of| of == field));
        ErrorPlace {
            field: of_fen.or(self.field),
            found: metadata("found").cloned(),
            column: metadata("column").and_then(|column| column.parse().ok()),
        }
    }
}
