//! The backend: everything that answers, whatever the protocol of the request.
//!
//! Each answer is the result of one or more [jobs](crate::admission::jobs). A job formats its own result, so that no
//! formatting happens on the threads that serve connections.

pub(crate) mod kept;
mod questions;
pub(crate) mod save_search;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use arc_swap::ArcSwap;
use http::HeaderMap;
use makruk_probe::Prober;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::admission::holder::Holder;
use crate::admission::jobs::{Cost, Jobs};
use crate::admission::pool::Grant;
use crate::admission::pools::Pools;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::admission::tokens::Tokens;
use crate::backend::kept::Kept;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::status::Failure;
use crate::tables::monitor::FolderMonitor;
use crate::tables::snapshot::{SnapshotProber, TableSnapshot};

pub(crate) use self::questions::LineUnderWay;

/// Time for a thread to become free. Then none is: jobs that may take longer leave threads to others.
const THREAD_WAIT: Duration = Duration::from_secs(2);

/// Everything that answers.
pub(crate) struct Backend {
    /// The current snapshot.
    pub(crate) tables: ArcSwap<TableSnapshot>,
    pub(crate) monitor: FolderMonitor,
    /// The headers of the page, which name the pages of others that may embed it.
    pub(crate) page_headers: HeaderMap,
    pub(crate) tokens: Tokens,
    /// Cancelled when the server accepts nothing more.
    pub(crate) stopping: CancellationToken,
    /// Everything that clients share.
    pub(crate) pools: Arc<Pools>,
    pub(crate) jobs: Jobs,
    /// Pages of mapped files that were lost by the last scan.
    pub(crate) lost_pages: AtomicUsize,
    pub(crate) kept: Kept,
}

impl Backend {
    pub(crate) fn new(folder: PathBuf, settings: &Settings, page_headers: HeaderMap, tokens: Tokens) -> Backend {
        let (limits, metrics) = (settings.limits, Arc::new(Metrics::new()));
        let trusted_proxies = settings.trusted_proxies.iter().map(IpAddr::to_canonical).collect();
        let pools = Arc::new(Pools { trusted_proxies, ..Pools::new(limits, Arc::clone(&metrics)) });
        let snapshot = TableSnapshot::folder(&folder, settings.cache_bytes, Arc::clone(&metrics));
        Backend {
            jobs: Jobs::new(Arc::clone(&pools)),
            stopping: CancellationToken::new(),
            kept: Kept::new(),
            lost_pages: AtomicUsize::new(makruk_format::lost_pages()),
            tables: ArcSwap::from_pointee(snapshot),
            monitor: FolderMonitor::new(folder),
            page_headers,
            tokens,
            pools,
        }
    }

    /// A prober of the current snapshot.
    pub(crate) fn prober(&self) -> SnapshotProber {
        Prober::new(self.tables.load_full())
    }

    /// Whether any table can be opened, a thread is free to read it, and the server is not shutting down.
    pub(crate) async fn is_ready(&self) -> bool {
        !self.stopping.is_cancelled() && self.monitor.content().is_ready() && self.has_thread().await
    }

    /// Whether a thread is free soon: threads may wait for a disk that does not answer.
    #[expect(clippy::disallowed_methods, reason = "it asks whether a thread is free")]
    pub(crate) async fn has_thread(&self) -> bool {
        matches!(timeout(THREAD_WAIT, spawn_blocking(|| ())).await, Ok(Ok(())))
    }

    /// The checksum of the tables, by which answers are kept.
    pub(crate) fn checksum(&self) -> u64 {
        self.monitor.content().checksum
    }

    /// The context of work that begins now: a piece of a call's stream, or what is for several calls, none of which
    /// holds it.
    pub(crate) fn context(&self, holder: Option<Arc<Holder>>) -> RequestContext {
        RequestContext::new(holder, self.pools.limits.deadline)
    }

    /// Work other than a question; cancelled work gives up by returning `None`.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&SnapshotProber, &CancellationCheck) -> Option<T> + Send + 'static,
    ) -> Result<(T, Grant), Failure> {
        let prober = self.prober();
        self.jobs.run(context, cost, move |check| work(&prober, check)).await
    }
}
