//! The watch: keeps the service in step with its files, and health in step with the service.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, spawn_blocking};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::admission::tokens::Tokens;
use crate::backend::Backend;
use crate::listener::tls::Tls;
use crate::tables::monitor::FolderChange;

/// The services of the health protocol: the server as a whole, and the tables.
const SERVICES: [&str; 2] = ["", SERVICE_NAME];

/// The parts of a server whose files may change.
#[derive(Clone)]
pub(crate) struct WatchedFiles {
    pub(crate) backend: Arc<Backend>,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) tls: Option<Arc<Tls>>,
}

/// Scans the folder of tables again and again. Health is SERVING while at least one table can be opened, and
/// a thread is free to read it.
pub(crate) struct Watch {
    reporter: HealthReporter,
    task: JoinHandle<()>,
}

impl Watch {
    /// Begins to watch; the first scan is over on return. `every` is the time between scans, `reload` requests that
    /// tables, tokens and certificates are read again at once.
    pub(crate) async fn begin(
        reporter: HealthReporter,
        files: WatchedFiles,
        every: Option<Duration>,
        reload: Arc<Notify>,
    ) -> Watch {
        let mut was_ready = files.scan(false).await;
        report(&reporter, was_ready).await;
        let task = tokio::spawn({
            let reporter = reporter.clone();
            async move {
                loop {
                    let pause = async {
                        match every {
                            Some(every) => tokio::time::sleep(every).await,
                            None => std::future::pending().await,
                        }
                    };
                    let is_reload = tokio::select! {
                        () = pause => false,
                        () = reload.notified() => true,
                    };
                    if is_reload {
                        files.reload().await;
                    }
                    // A scan would wait for a thread for ever.
                    let is_ready = files.backend.has_thread().await && files.scan(is_reload).await;
                    if is_ready != was_ready {
                        report(&reporter, is_ready).await;
                        was_ready = is_ready;
                    }
                }
            }
        });
        Watch { reporter, task }
    }

    /// Reports NOT_SERVING and stops watching.
    pub(crate) async fn mark_not_serving(&mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
        report(&self.reporter, false).await;
    }

    /// Ends the streams of health watchers, which would delay the shutdown.
    pub(crate) async fn close(mut self) {
        for service in SERVICES {
            self.reporter.clear_service_status(service).await;
        }
    }
}

impl WatchedFiles {
    /// Scans the folder, and returns whether any table can be opened. With `retry`, tables that could not be opened are
    /// opened again.
    pub(crate) async fn scan(&self, retry: bool) -> bool {
        let backend = Arc::clone(&self.backend);
        #[expect(clippy::disallowed_methods, reason = "one scan at a time, of no request")]
        let scan = spawn_blocking(move || {
            let before = backend.monitor.content();
            let change = backend.monitor.scan(retry);
            // Maps that have lost a page fail until they are opened again.
            let lost_pages = makruk_tables::format::lost_pages();
            let has_lost = backend.lost_pages.swap(lost_pages, Ordering::Relaxed) != lost_pages;
            if change.makes_stale() || has_lost {
                backend.tables.reopen();
            } else if retry || change != FolderChange::default() {
                backend.tables.forget_missing();
            }
            (change, before, backend.monitor.content())
        });
        let Ok((change, before, content)) = scan.await else { return false };
        let metrics = &self.backend.metrics;
        let (open, damaged) = (content.tables().count(), content.damaged());
        metrics.tables_open.set(open as i64);
        metrics.tables_damaged.set(damaged as i64);
        metrics.ready.set(content.is_ready().into());
        if change != FolderChange::default() {
            let FolderChange { added, removed, repaired, replaced } = change;
            tracing::info!(added, removed, repaired, replaced, open, damaged, "tables");
        }
        if content.problem != before.problem
            && let Some(problem) = &content.problem
        {
            tracing::error!("the folder of the tables cannot be read; open tables stay open: {problem}");
        }
        content.is_ready()
    }

    /// Reads tokens and certificates again. Files that cannot be read leave things as they were.
    async fn reload(&self) {
        let files = self.clone();
        #[expect(clippy::disallowed_methods, reason = "one reload at a time, of no request")]
        let reload = spawn_blocking(move || {
            if let Err(error) = files.tokens.reload() {
                tracing::error!("the tokens remain as they were: {error}");
            }
            if let Some(Err(error)) = files.tls.as_ref().map(|tls| tls.reload()) {
                tracing::error!("the certificates remain as they were: {error}");
            }
        });
        tracing::info!("reloading tables, tokens and certificates");
        // A panic of the task has been printed already.
        let _ = reload.await;
    }
}

async fn report(reporter: &HealthReporter, is_ready: bool) {
    let status = if is_ready { ServingStatus::Serving } else { ServingStatus::NotServing };
    tracing::info!(%status, "health");
    for service in SERVICES {
        reporter.set_service_status(service, status).await;
    }
}
