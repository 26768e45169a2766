//! The context of a request: its call, its deadline, and whether it was cancelled.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::admission::holder::Holder;

/// The call of a request, and the time until which an answer is useful.
#[derive(Clone, Debug)]
pub(crate) struct RequestContext {
    /// The call that holds the places of the work; `None` if the work is for several calls.
    pub(crate) holder: Option<Arc<Holder>>,
    /// The time at which the answer must be ready.
    pub(crate) deadline: Instant,
    /// The time that the request had from its start to its deadline.
    pub(crate) time: Duration,
}

impl RequestContext {
    /// A request that begins now.
    pub(crate) fn new(holder: Option<Arc<Holder>>, time: Duration) -> RequestContext {
        RequestContext { holder, deadline: Instant::now() + time, time }
    }
}

/// Time for which a job has its thread before others may have a turn.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// Tells running work whether its request was cancelled or is too late, and when others have a turn.
#[derive(Clone, Debug)]
pub(crate) struct CancellationCheck {
    pub(crate) cancelled: CancellationToken,
    pub(crate) deadline: Instant,
    /// The time at which this slice of the work began.
    pub(crate) begun: Instant,
}

impl CancellationCheck {
    /// Whether nobody waits for the work any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        !self.has_time(Duration::ZERO)
    }

    /// Whether others have a turn now.
    pub(crate) fn is_slice_over(&self) -> bool {
        self.begun.elapsed() >= SLICE
    }

    /// Whether more time is left than this.
    pub(crate) fn has_time(&self, spare: Duration) -> bool {
        !self.cancelled.is_cancelled() && Instant::now() + spare < self.deadline
    }
}
