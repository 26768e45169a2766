//! The guard of a call: what a call holds from its headers to the end of its response.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::admission::headers::grpc_code;
use crate::admission::permits::{ResponsePermits, places};
use crate::metrics::Metrics;

/// The state that the calls of a connection share.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    /// Positions that the connection may still have in work or unread.
    pub(crate) positions: Arc<Semaphore>,
    begun: Instant,
    /// Responses that wait for the client to read what it was sent.
    waiting: AtomicI64,
    /// The time at which one of the responses last moved, in milliseconds after `begun`.
    moved_ms: AtomicU64,
}

impl ConnectionState {
    pub(crate) fn new(positions: usize) -> ConnectionState {
        ConnectionState {
            positions: places(positions),
            begun: Instant::now(),
            waiting: AtomicI64::new(0),
            moved_ms: AtomicU64::new(0),
        }
    }

    /// The time for which the client has read nothing of the responses that wait for it.
    pub(crate) fn stalled_for(&self) -> Option<Duration> {
        let moved = Duration::from_millis(self.moved_ms.load(Ordering::Relaxed));
        (self.waiting.load(Ordering::Relaxed) > 0).then(|| self.begun.elapsed().saturating_sub(moved))
    }

    fn wait(&self, by: i64) {
        self.moved_ms.store(self.begun.elapsed().as_millis() as u64, Ordering::Relaxed);
        self.waiting.fetch_add(by, Ordering::Relaxed);
    }
}

/// A call under way; dropped when it has ended, for whatever reason.
pub(crate) struct CallGuard {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) endpoint: &'static str,
    pub(crate) begun: Instant,
    pub(crate) code: &'static str,
    pub(crate) place: Option<OwnedSemaphorePermit>,
    pub(crate) permits: Option<ResponsePermits>,
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.metrics.calls_open.dec();
        self.metrics.call_ended(self.endpoint, self.code, self.begun.elapsed());
    }
}

pin_project! {
    /// A response's body, which notes how its call ends and whether the client reads.
    pub(crate) struct GuardedBody {
        #[pin]
        body: Body,
        // Whether a part was handed over and the next one was not yet asked for.
        waits: bool,
        connection: Option<Arc<ConnectionState>>,
        call: CallGuard,
    }

    impl PinnedDrop for GuardedBody {
        fn drop(this: Pin<&mut Self>) {
            let this = this.project();
            if let (true, Some(connection)) = (*this.waits, this.connection) {
                connection.wait(-1);
            }
        }
    }
}

impl GuardedBody {
    pub(crate) fn new(body: Body, connection: Option<Arc<ConnectionState>>, call: CallGuard) -> GuardedBody {
        GuardedBody { body, waits: false, connection, call }
    }
}

impl http_body::Body for GuardedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.project();
        if std::mem::take(this.waits)
            && let Some(connection) = this.connection
        {
            connection.wait(-1);
        }
        let frame = this.body.poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            if let Some(code) = frame.trailers_ref().and_then(grpc_code) {
                this.call.code = code;
            }
            *this.waits = true;
            if let Some(connection) = this.connection {
                connection.wait(1);
            }
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        // The end is asked for only when there is room for more, so the last part too keeps its permits until it is written.
        !self.waits && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_stalls_only_while_something_waits() {
        let connection = ConnectionState::new(1);
        assert_eq!(connection.stalled_for(), None);
        connection.wait(1);
        std::thread::sleep(Duration::from_millis(20));
        assert!(connection.stalled_for().unwrap() >= Duration::from_millis(15));
        connection.wait(1);
        assert!(connection.stalled_for().unwrap() < Duration::from_millis(15));
        connection.wait(-1);
        connection.wait(-1);
        assert_eq!(connection.stalled_for(), None);
    }
}
