//! The layer that admits calls: each is named, checked, timed and counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use http::header::{ALLOW, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, StatusCode, Version};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tonic::{Code, Status};
use tracing::Instrument;

use crate::admission::call_guard::{CallGuard, TrailersBody};
use crate::admission::connection::ConnectionState;
use crate::admission::endpoint::{CallKind, Endpoint};
use crate::admission::headers::{
    GRPC_DETAILS, REQUEST_ID, client_timeout, grpc_code, grpc_code_number, http_code, is_grpc, request_id,
};
use crate::admission::permits::{CallPermits, ResponsePermits};
use crate::admission::places::places;
use crate::admission::request_body::TimedBody;
use crate::admission::request_context::RequestContext;
use crate::admission::tokens::Tokens;
use crate::backend::Backend;
use crate::http::response::failure_response;
use crate::status::{Failure, Load};

/// Time that an answer found before the deadline has for being put together.
const GRACE: Duration = Duration::from_millis(20);

/// Admits calls to endpoints.
#[derive(Clone, Debug)]
pub(crate) struct AdmissionLayer {
    backend: Arc<Backend>,
    tokens: Arc<Tokens>,
    public_calls: Arc<Semaphore>,
    watches: Arc<Semaphore>,
}

impl AdmissionLayer {
    pub(crate) fn new(backend: Arc<Backend>, tokens: Arc<Tokens>) -> AdmissionLayer {
        let (public_calls, watches) = (places(backend.limits.calls), places(backend.limits.watches));
        AdmissionLayer { backend, tokens, public_calls, watches }
    }

    /// The methods of a route, every call of which is admitted to its endpoint.
    pub(crate) fn guard<S>(&self, endpoint: Endpoint, methods: MethodRouter<S>) -> MethodRouter<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        methods.layer(from_fn_with_state((self.clone(), endpoint), pass))
    }

    /// Takes the places of a call.
    fn take_places(&self, kind: CallKind, connection: Option<&ConnectionState>) -> Result<CallPermits, Failure> {
        let limits = &self.backend.limits;
        let take = |places: &Arc<Semaphore>, load: Load, most: usize| {
            Arc::clone(places).try_acquire_owned().map_err(|_| {
                self.backend.metrics.shed(load);
                Failure::Overloaded { load, most }
            })
        };
        let of_peer = match connection {
            Some(connection) => Some(take(&connection.peer.calls, Load::PeerCalls, limits.peer_share(limits.calls))?),
            None => None,
        };
        let of_connection = match (kind, connection) {
            (CallKind::Watch, Some(connection)) => {
                Some(take(&connection.watches, Load::Watches, limits.connection_watches)?)
            }
            _ => None,
        };
        let room = &self.backend.room;
        if let Some(connection) = connection
            && matches!(kind, CallKind::Request | CallKind::RequestStream)
            && !room.has_places(1, &room.calls, limits.calls, room.held(&connection.peer.calls, limits.calls))
        {
            self.backend.metrics.shed(Load::Calls);
            return Err(Failure::Overloaded { load: Load::Calls, most: limits.calls });
        }
        let of_server = match kind {
            CallKind::Request | CallKind::RequestStream => take(&self.backend.room.calls, Load::Calls, limits.calls)?,
            CallKind::Public => take(&self.public_calls, Load::Calls, limits.calls)?,
            CallKind::Watch => take(&self.watches, Load::Watches, limits.watches)?,
        };
        Ok(CallPermits { _of_server: of_server, _of_client: [of_peer, of_connection] })
    }

    /// Lets a call through, or returns why not.
    async fn admit(
        &self,
        endpoint: Endpoint,
        mut request: Request,
        next: Next,
    ) -> Result<(Response, CallPermits), Failure> {
        if !endpoint.kind.is_public() && !self.tokens.allow(request.headers().get(AUTHORIZATION)) {
            return Err(Failure::Unauthenticated);
        }
        let connection = request.extensions().get::<Arc<ConnectionState>>().cloned();
        let permits = self.take_places(endpoint.kind, connection.as_deref())?;
        let limits = &self.backend.limits;
        let time = client_timeout(request.headers()).map_or(limits.deadline, |client| client.min(limits.deadline));
        request.extensions_mut().insert(RequestContext::new(connection, time));
        if endpoint.kind == CallKind::RequestStream {
            let request = request.map(|body| Body::new(TimedBody::new(body, limits.deadline, limits.idle)));
            return Ok((next.run(request).await, permits));
        }
        // The work has the same deadline; this one is for messages that never come to their end, or never begin.
        match timeout(time + GRACE, next.run(request)).await {
            Ok(response) => Ok((response, permits)),
            Err(_) => Err(Failure::Deadline { limit: time }),
        }
    }
}

/// Every call passes through here.
async fn pass(
    State((admission, endpoint)): State<(AdmissionLayer, Endpoint)>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let is_grpc = is_grpc(request.headers());
    let leaves_body = request.version() < Version::HTTP_2 && has_body(request.headers());
    let id = request_id(request.headers());
    let span = tracing::info_span!("call", id = id.to_str().unwrap_or_default(), method = endpoint.name);
    let call = Arc::new(CallGuard::new(Arc::clone(&admission.backend.metrics), endpoint.name, begun));
    let outcome = admission.admit(endpoint, request, next).instrument(span.clone()).await;
    let fail = |failure: Failure| {
        span.in_scope(|| failure.log(endpoint.name));
        if is_grpc { Status::from(failure).into_http::<Body>() } else { failure_response("", failure) }
    };
    let (mut response, permits) = match outcome {
        Ok((response, permits)) => (with_details(response, is_grpc, &admission.backend, fail), Some(permits)),
        Err(failure) => (fail(failure), None),
    };
    if leaves_body && !response.status().is_success() {
        // The rest of the request's body is not read, so the connection cannot be used again.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    call.hold(permits, response.extensions_mut().remove::<ResponsePermits>());
    let code = match grpc_code(response.headers()) {
        Some(code) => code,
        // The trailers replace it, unless the client goes away before them.
        None if is_grpc => "CANCELLED",
        None => http_code(response.status().as_u16()),
    };
    call.set_code(code);
    let took = begun.elapsed();
    tracing::debug!(parent: &span, code, took_us = took.as_micros() as u64, "answered");
    response.headers_mut().insert(REQUEST_ID, id);
    response.extensions_mut().insert(Arc::clone(&call));
    if is_grpc && code == "CANCELLED" {
        return response.map(|body| Body::new(TrailersBody::new(body, call)));
    }
    response
}

/// Gives a failure of tonic's or axum's own the reason and details that all others have.
fn with_details(response: Response, is_grpc: bool, backend: &Backend, fail: impl Fn(Failure) -> Response) -> Response {
    let headers = response.headers();
    if is_grpc {
        let code = grpc_code_number(headers).map(Code::from_i32).unwrap_or(Code::Ok);
        let has_details = headers.contains_key(GRPC_DETAILS);
        let message = headers.get("grpc-message").and_then(|message| message.to_str().ok()).unwrap_or_default();
        return match Failure::of_tonic(code, has_details, message, backend.limits.message_bytes) {
            Some(failure) => fail(failure),
            None => response,
        };
    }
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = headers.get(ALLOW).cloned();
        let mut response = fail(Failure::MethodNotAllowed).into_response();
        if let Some(allowed) = allowed {
            response.headers_mut().insert(ALLOW, allowed);
        }
        return response;
    }
    response
}

/// Whether a request of HTTP/1.1 has a body.
fn has_body(headers: &HeaderMap) -> bool {
    let is_empty = headers.get(CONTENT_LENGTH).is_none_or(|length| length == "0");
    !is_empty || headers.contains_key(TRANSFER_ENCODING)
}
