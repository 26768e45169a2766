//! The status of a call that failed, for clients and for the log.
//!
//! Everything that can go wrong is a [`Failure`]: a question that is [refused](Refusal), or a state of the server,
//! which is described as a refusal too. HTTP responses, gRPC statuses and lines of the log are made from refusals.

pub(crate) mod log;

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

makruk_rules::names!(Load: Connections = "connections", Calls = "calls", Watches = "watches", Requests = "requests",
    Positions = "positions", Searches = "searches", Memory = "memory");

/// A reason why a request fails: a question that is refused, or a state of the server, described as a refusal too.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The failure as clients see it.
    pub(crate) refusal: Arc<Refusal>,
    /// The end of the work if it panicked, or if the server stopped under it.
    fault: Option<Arc<JoinError>>,
    /// Its level in the log.
    level: Level,
}

impl Failure {
    fn new(reason: Reason, error: impl Into<String>) -> Failure {
        Refusal::new(reason, error).into()
    }

    /// The failure of a request about this text.
    pub(crate) fn about(self, text: &str) -> Failure {
        let refusal = Arc::unwrap_or_clone(self.refusal);
        Failure { refusal: if text.is_empty() { refusal } else { refusal.about(text) }.into(), ..self }
    }

    /// A limit is reached; `share` says what the client has of it.
    pub(crate) fn overloaded(load: Load, most: usize, share: &str) -> Failure {
        let taken = match load {
            Load::Connections => format!("{most} connections are open"),
            Load::Calls => format!("{most} calls are open"),
            Load::Watches => format!("{most} watches are open"),
            Load::Requests => format!("{most} requests are in progress"),
            Load::Positions => format!("{most} positions are in progress or unread"),
            Load::Searches => format!("searches take all of the {most} places or MiB of memory that they may take"),
            Load::Memory => format!("clients take {most} bytes of memory"),
        };
        let error = format!("{taken}, the limit of this server, {share}; try again a little later");
        Refusal::new(Reason::Overloaded, error).with("limit", load.name()).with("most", most).into()
    }

    /// The answer was not ready before the deadline.
    pub(crate) fn deadline(limit: Duration) -> Failure {
        let error = format!("no answer within {} ms, the deadline of this request", limit.as_millis());
        Failure::new(Reason::DeadlineExceeded, error)
    }

    /// The client has closed its half of the connection, as one that leaves does.
    pub(crate) fn half_closed(after: Duration) -> Failure {
        let error = format!(
            "the client closed its half of the connection, and the answer takes longer than {} ms: keep the connection \
             open",
            after.as_millis()
        );
        Failure { level: Level::DEBUG, ..Failure::new(Reason::DeadlineExceeded, error) }
    }

    /// Nothing has moved in a stream for so long: its client has left it.
    pub(crate) fn idle(limit: Duration) -> Failure {
        let error = format!("this stream was idle for {} ms, the limit", limit.as_millis());
        Failure { level: Level::DEBUG, ..Failure::new(Reason::DeadlineExceeded, error) }
    }

    /// The work panicked, or the server stopped under it.
    pub(crate) fn broken(fault: JoinError) -> Failure {
        let error = "the server failed at this position; its log contains the cause";
        Failure { fault: Some(Arc::new(fault)), ..Failure::new(Reason::INTERNAL, error) }
    }

    /// A message is too long.
    pub(crate) fn too_large(most: usize) -> Failure {
        let error = format!("the message is too long: this server reads at most {most} bytes");
        Refusal::new(Reason::TooLarge, error).with("most_bytes", most).into()
    }

    /// The request has no valid token.
    pub(crate) fn unauthenticated() -> Failure {
        Failure::new(Reason::Unauthenticated, "this server expects a token: \"authorization: Bearer TOKEN\"")
    }

    /// The server accepts nothing more.
    pub(crate) fn shutting_down() -> Failure {
        Failure::new(Reason::ShuttingDown, "the server is shutting down")
    }

    /// A path that no route has, or a method of gRPC that does not exist.
    pub(crate) fn not_found() -> Failure {
        let error = "this address does not exist: /v1/openapi.json lists those of the service; with --admin, \
                     /metrics, /healthz and /readyz are at the address of that option";
        Failure::new(Reason::NotFound, error)
    }

    /// A method of HTTP that the route does not have.
    pub(crate) fn method_not_allowed() -> Failure {
        let error = "this path does not accept the method: the header \"allow\" lists those it accepts";
        Failure::new(Reason::MethodNotAllowed, error)
    }

    /// A part of a request, such as its query or its body, that cannot be read.
    pub(crate) fn unreadable(part: &'static str, problem: impl Into<String>) -> Failure {
        Refusal::misasked(Reason::BadRequest, part, problem).into()
    }

    /// The failure that tonic makes of a call on its own, without details; `None` for one that carries details.
    pub(crate) fn of_tonic(code: Code, has_details: bool, message: &str, most_bytes: usize) -> Option<Failure> {
        match code {
            _ if has_details => None,
            // The only internal error of tonic's own is a message that cannot be decoded.
            Code::Internal => {
                Some(Failure::unreadable("message", "the message cannot be decoded as a request of this method"))
            }
            Code::OutOfRange => Some(Failure::too_large(most_bytes)),
            Code::Unimplemented if message.is_empty() => Some(Failure::not_found()),
            // The method exists, and the request uses a part of gRPC that the server does not have: compression.
            Code::Unimplemented => Some(Failure::new(Reason::MethodNotAllowed, message)),
            _ => None,
        }
    }

    /// The delay after which to try again, where that may help. It is random, or all clients would come back at once.
    pub(crate) fn retry_delay(&self) -> Option<Duration> {
        let ms = match self.refusal.reason {
            Reason::Overloaded => fastrand::u64(50..=250),
            Reason::ShuttingDown => fastrand::u64(500..=1500),
            Reason::Probe(makruk_probe::Reason::UnreadableTable) => 1000,
            _ => return None,
        };
        Some(Duration::from_millis(ms))
    }
}

/// The remedies for tables that fail here. Those who ask have their own folders.
pub(crate) const REMEDY: Remedy = Remedy::Server(|material| makruk_console::missing_remedy(material, None));

/// The level of a refusal in the log: a mistake of the client's is the client's to log, and a line for each shed
/// request would add to the load. A table that is there and cannot be used is the operator's concern.
fn level(refusal: &Refusal) -> Level {
    match (refusal.reason, refusal.cause.as_deref()) {
        (Reason::INTERNAL, _) => Level::ERROR,
        (Reason::DeadlineExceeded, _) => Level::WARN,
        (_, Some(ProbeError::Table(TableError::TooManyMen(_) | TableError::Missing { .. }))) => Level::DEBUG,
        (_, Some(ProbeError::Table(_))) => Level::ERROR,
        _ => Level::DEBUG,
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Refusal::of(error, REMEDY).into()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Box::new(refusal).into()
    }
}

impl From<Box<Refusal>> for Failure {
    fn from(refusal: Box<Refusal>) -> Failure {
        Failure { level: level(&refusal), refusal: refusal.into(), fault: None }
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
        ("material", refusal.table().map(|id| id.material.to_string())),
        ("metric", refusal.table().map(|id| id.metric.to_string())),
        ("command", refusal.command.clone()),
    ];
    let fields = fields.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let metadata = fields.chain(refusal.details.iter().cloned()).map(|(key, value)| (key.to_owned(), value));
    (metadata.collect(), field)
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Status {
        let (retry, refusal) = (failure.retry_delay(), &failure.refusal);
        let (metadata, field) = metadata(refusal);
        let reason = error_reason(refusal.reason);
        let mut details = ErrorDetails::with_error_info(reason.reason(), ERROR_DOMAIN, metadata);
        if let Some(field) = field {
            details.add_bad_request_violation(field, &refusal.error);
        }
        if retry.is_some() {
            details.set_retry_info(retry);
        }
        Status::with_error_details(code(refusal), &refusal.error, details)
    }
}

#[cfg(test)]
mod tests {
    use makruk_proto::v1::ErrorReason;

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
    fn retryable_failures_carry_a_delay() {
        for load in Load::ALL {
            let status = Status::from(Failure::overloaded(load, 7, ""));
            assert_eq!(status.code(), Code::ResourceExhausted);
            let delay = status.get_details_retry_info().unwrap().retry_delay.unwrap();
            assert!((50..=250).contains(&delay.as_millis()), "{delay:?}");
            assert_eq!(status.get_details_error_info().unwrap().metadata["limit"], load.name());
        }
        assert!(Status::from(Failure::unauthenticated()).get_details_retry_info().is_none());
    }
}
