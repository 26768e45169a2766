//! The layer that admits calls: each is named, checked, timed and counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::{HeaderValue, StatusCode, Version};
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::timeout;
use tonic::{Code, Status};
use tracing::Instrument;

use crate::admission::call::{Call, CallBytes};
use crate::admission::connection::Connection;
use crate::admission::headers::{GRPC_DETAILS, REQUEST_ID, client_timeout, grpc_code, is_grpc, request_id};
use crate::admission::pool::Grant;
use crate::admission::request_context::RequestContext;
use crate::admission::unread::end_with_call;
use crate::backend::Backend;
use crate::http::response::failure_response;
use crate::metrics::CallCode;
use crate::status::Failure;

/// Time that an answer found before the deadline has for being put together.
const GRACE: Duration = Duration::from_millis(20);

/// A route as metrics and logs name it, and how calls to it are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) name: &'static str,
    pub(crate) kind: CallKind,
}

/// The rules by which calls to an endpoint are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// One request, and a response that begins before the deadline.
    Request,
    /// A stream of requests, which must move.
    RequestStream,
    /// Like `Request`, without a token: health and the page, which need no table.
    Public,
    /// Like `Public`, with separate places and a response that never ends: a watch of health.
    Watch,
}

/// The methods of a route, every call of which is admitted to its endpoint.
pub(crate) fn guard<S>(backend: &Arc<Backend>, endpoint: Endpoint, methods: MethodRouter<S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    methods.layer(from_fn_with_state((Arc::clone(backend), endpoint), pass))
}

/// Lets a call through, or returns why not.
async fn admit(
    backend: &Backend,
    endpoint: Endpoint,
    call: &Arc<Call>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    // As RFC 9112 demands: a proxy may have read the other one.
    if request.headers().get_all(HOST).iter().nth(1).is_some() {
        return Err(Failure::unreadable("host", "the request has several headers of this name"));
    }
    let is_public = matches!(endpoint.kind, CallKind::Public | CallKind::Watch);
    if !is_public && !backend.tokens.allow(request.headers().get(AUTHORIZATION)) {
        return Err(Failure::unauthenticated());
    }
    let pools = &call.connection.pools;
    call.take_place(if endpoint.kind == CallKind::Watch { &pools.watches } else { &pools.calls })?;
    let limits = &backend.pools.limits;
    let time = client_timeout(request.headers()).map_or(limits.deadline, |client| client.min(limits.deadline));
    request.extensions_mut().insert(RequestContext::new(Some(Arc::clone(&call.holder)), time));
    let is_stream = endpoint.kind == CallKind::RequestStream;
    // A stream of requests has room for them in advance.
    let mut read = CallBytes::none(Arc::clone(call));
    let mut message = (!is_stream && is_grpc(request.headers())).then(OneMessage::default);
    let request = request.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let data = frame.data_ref().map_or(&[][..], Bytes::as_ref);
            read.read(data.len(), !is_stream);
            if message.as_mut().is_some_and(|message| !message.read(data)) {
                read.call.holder.end(Failure::unreadable("query", "a second message: this method takes one"));
            }
            frame
        }))
    });
    let response = next.run(request);
    // The work has the same deadline; this one is for messages that never come to their end, or never begin. A
    // stream responds before it has a message.
    let response = async { if is_stream { Ok(response.await) } else { timeout(time + GRACE, response).await } };
    tokio::select! {
        biased;
        response = response => response.map_err(|_| Failure::deadline(time)),
        () = call.holder.ended().cancelled() => Err(call.holder.failure()),
    }
}

/// Every call passes through here.
async fn pass(
    State((backend, endpoint)): State<(Arc<Backend>, Endpoint)>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let is_grpc = is_grpc(request.headers());
    let has_body = request.headers().contains_key(TRANSFER_ENCODING)
        || request.headers().get(CONTENT_LENGTH).is_some_and(|length| length != "0");
    let leaves_body = request.version() < Version::HTTP_2 && has_body;
    let id = request_id(request.headers());
    let span = tracing::info_span!("call", id = id.to_str().unwrap_or_default(), method = endpoint.name);
    let mut call = Call::new(endpoint.name, (begun, span.clone()), connection, request.headers());
    let message_bytes = (endpoint.kind == CallKind::RequestStream).then_some(backend.pools.limits.message_bytes);
    let has_memory = call.take_memory(message_bytes);
    let call = Arc::new(call);
    let outcome = match has_memory {
        Ok(()) => admit(&backend, endpoint, &call, request, next).instrument(span.clone()).await,
        Err(failure) => Err(failure),
    };
    let fail = |failure: Failure| {
        span.in_scope(|| failure.log(endpoint.name));
        if is_grpc { Status::from(failure).into_http::<Body>() } else { failure_response(failure) }
    };
    let mut response = match outcome {
        Ok(response) => with_details(response, is_grpc, &backend, fail),
        Err(failure) => fail(failure),
    };
    if leaves_body && !response.status().is_success() {
        // The rest of the request's body is not read, so the connection cannot be used again.
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    if let Some(places) = response.extensions_mut().remove::<Arc<Grant>>() {
        call.keep(places);
    }
    call.set_code(match grpc_code(response.headers()) {
        Some(code) => CallCode::Grpc(code),
        // The trailers replace it, unless the client goes away before them.
        None if is_grpc => CallCode::Grpc(Code::Cancelled),
        None => CallCode::Http(response.status()),
    });
    if response.body().size_hint().exact().is_none() {
        response = response.map(|body| end_with_call(body, &call, is_grpc));
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response.extensions_mut().insert(call);
    response
}

/// Gives a failure of tonic's or axum's own the reason and details that all others have.
fn with_details(response: Response, is_grpc: bool, backend: &Backend, fail: impl Fn(Failure) -> Response) -> Response {
    let headers = response.headers();
    if is_grpc {
        let code = grpc_code(headers).unwrap_or(Code::Ok);
        let has_details = headers.contains_key(GRPC_DETAILS);
        let message = headers.get("grpc-message").and_then(|message| message.to_str().ok()).unwrap_or_default();
        return match Failure::of_tonic(code, has_details, message, backend.pools.limits.message_bytes) {
            Some(failure) => fail(failure),
            None => response,
        };
    }
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        // The route adds the methods that it allows.
        return fail(Failure::method_not_allowed());
    }
    response
}

/// The message of a call of gRPC that has one, as far as it has arrived.
#[derive(Default)]
struct OneMessage {
    /// A flag, and the length in four bytes.
    prefix: [u8; 5],
    read: usize,
}

impl OneMessage {
    /// Reads on; false if something follows the message.
    fn read(&mut self, bytes: &[u8]) -> bool {
        self.prefix.iter_mut().skip(self.read).zip(bytes).for_each(|(place, &byte)| *place = byte);
        self.read += bytes.len();
        let [_, length @ ..] = self.prefix;
        self.read <= self.prefix.len() + u32::from_be_bytes(length) as usize
    }
}
