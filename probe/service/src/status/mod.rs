//! The status of a call that failed, for clients and for the log.
//!
//! Everything that can go wrong is a [`Failure`]: a question that is [refused](Refusal), or a state of the server,
//! which is described as a refusal too. HTTP responses, gRPC statuses and lines of the log are made from refusals.

pub(crate) mod log;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Reason, Refusal, Remedy};
use makruk_probe::{ProbeError, TableError};
use makruk_proto::{ERROR_DOMAIN, v1};
use tokio::task::JoinError;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tracing::Level;

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
    /// The question is refused.
    Refused(Box<Refusal>),
    /// A limit is reached.
    Overloaded { load: Load, most: usize },
    /// A limit is reached, and the address of this call holds the most.
    Displaced { load: Load, most: usize },
    /// The answer was not ready before the deadline.
    Deadline { limit: Duration },
    /// The work panicked, or the server stopped under it.
    Broken { error: Arc<JoinError> },
    /// A message is too long.
    TooLarge { most: usize },
    /// The request has no valid token.
    Unauthenticated,
    /// The server accepts nothing more.
    ShuttingDown,
    /// Nothing has moved in a stream for so long.
    Idle { limit: Duration },
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
            Code::Internal => {
                let error = "the message cannot be decoded as a request of this method";
                Some(Refusal::misasked(Reason::BadRequest, "message", error).into())
            }
            Code::OutOfRange => Some(Failure::TooLarge { most: most_bytes }),
            // With a message, a method exists and the request uses a part of gRPC that the server does not have.
            Code::Unimplemented if message.is_empty() => Some(Failure::NotFound),
            _ => None,
        }
    }

    /// A query or body that cannot be parsed.
    pub(crate) fn query(problem: impl Into<String>) -> Failure {
        Refusal::misasked(Reason::BadRequest, "query", problem).into()
    }

    /// A body that cannot be read.
    pub(crate) fn body(problem: impl Into<String>) -> Failure {
        Refusal::misasked(Reason::BadRequest, "body", problem).into()
    }

    /// The failure as clients see it.
    pub(crate) fn refusal(&self) -> Cow<'_, Refusal> {
        Cow::Owned(match self {
            Failure::Refused(refusal) => return Cow::Borrowed(refusal),
            Failure::Shared(failure) => return failure.refusal(),
            Failure::Overloaded { load, most } => {
                overloaded(*load, *most, "and no address has more of them than this one")
            }
            Failure::Displaced { load, most } => overloaded(*load, *most, "and this address had the most of them"),
            Failure::Deadline { limit } => {
                let error = format!("no answer within {} ms, the deadline of this request", limit.as_millis());
                Refusal::new(Reason::DeadlineExceeded, error)
            }
            Failure::Idle { limit } => {
                let error = format!("this stream was idle for {} ms, the limit", limit.as_millis());
                Refusal::new(Reason::DeadlineExceeded, error)
            }
            Failure::Broken { .. } => {
                Refusal::new(Reason::Internal, "the server failed at this position; its log contains the cause")
            }
            Failure::TooLarge { most } => {
                let error = format!("the message is too long: this server reads at most {most} bytes");
                Refusal::new(Reason::TooLarge, error).with("most_bytes", most)
            }
            Failure::NotFound => {
                let error = "this address does not exist: /v1/openapi.json lists those of the service; with --admin, \
                             /metrics, /healthz and /readyz are at the address of that option";
                Refusal::new(Reason::NotFound, error)
            }
            Failure::MethodNotAllowed => {
                let error = "this path does not accept the method: the header \"allow\" lists those it accepts";
                Refusal::new(Reason::MethodNotAllowed, error)
            }
            Failure::Unauthenticated => {
                let error = "this server expects a token: \"authorization: Bearer TOKEN\"";
                Refusal::new(Reason::Unauthenticated, error)
            }
            Failure::ShuttingDown => Refusal::new(Reason::ShuttingDown, "the server is shutting down"),
        })
    }

    /// The level of the failure in the log: a mistake of the client's is the client's to log.
    fn level(&self) -> Level {
        match self {
            Failure::Refused(refusal) => level(refusal),
            Failure::Shared(failure) => failure.level(),
            Failure::Broken { .. } => Level::ERROR,
            Failure::Deadline { .. } => Level::WARN,
            // A line for each shed request would add to the load.
            _ => Level::DEBUG,
        }
    }

    /// The delay after which to try again, where that may help. It is random, or all clients would come back at once.
    pub(crate) fn retry_delay(&self) -> Option<Duration> {
        match self {
            Failure::Overloaded { .. } | Failure::Displaced { .. } => {
                Some(Duration::from_millis(fastrand::u64(50..=250)))
            }
            Failure::Refused(refusal) if refusal.reason == UNREADABLE => Some(Duration::from_secs(1)),
            Failure::ShuttingDown => Some(Duration::from_millis(fastrand::u64(500..=1500))),
            Failure::Shared(failure) => failure.retry_delay(),
            _ => None,
        }
    }
}

const UNREADABLE: Reason = Reason::Probe(makruk_probe::Reason::UnreadableTable);

/// The level of a refusal in the log: a table that is there and cannot be used is the operator's concern.
pub(crate) fn level(refusal: &Refusal) -> Level {
    match refusal.cause.as_deref() {
        None | Some(ProbeError::Fen(_) | ProbeError::Table(TableError::TooManyMen(_) | TableError::Missing { .. })) => {
            Level::DEBUG
        }
        Some(ProbeError::Table(_)) => Level::ERROR,
    }
}

fn overloaded(load: Load, most: usize, share: &str) -> Refusal {
    let taken = match load {
        Load::Connections => format!("{most} connections are open"),
        Load::Calls => format!("{most} calls are open"),
        Load::Watches => format!("{most} watches are open"),
        Load::Requests => format!("{most} requests are in progress"),
        Load::Positions => format!("{most} positions are in progress or unread"),
        Load::Searches => format!("searches take all of their places or memory ({most})"),
        Load::Memory => format!("clients take {most} bytes of memory"),
    };
    let error = format!("{taken}, the limit of this server, {share}; try again a little later");
    Refusal::new(Reason::Overloaded, error).with("limit", load.name()).with("most", most)
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Refusal::of(error, Remedy::Server).into()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(Box::new(refusal))
    }
}

/// The reason as the protocol numbers it.
pub(crate) fn error_reason(reason: Reason) -> v1::ErrorReason {
    let name = format!("ERROR_REASON_{}", reason.name().to_ascii_uppercase());
    v1::ErrorReason::from_str_name(&name).unwrap_or_default()
}

/// The code of gRPC.
pub(crate) fn code(refusal: &Refusal) -> Code {
    Code::from_i32(refusal.reason.grpc_code())
}

/// The metadata of google.rpc.ErrorInfo, and the field of the request that is wrong.
pub(crate) fn metadata(refusal: &Refusal) -> (HashMap<String, String>, Option<&'static str>) {
    use makruk_probe::Reason as P;

    let is_of_fen = matches!(refusal.reason, Reason::Probe(P::BadFen | P::IllegalPosition | P::BadCount));
    let field = if is_of_fen { Some("fen") } else { refusal.field };
    let fields = [
        ("fen_field", refusal.field.filter(|field| is_of_fen && *field != "fen").map(str::to_owned)),
        ("found", refusal.found.clone()),
        ("column", refusal.column.map(|column| column.to_string())),
        ("material", refusal.table.map(|id| id.material.to_string())),
        ("metric", refusal.table.map(|id| id.metric.to_string())),
        ("command", refusal.command.clone()),
    ];
    let fields = fields.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let metadata = fields.chain(refusal.details.iter().cloned()).map(|(key, value)| (key.to_owned(), value));
    (metadata.collect(), field)
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Status {
        let (retry, refusal) = (failure.retry_delay(), failure.refusal());
        let (metadata, field) = metadata(&refusal);
        let reason = error_reason(refusal.reason);
        let mut details = ErrorDetails::with_error_info(reason.reason(), ERROR_DOMAIN, metadata);
        if let Some(field) = field {
            details.add_bad_request_violation(field, &refusal.error);
        }
        if retry.is_some() {
            details.set_retry_info(retry);
        }
        Status::with_error_details(code(&refusal), &refusal.error, details)
    }
}

#[cfg(test)]
mod tests {
    use makruk_probe::TableId;
    use makruk_proto::v1::ErrorReason;
    use makruk_tables::material::Material;
    use makruk_tables::value::Metric;

    use super::*;

    #[test]
    fn the_protocol_has_every_reason() {
        let number = |reason: Reason| error_reason(reason) as i32;
        let all: std::collections::BTreeSet<i32> = Reason::all().map(number).collect();
        assert_eq!(all, (1..100).filter(|&number| ErrorReason::try_from(number).is_ok()).collect());
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
            Failure::from(ProbeError::Table(TableError::Corrupt {
                id: TableId { material: Material::all(3)[0], metric: Metric::Dtm },
                path: "/srv/tables/KRvK.dtm".into(),
                source: "/srv/tables/KRvK.dtm: offset 12".into(),
            }))
        };
        let cause = damaged().refusal().cause.as_ref().unwrap().to_string();
        assert!(cause.contains("/srv/tables"), "{cause}");
        let status = Status::from(damaged());
        assert_eq!(status.code(), Code::DataLoss);
        assert!(!status.message().contains("/srv"), "{status}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.domain.as_str(), info.reason.as_str()), ("makruk.v1", "CORRUPT_TABLE"));
        assert!(info.metadata["command"].starts_with("makruk-gen build K"));
        let json = serde_json::to_string(&*damaged().refusal()).unwrap();
        assert!(json.contains("corrupt_table") && !json.contains("/srv"), "{json}");
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
