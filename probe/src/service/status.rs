//! What a failure is to the client, and to the log.

use std::collections::HashMap;
use std::time::Duration;

use makruk_proto::ERROR_DOMAIN;
use makruk_proto::v1::ErrorReason;
use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::{CountField, FenError};
use tokio::task::JoinError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

use crate::{ProbeError, Reason, TableError};

/// Why a request fails.
#[derive(Debug)]
pub(super) enum Failure {
    /// The prober says so.
    Probe(ProbeError),
    /// As many requests are in work as may be.
    Overloaded { in_flight: usize },
    /// The answer took too long.
    Deadline { limit: Duration },
    /// The work panicked, or the server is going down under it.
    Broken { error: JoinError },
}

/// A failure as others see it.
struct Face {
    code: Code,
    level: Level,
    reason: ErrorReason,
    /// For the client: it says nothing of the server's folders.
    message: String,
    metadata: Vec<(&'static str, String)>,
}

impl Failure {
    /// Code, level, reason and text all follow from the error by this one match.
    fn face(&self) -> Face {
        let face = |code, level, reason, message| Face { code, level, reason, message, metadata: Vec::new() };
        match self {
            Failure::Probe(error) => {
                let reason = error.reason().into();
                match error {
                    ProbeError::Fen(fen) => Face {
                        metadata: fen_field(fen).map(|field| ("fen_field", field.to_owned())).into_iter().collect(),
                        ..face(Code::InvalidArgument, Level::DEBUG, reason, error.to_string())
                    },
                    ProbeError::Material(_) => face(Code::InvalidArgument, Level::DEBUG, reason, error.to_string()),
                    ProbeError::Table(TableError::Missing { material, metric, .. }) => Face {
                        metadata: table(*material, *metric),
                        ..face(
                            Code::NotFound,
                            Level::INFO,
                            reason,
                            format!("there is no table {material}.{metric} here; `{}` makes it", command(*material)),
                        )
                    },
                    ProbeError::Table(TableError::Corrupt { material, metric, .. }) => Face {
                        metadata: table(*material, *metric),
                        ..face(
                            Code::DataLoss,
                            Level::ERROR,
                            reason,
                            format!(
                                "the table {material}.{metric} is damaged (the server's log says where); delete it, and \
                                 `{}` makes it again",
                                command(*material)
                            ),
                        )
                    },
                }
            }
            // Logged one by one, these would add to the load.
            Failure::Overloaded { in_flight } => face(
                Code::ResourceExhausted,
                Level::DEBUG,
                ErrorReason::Overloaded,
                format!("{in_flight} requests are in work, as many as this server takes on; try again a little later"),
            ),
            Failure::Deadline { limit } => face(
                Code::DeadlineExceeded,
                Level::WARN,
                ErrorReason::DeadlineExceeded,
                format!("no answer within {} ms, the time this server gives a request", limit.as_millis()),
            ),
            Failure::Broken { .. } => face(
                Code::Internal,
                Level::ERROR,
                ErrorReason::Internal,
                "the server failed at this position; its log says how".to_owned(),
            ),
        }
    }

    /// Everything there is to know, for the log.
    fn detail(&self) -> String {
        match self {
            Failure::Probe(error) => error.to_string(),
            Failure::Broken { error } => error.to_string(),
            Failure::Overloaded { .. } | Failure::Deadline { .. } => self.face().message,
        }
    }

    /// Writes it to the log; `fen` is the request's.
    pub(super) fn log(&self, fen: &str) {
        let Face { code, level, reason, .. } = self.face();
        let (reason, detail) = (reason.reason(), self.detail());
        let fen: String = fen.chars().take(100).collect();
        macro_rules! write {
            ($level:expr) => {
                tracing::event!($level, fen = ?fen, code = ?code, reason, "{detail}")
            };
        }
        match level {
            Level::ERROR => write!(Level::ERROR),
            Level::WARN => write!(Level::WARN),
            Level::INFO => write!(Level::INFO),
            _ => write!(Level::DEBUG),
        }
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Status {
        let Face { code, reason, message, metadata, .. } = failure.face();
        let metadata: HashMap<String, String> =
            metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let mut details = ErrorDetails::with_error_info(reason.reason(), ERROR_DOMAIN, metadata);
        if code == Code::InvalidArgument {
            details.add_bad_request_violation("fen", &message);
        }
        Status::with_error_details(code, message, details)
    }
}

impl From<Reason> for ErrorReason {
    fn from(reason: Reason) -> ErrorReason {
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
}

/// What builds a table.
fn command(material: Material) -> String {
    format!("makruk-gen build {material}")
}

fn table(material: Material, metric: Metric) -> Vec<(&'static str, String)> {
    vec![("material", material.to_string()), ("metric", metric.to_string()), ("command", command(material))]
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
            assert_eq!(ErrorReason::from(reason).reason(), reason.name().to_ascii_uppercase());
        }
    }

    #[test]
    fn a_damaged_table_is_told_without_the_servers_folders() {
        let failure = Failure::Probe(ProbeError::Table(TableError::Corrupt {
            material: Material::all(3)[0],
            metric: Metric::Dtm,
            source: "/srv/tables/KRvK.dtm: offset 12".into(),
        }));
        assert!(failure.detail().contains("/srv/tables"));
        let status = Status::from(failure);
        assert_eq!(status.code(), Code::DataLoss);
        assert!(!status.message().contains("/srv"), "{status}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.domain.as_str(), info.reason.as_str()), ("makruk.v1", "CORRUPT_TABLE"));
        assert!(info.metadata["command"].starts_with("makruk-gen build K"));
    }
}
