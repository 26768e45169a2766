//! The guard of a call, which holds its places from the headers until the client has the response.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;

use crate::admission::headers::grpc_code;
use crate::admission::permits::{CallPermits, ResponsePermits};
use crate::metrics::Metrics;

/// A call under way. It is dropped when its client has the response, or is gone.
#[derive(Debug)]
pub(crate) struct CallGuard {
    metrics: Arc<Metrics>,
    endpoint: &'static str,
    begun: Instant,
    code: Mutex<&'static str>,
    permits: Mutex<(Option<CallPermits>, Option<ResponsePermits>)>,
}

impl CallGuard {
    pub(crate) fn new(metrics: Arc<Metrics>, endpoint: &'static str, begun: Instant) -> CallGuard {
        metrics.calls_open.inc();
        CallGuard { metrics, endpoint, begun, code: Mutex::new("CANCELLED"), permits: Mutex::default() }
    }

    /// Keeps the permits of the call and its response until the call ends.
    pub(crate) fn hold(&self, call: Option<CallPermits>, response: Option<ResponsePermits>) {
        *self.permits.lock().unwrap_or_else(PoisonError::into_inner) = (call, response);
    }

    /// Sets the status with which the call ends.
    pub(crate) fn set_code(&self, code: &'static str) {
        *self.code.lock().unwrap_or_else(PoisonError::into_inner) = code;
    }
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        let code = *self.code.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.metrics.calls_open.dec();
        self.metrics.call_ended(self.endpoint, code, self.begun.elapsed());
    }
}

pin_project! {
    /// The body of a gRPC response, whose trailers have the status of the call.
    pub(crate) struct TrailersBody {
        #[pin]
        body: Body,
        call: Arc<CallGuard>,
    }
}

impl TrailersBody {
    pub(crate) fn new(body: Body, call: Arc<CallGuard>) -> TrailersBody {
        TrailersBody { body, call }
    }
}

impl http_body::Body for TrailersBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.project();
        let frame = this.body.poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(code) = frame.trailers_ref().and_then(grpc_code)
        {
            this.call.set_code(code);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
