//! Bodies of requests that must move.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep};
use tonic::Status;

use crate::status::Failure;

pin_project! {
    /// The body of a stream of requests. It fails if the first part does not come before the deadline, or nothing moves for
    /// the idle time while the server waits for more.
    pub(crate) struct TimedBody {
        #[pin]
        body: Body,
        #[pin]
        time: Sleep,
        limit: Duration,
        idle: Duration,
        waits: bool,
    }
}

impl TimedBody {
    pub(crate) fn new(body: Body, deadline: Duration, idle: Duration) -> TimedBody {
        TimedBody { body, time: sleep(deadline), limit: deadline, idle, waits: true }
    }
}

impl http_body::Body for TimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut this = self.project();
        if let Poll::Ready(frame) = this.body.poll_frame(cx) {
            *this.waits = false;
            return Poll::Ready(frame);
        }
        if !*this.waits {
            // The clock runs only while the server waits for the client.
            *this.waits = true;
            *this.limit = *this.idle;
            this.time.as_mut().reset(Instant::now() + *this.idle);
        }
        ready!(this.time.poll(cx));
        let failure = Failure::Idle { limit: *this.limit };
        Poll::Ready(Some(Err(axum::Error::new(Status::from(failure)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
