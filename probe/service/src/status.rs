//! What a failure is to the client, and to the log.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::StatusCode;
use makruk_proto::ERROR_DOMAIN;
use makruk_proto::v1::{self, ErrorReason};
use makruk_tables::format::{FormatError, Metric};
use makruk_tables::material::{Material, ParseMaterialError};
use makruk_tables::rules::{CountField, FenError};
use tokio::task::JoinError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

use makruk_probe::{ProbeError, Reason, TableError, TableId};
use makruk_research::FilterError;

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Load {
    /// Calls in all.
    Calls,
    /// Requests in work.
    Requests,
    /// Positions in all.
    Positions,
    /// Positions of the connection.
    ConnectionPositions,
    /// Searches for saves.
    Searches,
}

impl Load {
    pub(super) const ALL: [Load; 5] =
        [Load::Calls, Load::Requests, Load::Positions, Load::ConnectionPositions, Load::Searches];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Load::Calls => "calls",
            Load::Requests => "requests",
            Load::Positions => "positions",
            Load::ConnectionPositions => "connection_positions",
            Load::Searches => "searches",
        }
    }
}

/// Why a request fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// The prober says so.
    Probe(ProbeError),
    /// There is as much in work as may be.
    Overloaded { load: Load, most: usize },
    /// The answer took too long.
    Deadline { limit: Duration },
    /// The work panicked, or the server is going down under it.
    Broken { error: JoinError },
    /// A batch is too long.
    TooManyPositions { positions: usize, most: usize },
    /// A message is too long.
    TooLarge { most: usize },
    /// A text that names no set.
    Material(ParseMaterialError),
    /// The set of two bare kings.
    BareKings,
    /// A policy that there is none of.
    Policy(String),
    /// A filter of saves that can't be read.
    Filter(FilterError),
    /// A cursor that can't be read, or is no place of what was asked for.
    Cursor(String),
    /// A side that there is none of.
    Side(String),
    /// No set was named, or too many.
    Sets { sets: usize, most: usize },
    /// An option of the query that can't be read.
    Query(String),
    /// No such token.
    Unauthenticated,
    /// The server takes on nothing more.
    ShuttingDown,
    /// Nothing has moved in a stream for so long.
    Idle { limit: Duration },
}

/// Failures that are written to the log, in all.
static WRITTEN: Throttle = Throttle { second: AtomicU64::new(0), written: AtomicU32::new(0) };

/// Lets so much into the log that it can be read: a damaged table that everybody asks for would fill the disk. All are
/// counted in the metrics.
struct Throttle {
    /// The second since the start that is counted.
    second: AtomicU64,
    written: AtomicU32,
}

impl Throttle {
    const PER_SECOND: u32 = 20;

    fn may_write(&self) -> bool {
        static START: OnceLock<Instant> = OnceLock::new();
        let second = START.get_or_init(Instant::now).elapsed().as_secs();
        // Two threads at the turn of a second may let a few more through.
        if self.second.swap(second, Ordering::Relaxed) != second {
            self.written.store(0, Ordering::Relaxed);
        }
        self.written.fetch_add(1, Ordering::Relaxed) < Throttle::PER_SECOND
    }
}

/// A failure as others see it.
struct Face {
    code: Code,
    level: Level,
    reason: ErrorReason,
    /// The request's field to blame.
    field: Option<&'static str>,
    /// For the client: it says nothing of the server's folders.
    message: String,
    metadata: Vec<(&'static str, String)>,
}

impl Failure {
    /// Code, level, reason and text all follow from the error by this one match.
    fn face(&self) -> Face {
        let face =
            |code, level, reason, message| Face { code, level, reason, field: None, message, metadata: Vec::new() };
        // What clients do wrong is theirs to log.
        let misuse = |reason, field, message| Face {
            field: Some(field),
            ..face(Code::InvalidArgument, Level::DEBUG, reason, message)
        };
        match self {
            Failure::Probe(error) => {
                let reason = error_reason(error.reason());
                match error {
                    ProbeError::Fen(fen) => Face {
                        metadata: fen_field(fen).map(|field| ("fen_field", field.to_owned())).into_iter().collect(),
                        ..misuse(reason, "fen", error.to_string())
                    },
                    ProbeError::Material(_) | ProbeError::Table(TableError::Material(_)) => {
                        misuse(reason, "fen", error.to_string())
                    }
                    ProbeError::Table(
                        TableError::Missing { id, .. }
                        | TableError::Unreadable { id, .. }
                        | TableError::Unsupported { id, .. },
                    ) => Face {
                        metadata: table(id.material, id.metric),
                        ..face(
                            Code::NotFound,
                            Level::DEBUG,
                            reason,
                            format!("there is no table {id} here; `{}` makes it", build_command(id.material)),
                        )
                    },
                    ProbeError::Table(TableError::Corrupt { id, .. }) => Face {
                        metadata: table(id.material, id.metric),
                        ..face(
                            Code::DataLoss,
                            Level::ERROR,
                            reason,
                            format!(
                                "the table {id} is damaged (the server's log says where); delete it, and \
                                 `{}` makes it again",
                                build_command(id.material)
                            ),
                        )
                    },
                }
            }
            // Logged one by one, these would add to the load.
            Failure::Overloaded { load, most } => Face {
                metadata: vec![("limit", load.name().to_owned()), ("most", most.to_string())],
                ..face(
                    Code::ResourceExhausted,
                    Level::DEBUG,
                    ErrorReason::Overloaded,
                    match load {
                        Load::Calls => format!("{most} calls are open, as many as this server takes on"),
                        Load::Requests => format!("{most} requests are in work, as many as this server takes on"),
                        Load::Positions => format!("{most} positions are in work, as many as this server takes on"),
                        Load::ConnectionPositions => {
                            format!("this connection has {most} positions in work or unread, as many as one may have")
                        }
                        Load::Searches => format!("{most} searches are open, as many as this server takes on"),
                    } + "; try again a little later",
                )
            },
            Failure::Deadline { limit } => face(
                Code::DeadlineExceeded,
                Level::WARN,
                ErrorReason::DeadlineExceeded,
                format!("no answer within {} ms, the time this request has", limit.as_millis()),
            ),
            Failure::Idle { limit } => face(
                Code::DeadlineExceeded,
                Level::DEBUG,
                ErrorReason::DeadlineExceeded,
                format!("nothing has moved in this stream for {} ms", limit.as_millis()),
            ),
            Failure::Broken { .. } => face(
                Code::Internal,
                Level::ERROR,
                ErrorReason::Internal,
                "the server failed at this position; its log says how".to_owned(),
            ),
            Failure::TooManyPositions { positions, most } => Face {
                metadata: vec![("positions", positions.to_string()), ("most", most.to_string())],
                ..misuse(
                    ErrorReason::TooManyPositions,
                    "fens",
                    format!("the batch has {positions} positions: this server takes at most {most}"),
                )
            },
            Failure::TooLarge { most } => Face {
                metadata: vec![("most_bytes", most.to_string())],
                ..face(
                    Code::OutOfRange,
                    Level::DEBUG,
                    ErrorReason::TooLarge,
                    format!("the message is too long: this server reads at most {most} bytes"),
                )
            },
            Failure::Material(error) => misuse(ErrorReason::BadMaterial, "material", error.to_string()),
            Failure::BareKings => misuse(
                ErrorReason::BadMaterial,
                "material",
                "two bare kings have no table: they always draw".to_owned(),
            ),
            Failure::Policy(given) => misuse(
                ErrorReason::BadPolicy,
                "policy",
                format!("{given} is no policy: expected fastest, safest, stubborn or tricky"),
            ),
            Failure::Filter(error) => Face {
                metadata: vec![("column", error.column.to_string())],
                ..misuse(ErrorReason::BadFilter, "filter", error.to_string())
            },
            Failure::Cursor(problem) => misuse(ErrorReason::BadCursor, "cursor", problem.clone()),
            Failure::Side(given) => {
                misuse(ErrorReason::BadSide, "side", format!("{given} is no side: expected white or black"))
            }
            Failure::Sets { sets, most } => {
                misuse(ErrorReason::BadMaterial, "materials", format!("{sets} sets are named: expected 1 to {most}"))
            }
            Failure::Query(problem) => misuse(ErrorReason::BadRequest, "query", problem.clone()),
            Failure::Unauthenticated => face(
                Code::Unauthenticated,
                Level::DEBUG,
                ErrorReason::Unauthenticated,
                "this server asks for a token: \"authorization: Bearer TOKEN\"".to_owned(),
            ),
            Failure::ShuttingDown => face(
                Code::Unavailable,
                Level::DEBUG,
                ErrorReason::ShuttingDown,
                "the server is shutting down".to_owned(),
            ),
        }
    }

    /// Everything there is to know, for the log.
    fn detail(&self) -> String {
        match self {
            Failure::Probe(error) => error.to_string(),
            Failure::Broken { error } => error.to_string(),
            _ => self.face().message,
        }
    }

    /// Writes it to the log, with the text that was asked about.
    pub(super) fn log(&self, asked: &str) {
        let Face { code, level, reason, .. } = self.face();
        let is_written = if level == Level::DEBUG { tracing::enabled!(Level::DEBUG) } else { WRITTEN.may_write() };
        if !is_written {
            return;
        }
        let (reason, detail) = (reason.reason(), self.detail());
        let asked: String = asked.chars().take(100).collect();
        macro_rules! write {
            ($level:expr) => {
                tracing::event!($level, asked = ?asked, code = ?code, reason, "{detail}")
            };
        }
        match level {
            Level::ERROR => write!(Level::ERROR),
            Level::WARN => write!(Level::WARN),
            Level::INFO => write!(Level::INFO),
            _ => write!(Level::DEBUG),
        }
    }

    /// As the answer to one of many positions.
    pub(super) fn into_message(self) -> v1::ProbeError {
        let Face { code, reason, message, metadata, .. } = self.face();
        v1::ProbeError {
            code: code.into(),
            reason: reason.into(),
            message,
            metadata: metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        }
    }

    /// As HTTP has it: the status, the reason as in `query --json`, the sentence, and when to try again.
    pub(super) fn into_http(self) -> (StatusCode, String, String, Option<Duration>) {
        let retry = self.retry();
        let Face { code, reason, message, .. } = self.face();
        (http_status(code), reason.reason().to_ascii_lowercase(), message, retry)
    }

    /// How long to wait before trying again, where that may help. Not the same for all, or all would come back at once.
    fn retry(&self) -> Option<Duration> {
        match self {
            Failure::Overloaded { .. } => Some(Duration::from_millis(fastrand::u64(50..=250))),
            Failure::ShuttingDown => Some(Duration::from_millis(fastrand::u64(500..=1500))),
            _ => None,
        }
    }
}

/// The HTTP status of a gRPC code, as google.rpc.Code maps them.
const fn http_status(code: Code) -> StatusCode {
    match code {
        Code::InvalidArgument | Code::OutOfRange => StatusCode::BAD_REQUEST,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Probe(error)
    }
}

impl Failure {
    /// What opening a table came to.
    pub(super) fn of_table(
        material: Material,
        metric: Metric,
        folder: &std::path::Path,
        source: FormatError,
    ) -> Failure {
        let id = TableId { material, metric };
        Failure::Probe(TableError::of(id, folder.join(id.to_string()), source).into())
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Status {
        let retry = failure.retry();
        let Face { code, reason, field, message, metadata, .. } = failure.face();
        let metadata: HashMap<String, String> =
            metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let mut details = ErrorDetails::with_error_info(reason.reason(), ERROR_DOMAIN, metadata);
        if let Some(field) = field {
            details.add_bad_request_violation(field, &message);
        }
        if retry.is_some() {
            details.set_retry_info(retry);
        }
        Status::with_error_details(code, message, details)
    }
}

const fn error_reason(reason: Reason) -> ErrorReason {
    match reason {
        Reason::BadFen => ErrorReason::BadFen,
        Reason::IllegalPosition => ErrorReason::IllegalPosition,
        Reason::HasPawns => ErrorReason::HasPawns,
        Reason::TooManyMen => ErrorReason::TooManyMen,
        Reason::BadCount => ErrorReason::BadCount,
        Reason::MissingTable => ErrorReason::MissingTable,
        Reason::CorruptTable => ErrorReason::CorruptTable,
    }
}

/// What builds a table.
pub(super) fn build_command(material: Material) -> String {
    format!("makruk-gen build {material}")
}

fn table(material: Material, metric: Metric) -> Vec<(&'static str, String)> {
    vec![("material", material.to_string()), ("metric", metric.to_string()), ("command", build_command(material))]
}

/// The FEN's field to blame, if it is one.
fn fen_field(error: &FenError) -> Option<&'static str> {
    match error {
        FenError::Empty | FenError::TooLong { .. } | FenError::ExtraField(_) => None,
        FenError::RankCount { .. }
        | FenError::RankLength { .. }
        | FenError::UnknownLetter { .. }
        | FenError::PromotedMark { .. }
        | FenError::IllegalPosition(_) => Some("board"),
        FenError::MissingSide | FenError::UnknownSide(_) => Some("side"),
        FenError::Count { field: CountField::Limit, .. } => Some("limit"),
        FenError::Count { field: CountField::Ply, .. } => Some("ply"),
        FenError::Fullmove(_) => Some("fullmove"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_those_of_the_command_line_in_capitals() {
        for reason in Reason::ALL {
            assert_eq!(error_reason(reason).reason(), reason.name().to_ascii_uppercase());
        }
    }

    #[test]
    fn a_damaged_table_is_told_without_the_servers_folders() {
        let damaged = || {
            Failure::Probe(ProbeError::Table(TableError::Corrupt {
                id: TableId { material: Material::all(3)[0], metric: Metric::Dtm },
                path: "/srv/tables/KRvK.dtm".into(),
                source: "/srv/tables/KRvK.dtm: offset 12".into(),
            }))
        };
        assert!(damaged().detail().contains("/srv/tables"));
        let status = Status::from(damaged());
        assert_eq!(status.code(), Code::DataLoss);
        assert!(!status.message().contains("/srv"), "{status}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.domain.as_str(), info.reason.as_str()), ("makruk.v1", "CORRUPT_TABLE"));
        assert!(info.metadata["command"].starts_with("makruk-gen build K"));
        let message = damaged().into_message();
        assert!(
            message.code == 15 && message.reason() == ErrorReason::CorruptTable && !message.message.contains("/srv")
        );
        assert!(!damaged().into_http().2.contains("/srv"));
    }

    #[test]
    fn what_may_be_tried_again_says_when() {
        for load in Load::ALL {
            let status = Status::from(Failure::Overloaded { load, most: 7 });
            assert_eq!(status.code(), Code::ResourceExhausted);
            let delay = status.get_details_retry_info().unwrap().retry_delay.unwrap();
            assert!((50..=250).contains(&delay.as_millis()), "{delay:?}");
            assert_eq!(status.get_details_error_info().unwrap().metadata["limit"], load.name());
        }
        assert!(Status::from(Failure::Unauthenticated).get_details_retry_info().is_none());
    }
}
