//! The pace at which a client reads a response.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// A client that reads more slowly than this takes too long for what it requested.
const LEAST_BYTES_PER_SECOND: u64 = 8 << 10;

/// The bytes of a response that a client has not taken, and since when. Times are milliseconds of the connection's clock.
#[derive(Debug, Default)]
pub(crate) struct ReadingPace {
    /// Bytes that were handed over and not yet taken.
    unread: AtomicUsize,
    /// Bytes that were handed over since nothing was unread.
    handed: AtomicU64,
    /// The time since which something has been unread.
    since_ms: AtomicU64,
    /// The time at which the last piece was taken.
    taken_ms: AtomicU64,
}

impl ReadingPace {
    /// Notes bytes that are handed over.
    pub(crate) fn hand_over(&self, bytes: usize, now_ms: u64) {
        if self.unread.fetch_add(bytes, Ordering::Relaxed) == 0 {
            self.handed.store(0, Ordering::Relaxed);
            self.since_ms.store(now_ms, Ordering::Relaxed);
            self.taken_ms.store(now_ms, Ordering::Relaxed);
        }
        self.handed.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Notes bytes that the client has taken.
    pub(crate) fn take(&self, bytes: usize, now_ms: u64) {
        self.taken_ms.store(now_ms, Ordering::Relaxed);
        self.unread.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether the client has taken nothing for so long, or is too slow altogether.
    pub(crate) fn is_stalled(&self, now_ms: u64, idle: Duration) -> bool {
        if self.unread.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let idle_ms = idle.as_millis() as u64;
        let since = |at: &AtomicU64| now_ms.saturating_sub(at.load(Ordering::Relaxed));
        let allowed_ms = idle_ms + self.handed.load(Ordering::Relaxed) * 1000 / LEAST_BYTES_PER_SECOND;
        since(&self.taken_ms) >= idle_ms || since(&self.since_ms) >= allowed_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_stalls_that_takes_nothing_or_too_little() {
        let idle = Duration::from_secs(1);
        let pace = ReadingPace::default();
        assert!(!pace.is_stalled(10_000, idle), "nothing is unread");
        pace.hand_over(80 << 10, 0);
        assert!(!pace.is_stalled(999, idle) && pace.is_stalled(1000, idle));
        // A byte now and then keeps the response alive for as long as the least pace needs: ten seconds more.
        for now_ms in (500..11_000).step_by(500) {
            pace.take(1, now_ms);
            assert!(!pace.is_stalled(now_ms, idle), "{now_ms}");
        }
        pace.take(1, 11_000);
        assert!(pace.is_stalled(11_000, idle));
    }
}
