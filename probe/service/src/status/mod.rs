//! The status of a call that failed, for clients and for the log.
//!
//! Everything that can go wrong is a [`Failure`]. Its [`view`] follows by one match: gRPC code, reason, message and log
//! level. gRPC statuses, messages of a batch and HTTP responses are made from the view here.

mod log;
pub(crate) mod view;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use makruk_probe::{ProbeError, TableError};
use makruk_proto::{ERROR_DOMAIN, v1};
use makruk_research::FilterError;
use makruk_tables::material::ParseMaterialError;
use tokio::task::JoinError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::status::view::ErrorView;

/// The load that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Load {
    Connections,
    Calls,
    /// Health watches.
    Watches,
    /// Requests in progress.
    Requests,
    /// Positions in progress or unread.
    Positions,
    /// Searches for count saves.
    Searches,
    /// Bytes of connections, calls, unfinished requests and unread responses.
    Memory,
}

impl Load {
    pub(crate) const ALL: [Load; 7] =
        [Load::Connections, Load::Calls, Load::Watches, Load::Requests, Load::Positions, Load::Searches, Load::Memory];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Load::Connections => "connections",
            Load::Calls => "calls",
            Load::Watches => "watches",
            Load::Requests => "requests",
            Load::Positions => "positions",
            Load::Searches => "searches",
            Load::Memory => "memory",
        }
    }
}

/// A reason why a request fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The prober failed.
    Probe(ProbeError),
    /// A limit is reached.
    Overloaded { load: Load, most: usize },
    /// A limit is reached, and the address of this call holds the most.
    Displaced { load: Load, most: usize },
    /// The answer was not ready before the deadline.
    Deadline { limit: Duration },
    /// The work panicked, or the server stopped under it.
    Broken { error: Arc<JoinError> },
    /// A batch is too long.
    TooManyPositions { positions: usize, most: usize },
    /// A message is too long.
    TooLarge { most: usize },
    /// A text that is not a material.
    Material(ParseMaterialError),
    /// The material of two bare kings.
    BareKings,
    /// An unknown policy.
    Policy(String),
    /// A filter of count saves that cannot be parsed.
    Filter(FilterError),
    /// A cursor that cannot be parsed, or that is outside of the search.
    Cursor(String),
    /// An unknown side.
    Side(String),
    /// The request names no material, or too many.
    Materials { given: usize, most: usize },
    /// A query or body that cannot be parsed.
    Query(String),
    /// The request has no valid token.
    Unauthenticated,
    /// The server accepts nothing more.
    ShuttingDown,
    /// Nothing has moved in a stream for so long.
    Idle { limit: Duration },
    /// A message that the protocol does not have.
    Malformed,
    /// A path that no route has, or a method of gRPC that does not exist.
    NotFound,
    /// A method of HTTP that the route does not have.
    MethodNotAllowed,
    /// The failure of work that other requests wait for too.
    Shared(Arc<Failure>),
}

impl Failure {
    /// The failure that tonic makes of a call on its own, without details; `None` for one that carries details.
    pub(crate) fn of_tonic(code: Code, has_details: bool, message: &str, most_bytes: usize) -> Option<Failure> {
        match code {
            _ if has_details => None,
            // The only internal error of tonic's own is a message that cannot be decoded.
            Code::Internal => Some(Failure::Malformed),
            Code::OutOfRange => Some(Failure::TooLarge { most: most_bytes }),
            // With a message, a method exists and the request uses a part of gRPC that the server does not have.
            Code::Unimplemented if message.is_empty() => Some(Failure::NotFound),
            _ => None,
        }
    }

    pub(crate) fn view(&self) -> ErrorView {
        self.into()
    }

    /// The result for one position of a batch.
    pub(crate) fn into_message(self) -> v1::ProbeError {
        let ErrorView { code, reason, message, metadata, .. } = self.view();
        v1::ProbeError {
            code: code.into(),
            reason: reason.into(),
            message,
            metadata: metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
        }
    }

    /// The HTTP status, the reason as in `query --json`, the message, and the delay after which to try again.
    pub(crate) fn into_http(self) -> (StatusCode, String, String, Option<Duration>) {
        let retry = self.retry_delay();
        let ErrorView { code, reason, message, .. } = self.view();
        let status = match reason {
            v1::ErrorReason::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            v1::ErrorReason::NotFound => StatusCode::NOT_FOUND,
            v1::ErrorReason::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            _ => http_status(code),
        };
        (status, reason.reason().to_ascii_lowercase(), message, retry)
    }

    /// The delay after which to try again, where that may help. It is random, or all clients would come back at once.
    fn retry_delay(&self) -> Option<Duration> {
        match self {
            Failure::Overloaded { .. } | Failure::Displaced { .. } => {
                Some(Duration::from_millis(fastrand::u64(50..=250)))
            }
            Failure::Probe(ProbeError::Table(TableError::Unreadable { .. })) => Some(Duration::from_secs(1)),
            Failure::ShuttingDown => Some(Duration::from_millis(fastrand::u64(500..=1500))),
            Failure::Shared(failure) => failure.retry_delay(),
            _ => None,
        }
    }
}

/// The HTTP status of a gRPC code, by the mapping of google.rpc.Code.
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

impl From<Failure> for Status {
    fn from(failure: Failure) -> Status {
        let retry = failure.retry_delay();
        let ErrorView { code, reason, field, message, metadata, .. } = failure.view();
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

#[cfg(test)]
mod tests {
    use makruk_probe::{Reason, TableId};
    use makruk_proto::v1::ErrorReason;
    use makruk_tables::material::Material;
    use makruk_tables::value::Metric;

    use super::view::error_reason;
    use super::*;

    #[test]
    fn reasons_are_those_of_the_command_line_in_capitals() {
        for reason in Reason::ALL {
            assert_eq!(error_reason(reason).reason(), reason.name().to_ascii_uppercase());
        }
    }

    #[test]
    fn documents_name_every_reason_and_limit() {
        // The descriptors have the comments of the .proto files.
        let protocol = String::from_utf8_lossy(v1::FILE_DESCRIPTOR_SET);
        for load in Load::ALL {
            assert!(protocol.contains(&format!("\"{}\"", load.name())), "{}", load.name());
        }
        let manual = include_str!("../../README.md");
        for reason in (1..).map_while(|number| ErrorReason::try_from(number).ok()) {
            assert!(manual.contains(&format!("`{}`", reason.reason())), "{}", reason.reason());
        }
    }

    #[test]
    fn clients_never_see_folders_of_the_server() {
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
    fn retryable_failures_carry_a_delay() {
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
