//! The layer that admits calls: each is named, checked, timed and counted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use http::header::AUTHORIZATION;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tonic::Status;
use tracing::Instrument;

use crate::admission::call_guard::{CallGuard, ConnectionState, GuardedBody};
use crate::admission::endpoint::{CallKind, Endpoint};
use crate::admission::headers::{REQUEST_ID, client_timeout, grpc_code, http_code, is_grpc, request_id};
use crate::admission::permits::{ResponsePermits, places};
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
    calls: Arc<Semaphore>,
}

impl AdmissionLayer {
    pub(crate) fn new(backend: Arc<Backend>, tokens: Arc<Tokens>) -> AdmissionLayer {
        let calls = places(backend.limits.calls);
        AdmissionLayer { backend, tokens, calls }
    }

    /// The methods of a route, every call of which is admitted to its endpoint.
    pub(crate) fn guard<S>(&self, endpoint: Endpoint, methods: MethodRouter<S>) -> MethodRouter<S>
    where
        S: Clone + Send + Sync + 'static,
    {
        methods.layer(from_fn_with_state((self.clone(), endpoint), pass))
    }

    /// Lets a call through, or returns why not.
    async fn admit(
        &self,
        endpoint: Endpoint,
        mut request: Request,
        next: Next,
    ) -> Result<(Response, Option<OwnedSemaphorePermit>), Failure> {
        if endpoint.kind == CallKind::Public {
            return Ok((next.run(request).await, None));
        }
        if !self.tokens.allow(request.headers().get(AUTHORIZATION)) {
            return Err(Failure::Unauthenticated);
        }
        let limits = &self.backend.limits;
        let Ok(place) = Arc::clone(&self.calls).try_acquire_owned() else {
            self.backend.metrics.shed(Load::Calls);
            return Err(Failure::Overloaded { load: Load::Calls, most: limits.calls });
        };
        let time = client_timeout(request.headers()).map_or(limits.deadline, |client| client.min(limits.deadline));
        let connection = request.extensions().get::<Arc<ConnectionState>>();
        let connection = connection.map(|connection| Arc::clone(&connection.positions));
        request.extensions_mut().insert(RequestContext::new(connection, time));
        if endpoint.kind == CallKind::Stream {
            return Ok((next.run(request).await, Some(place)));
        }
        // The work has the same deadline; this one is for messages that never come to their end.
        match timeout(time + GRACE, next.run(request)).await {
            Ok(response) => Ok((response, Some(place))),
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
    let id = request_id(request.headers());
    let connection = request.extensions().get::<Arc<ConnectionState>>().cloned();
    let span = tracing::info_span!("call", id = id.to_str().unwrap_or_default(), method = endpoint.name);
    let metrics = Arc::clone(&admission.backend.metrics);
    metrics.calls_open.inc();
    let mut call = CallGuard { metrics, endpoint: endpoint.name, begun, code: "CANCELLED", place: None, permits: None };
    let outcome = admission.admit(endpoint, request, next).instrument(span.clone()).await;
    let fail = |failure: Failure| {
        span.in_scope(|| failure.log(endpoint.name));
        if is_grpc { Status::from(failure).into_http::<Body>() } else { failure_response("", failure) }
    };
    let mut response = match outcome {
        Ok((response, place)) => {
            call.place = place;
            // tonic fails such a call without details.
            if is_grpc && grpc_code(response.headers()) == Some("OUT_OF_RANGE") {
                fail(Failure::TooLarge { most: admission.backend.limits.message_bytes })
            } else {
                response
            }
        }
        Err(failure) => fail(failure),
    };
    call.permits = response.extensions_mut().remove::<ResponsePermits>();
    call.code = match grpc_code(response.headers()) {
        Some(code) => code,
        // The trailers replace it, unless the client goes away before them.
        None if is_grpc => "CANCELLED",
        None => http_code(response.status().as_u16()),
    };
    let took = begun.elapsed();
    tracing::debug!(parent: &span, code = call.code, took_us = took.as_micros() as u64, "answered");
    response.headers_mut().insert(REQUEST_ID, id);
    response.map(|body| Body::new(GuardedBody::new(body, connection, call)))
}
