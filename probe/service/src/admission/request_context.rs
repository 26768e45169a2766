//! The context of a request: its connection, its deadline, and whether it was cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use crate::admission::connection::ConnectionState;

/// The connection of a request, and the time until which an answer is useful.
#[derive(Clone, Debug)]
pub(crate) struct RequestContext {
    /// The connection, if work counts for one.
    pub(crate) connection: Option<Arc<ConnectionState>>,
    /// The time at which the answer must be ready.
    pub(crate) deadline: Instant,
    /// The time that the request had from its start to its deadline.
    pub(crate) time: Duration,
}

impl RequestContext {
    /// A request that begins now.
    pub(crate) fn new(connection: Option<Arc<ConnectionState>>, time: Duration) -> RequestContext {
        RequestContext { connection, deadline: Instant::now() + time, time }
    }

    /// The same request with a deadline that begins now: a stream has one for each piece of work.
    #[must_use]
    pub(crate) fn renewed(&self, time: Duration) -> RequestContext {
        RequestContext::new(self.connection.clone(), time)
    }
}

/// Tells running work whether its request was cancelled or is too late.
#[derive(Clone, Debug)]
pub(crate) struct CancellationCheck {
    cancelled: Arc<AtomicBool>,
    deadline: Instant,
}

impl CancellationCheck {
    /// Whether nobody waits for the work any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// Whether more time is left than this.
    pub(crate) fn has_time(&self, spare: Duration) -> bool {
        !self.cancelled.load(Ordering::Relaxed) && Instant::now() + spare < self.deadline
    }
}

/// Cancels the work when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// The check for work that must be ready by a deadline.
    pub(crate) fn check(&self, deadline: Instant) -> CancellationCheck {
        CancellationCheck { cancelled: Arc::clone(&self.0), deadline }
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
