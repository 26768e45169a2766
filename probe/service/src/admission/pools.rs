//! The pools of a server.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::admission::limits::{Limits, SEARCH_MIB};
use crate::admission::pool::Pool;
use crate::metrics::Metrics;
use crate::status::Load;

/// The time for which a client may stall while the server shuts down.
const SHORT_IDLE: Duration = Duration::from_secs(1);

/// Everything that the clients of a server share.
#[derive(Debug)]
pub(crate) struct Pools {
    pub(crate) limits: Limits,
    /// Proxies that are trusted to name their clients.
    pub(crate) trusted_proxies: Vec<IpAddr>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) connections: Arc<Pool>,
    pub(crate) calls: Arc<Pool>,
    /// Fewer than calls: clients that watch health on all their streams would take the memory of all calls.
    pub(crate) watches: Arc<Pool>,
    /// All bytes that clients cause outside of jobs: see [`Limits::memory`].
    pub(crate) memory: Arc<Pool>,
    /// Positions in progress or unread.
    pub(crate) positions: Arc<Pool>,
    /// Jobs that wait or run.
    pub(crate) requests: Arc<Pool>,
    /// Searches at work: `held-searches` would take the lane of scans from all others.
    pub(crate) searches: Arc<Pool>,
    /// Mebibytes that open searches may take for derived slabs.
    pub(crate) search_mib: Arc<Pool>,
    /// Tells connections to end as soon as their calls have.
    pub(crate) closing: CancellationToken,
}

impl Pools {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> Pools {
        let pool = |load: Load, most: usize| Pool::new(load, most, &metrics);
        Pools {
            connections: pool(Load::Connections, limits.connections),
            calls: pool(Load::Calls, limits.calls),
            watches: pool(Load::Watches, limits.watches),
            memory: pool(Load::Memory, limits.memory),
            positions: pool(Load::Positions, limits.positions),
            requests: pool(Load::Requests, limits.in_flight),
            searches: pool(Load::Searches, limits.searches),
            search_mib: pool(Load::Searches, SEARCH_MIB),
            closing: CancellationToken::new(),
            trusted_proxies: Vec::new(),
            limits,
            metrics,
        }
    }

    /// Has the metrics show what is taken of each limit.
    pub(crate) fn report(&self) {
        let of_calls = [&self.connections, &self.calls, &self.watches, &self.memory];
        of_calls.into_iter().chain([&self.positions, &self.requests, &self.searches]).for_each(|pool| pool.report());
    }

    /// Ends calls in which nothing moves, for ever.
    pub(crate) async fn supervise(&self) {
        let idle = self.limits.idle;
        let pause = (idle / 4).clamp(Duration::from_millis(10), Duration::from_millis(250));
        loop {
            tokio::time::sleep(pause).await;
            if self.closing.is_cancelled() {
                self.calls.end_idle(idle.min(SHORT_IDLE));
                self.watches.end_idle(idle.min(SHORT_IDLE));
                // Clients that do not answer the farewell.
                self.connections.end_idle(idle.min(SHORT_IDLE));
            } else {
                self.calls.end_idle(idle);
            }
        }
    }
}
