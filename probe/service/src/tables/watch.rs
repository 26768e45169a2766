//! The watch: keeps the service in step with its files, and health in step with the service.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::backend::Backend;
use crate::tables::monitor::FolderChange;

/// The services of the health protocol: the server as a whole, and the tables.
const SERVICES: [&str; 2] = ["", SERVICE_NAME];

/// Scans the folder of tables again and again, and reports health when it changes: SERVING while at least one table can
/// be opened, and a thread is free to read it. `every` is the time between scans, `reload` requests that tables and
/// tokens are read again at once.
pub(crate) async fn watch(
    backend: &Arc<Backend>,
    reporter: &HealthReporter,
    every: Option<Duration>,
    reload: &Notify,
    mut was_ready: bool,
) -> Infallible {
    loop {
        let is_reload = timeout(every.unwrap_or(Duration::MAX), reload.notified()).await.is_ok();
        // A scan would wait for a thread for ever.
        let is_ready = backend.has_thread().await && scan(backend, is_reload).await;
        if is_ready != was_ready {
            report(reporter, is_ready).await;
            was_ready = is_ready;
        }
    }
}

/// Ends the streams of health watchers, which would delay the shutdown.
pub(crate) async fn end_health(mut reporter: HealthReporter) {
    for service in SERVICES {
        reporter.clear_service_status(service).await;
    }
}

/// Scans the folder, and returns whether any table can be opened. With `is_reload`, tables that could not be opened
/// are opened again, and the tokens are read again; if they cannot be read, they stay as they were.
pub(crate) async fn scan(backend: &Arc<Backend>, is_reload: bool) -> bool {
    let backend = Arc::clone(backend);
    #[expect(clippy::disallowed_methods, reason = "one scan at a time, of no request")]
    let scan = spawn_blocking(move || {
        if is_reload {
            tracing::info!("reloading tables and tokens");
            if let Err(error) = backend.tokens.reload() {
                tracing::error!("the tokens remain as they were: {error}");
            }
        }
        let before = backend.monitor.content();
        let change = backend.monitor.scan();
        // Maps that have lost a page fail until they are opened again.
        let lost_pages = makruk_format::lost_pages();
        let has_lost = backend.lost_pages.swap(lost_pages, Ordering::Relaxed) != lost_pages;
        if change == FolderChange::Stale || has_lost {
            backend.tables.store(Arc::new(backend.tables.load().reopened()));
        }
        if is_reload || has_lost {
            // Also where the checksum is the same: they may have been read in part.
            backend.kept.answers.invalidate_all();
        }
        let (content, metrics) = (backend.monitor.content(), &backend.pools.metrics);
        let (open, damaged) = content.open_and_damaged();
        metrics.tables_open.set(open as i64);
        metrics.tables_damaged.set(damaged as i64);
        metrics.ready.set(content.is_ready().into());
        let (closed, known) = (makruk_format::closed_files(), metrics.files_closed.get());
        metrics.files_closed.inc_by(closed.saturating_sub(known));
        if known == 0 && closed > 0 {
            tracing::warn!("more tables than files that may be open: the least recently used are closed");
        }
        if change != FolderChange::Nothing {
            tracing::info!(?change, open, damaged, "tables");
        }
        if let Some(problem) = content.problem.as_ref().filter(|_| content.problem != before.problem) {
            tracing::error!("the folder of the tables cannot be read; open tables stay open: {problem}");
        }
        content.is_ready()
    });
    scan.await.unwrap_or(false)
}

/// Reports health.
pub(crate) async fn report(reporter: &HealthReporter, is_ready: bool) {
    let status = if is_ready { ServingStatus::Serving } else { ServingStatus::NotServing };
    tracing::info!(%status, "health");
    for service in SERVICES {
        reporter.set_service_status(service, status).await;
    }
}
