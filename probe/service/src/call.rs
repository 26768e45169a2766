//! A call, from its headers to the end of its answer: identified, admitted, timed, counted.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tonic::Status;
use tracing::Instrument;

use super::answer::{Unread, failure_response};
use super::auth::Tokens;
use super::engine::Engine;
use super::jobs::Asker;
use super::method::{Kind, Method};
use super::status::{Failure, Load};

/// Tells one call from another in logs.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const GRPC_STATUS: &str = "grpc-status";
const GRPC_TIMEOUT: &str = "grpc-timeout";
/// The longest request id that is taken over from a client.
const MAX_ID_BYTES: usize = 64;

/// Whom calls have to pass.
#[derive(Debug)]
pub(super) struct Gate {
    engine: Arc<Engine>,
    tokens: Arc<Tokens>,
    calls: Arc<Semaphore>,
}

/// What a connection's calls share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The positions that it may still have in work or unread.
    pub(super) positions: Arc<Semaphore>,
    /// When the connection began.
    begun: Instant,
    /// Answers that wait for the client to read what it was sent.
    waiting: AtomicI64,
    /// When any of its answers last moved, in milliseconds after `begun`.
    moved: AtomicU64,
}

impl Shared {
    pub(super) fn new(positions: usize) -> Shared {
        Shared {
            positions: Arc::new(Semaphore::new(positions.clamp(1, Semaphore::MAX_PERMITS))),
            begun: Instant::now(),
            waiting: AtomicI64::new(0),
            moved: AtomicU64::new(0),
        }
    }

    /// For how long the client has read nothing of what waits for it.
    pub(super) fn stalled_for(&self) -> Option<Duration> {
        let moved = Duration::from_millis(self.moved.load(Ordering::Relaxed));
        (self.waiting.load(Ordering::Relaxed) > 0).then(|| self.begun.elapsed().saturating_sub(moved))
    }

    fn wait(&self, by: i64) {
        self.moved.store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
        self.waiting.fetch_add(by, Ordering::Relaxed);
    }
}

impl Gate {
    pub(super) fn new(engine: Arc<Engine>, tokens: Arc<Tokens>) -> Gate {
        let calls = engine.limits.calls.clamp(1, Semaphore::MAX_PERMITS);
        Gate { engine, tokens, calls: Arc::new(Semaphore::new(calls)) }
    }

    /// Lets a call through, or says why not.
    async fn admit(
        &self,
        method: Method,
        mut request: Request,
        next: Next,
    ) -> Result<(Response, Option<OwnedSemaphorePermit>), Failure> {
        if method.kind == Kind::Open {
            return Ok((next.run(request).await, None));
        }
        if !self.tokens.allow(request.headers().get(AUTHORIZATION)) {
            return Err(Failure::Unauthenticated);
        }
        let limits = &self.engine.limits;
        let Ok(place) = Arc::clone(&self.calls).try_acquire_owned() else {
            self.engine.metrics.shed(Load::Calls);
            return Err(Failure::Overloaded { load: Load::Calls, most: limits.calls });
        };
        let time = client_timeout(request.headers()).map_or(limits.deadline, |theirs| theirs.min(limits.deadline));
        let connection = request.extensions().get::<Arc<Shared>>().map(|shared| Arc::clone(&shared.positions));
        request.extensions_mut().insert(Asker::new(connection, time));
        if method.kind == Kind::Stream {
            return Ok((next.run(request).await, Some(place)));
        }
        // The work has the same time; this is for messages that never come to their end.
        match timeout(time + LATE, next.run(request)).await {
            Ok(response) => Ok((response, Some(place))),
            Err(_) => Err(Failure::Deadline { limit: time }),
        }
    }
}

/// What an answer that came to be in time may take to be put together.
const LATE: Duration = Duration::from_millis(20);

/// Every call goes through here.
pub(super) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = Method::of(request.uri().path());
    let is_grpc = is_grpc(request.headers());
    let id = request_id(request.headers());
    let shared = request.extensions().get::<Arc<Shared>>().cloned();
    let span = tracing::info_span!("call", id = id.to_str().unwrap_or_default(), method = method.name);
    let metrics = Arc::clone(&gate.engine.metrics);
    metrics.calls_open.inc();
    let mut open = Open { metrics, method: method.name, begun, code: "CANCELLED", place: None, unread: None };
    let outcome = gate.admit(method, request, next).instrument(span.clone()).await;
    let fail = |failure: Failure| {
        span.in_scope(|| failure.log(method.name));
        if is_grpc { Status::from(failure).into_http::<Body>() } else { failure_response("", failure) }
    };
    let mut response = match outcome {
        Ok((response, place)) => {
            open.place = place;
            // tonic says this without details.
            if is_grpc && grpc_code(response.headers()) == Some("OUT_OF_RANGE") {
                fail(Failure::TooLarge { most: gate.engine.limits.message_bytes })
            } else {
                response
            }
        }
        Err(failure) => fail(failure),
    };
    open.unread = response.extensions_mut().remove::<Unread>();
    open.code = match grpc_code(response.headers()) {
        Some(code) => code,
        // The trailers will tell, or else the client has not heard it to the end.
        None if is_grpc => "CANCELLED",
        None => http_code(response.status().as_u16()),
    };
    let took = begun.elapsed();
    tracing::debug!(parent: &span, code = open.code, took_us = took.as_micros() as u64, "answered");
    response.headers_mut().insert(REQUEST_ID, id);
    response.map(|body| Body::new(Answer { body, waits: false, shared, open }))
}

/// A call under way; dropped when it has ended, however that came about.
struct Open {
    metrics: Arc<super::metrics::Metrics>,
    method: &'static str,
    begun: Instant,
    code: &'static str,
    place: Option<OwnedSemaphorePermit>,
    unread: Option<Unread>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.metrics.calls_open.dec();
        self.metrics.call_ended(self.method, self.code, self.begun.elapsed());
    }
}

pin_project! {
    /// An answer's body, which knows how its call ends and whether the client reads.
    struct Answer {
        #[pin]
        body: Body,
        // Whether a part of it was handed over and the next one not asked for yet.
        waits: bool,
        shared: Option<Arc<Shared>>,
        open: Open,
    }

    impl PinnedDrop for Answer {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            if let (true, Some(shared)) = (*this.waits, this.shared) {
                shared.wait(-1);
            }
        }
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.project();
        if std::mem::take(this.waits)
            && let Some(shared) = this.shared
        {
            shared.wait(-1);
        }
        let frame = this.body.poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            if let Some(code) = frame.trailers_ref().and_then(grpc_code) {
                this.open.code = code;
            }
            *this.waits = true;
            if let Some(shared) = this.shared {
                shared.wait(1);
            }
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        // The end is asked for only when there is room for more, so that the last part too holds its places until it is written.
        !self.waits && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(http::header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

/// The client's id if it is one to be trusted with a line of a log, else a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_plain = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        (1..=MAX_ID_BYTES).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
    };
    let theirs = headers.get(REQUEST_ID).filter(is_plain).cloned();
    theirs.unwrap_or_else(|| {
        let id = format!("{:016x}", fastrand::u64(..));
        HeaderValue::try_from(id).unwrap_or_else(|_| HeaderValue::from_static("-"))
    })
}

/// The time that a gRPC client gives a call: up to eight digits and a unit.
fn client_timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(GRPC_TIMEOUT)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(amount * 3600),
        "M" => Duration::from_secs(amount * 60),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    })
}

/// The name of the gRPC status in headers or trailers.
fn grpc_code(headers: &HeaderMap) -> Option<&'static str> {
    const NAMES: [&str; 17] = [
        "OK",
        "CANCELLED",
        "UNKNOWN",
        "INVALID_ARGUMENT",
        "DEADLINE_EXCEEDED",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAVAILABLE",
        "DATA_LOSS",
        "UNAUTHENTICATED",
    ];
    let code: usize = headers.get(GRPC_STATUS)?.to_str().ok()?.parse().ok()?;
    NAMES.get(code).copied()
}

/// An HTTP status as a label: those that are sent, and the rest by kind.
const fn http_code(status: u16) -> &'static str {
    match status {
        200 => "200",
        400 => "400",
        401 => "401",
        404 => "404",
        405 => "405",
        413 => "413",
        429 => "429",
        500 => "500",
        503 => "503",
        504 => "504",
        100..=199 => "1xx",
        201..=299 => "2xx",
        300..=399 => "3xx",
        402..=499 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &'static [u8]) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_bytes(value).unwrap())])
    }

    #[test]
    fn ids_that_would_spoil_a_log_are_not_taken_over() {
        let id = |value| request_id(&headers(REQUEST_ID, value)).to_str().unwrap().to_owned();
        assert_eq!(id(b"abc-123"), "abc-123");
        for bad in [&b""[..], b"two words", b"\xff", &[b'x'; 65]] {
            let id = id(bad);
            assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        }
        assert_ne!(request_id(&HeaderMap::new()), request_id(&HeaderMap::new()));
    }

    #[test]
    fn timeouts_as_grpc_writes_them() {
        let time = |value| client_timeout(&headers(HeaderName::from_static(GRPC_TIMEOUT), value));
        assert_eq!(time(b"1S"), Some(Duration::from_secs(1)));
        assert_eq!(time(b"99999999m"), Some(Duration::from_millis(99_999_999)));
        assert_eq!(time(b"2H"), Some(Duration::from_secs(7200)));
        assert_eq!(time(b"500u"), Some(Duration::from_micros(500)));
        for bad in [&b""[..], b"S", b"1", b"-1S", b"1.5S", b"123456789S", b"5x", b"5\xc3\xa4"] {
            assert_eq!(time(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_connection_stalls_only_while_something_waits() {
        let shared = Shared::new(1);
        assert_eq!(shared.stalled_for(), None);
        shared.wait(1);
        std::thread::sleep(Duration::from_millis(20));
        assert!(shared.stalled_for().unwrap() >= Duration::from_millis(15));
        shared.wait(1);
        assert!(shared.stalled_for().unwrap() < Duration::from_millis(15));
        shared.wait(-1);
        shared.wait(-1);
        assert_eq!(shared.stalled_for(), None);
    }
}
