//! Places, which are taken while work runs or its answer is unread.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// A semaphore of so many places, at least one.
pub(crate) fn places(permits: usize) -> Arc<Semaphore> {
    // The bound is far beyond what any machine could have in work.
    Arc::new(Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS)))
}
