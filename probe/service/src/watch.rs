//! Whether the service can answer, and with which tables: looked at again and again.

use std::sync::Arc;
use std::time::Duration;

use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, spawn_blocking};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use super::auth::Tokens;
use super::engine::Engine;
use super::tls::Tls;

/// The server as a whole, and the tables.
const SERVICES: [&str; 2] = ["", SERVICE_NAME];

/// What may change under a server.
#[derive(Clone)]
pub(super) struct Watched {
    pub(super) engine: Arc<Engine>,
    pub(super) tokens: Arc<Tokens>,
    pub(super) tls: Option<Arc<Tls>>,
}

/// Keeps tables, tokens and certificates what they are on the disk, and the health service's word true: serving only while
/// there is a table that can be opened.
pub(super) struct Watch {
    reporter: HealthReporter,
    task: JoinHandle<()>,
}

impl Watch {
    /// Begins to watch; the first look is over on return. `every` is how often tables are looked for, `now` says that all
    /// is to be looked at.
    pub(super) async fn begin(
        reporter: HealthReporter,
        watched: Watched,
        every: Option<Duration>,
        now: Arc<Notify>,
    ) -> Watch {
        let mut was_ready = watched.look().await;
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
                    tokio::select! {
                        () = pause => {}
                        () = now.notified() => watched.reload().await,
                    }
                    let is_ready = watched.look().await;
                    if is_ready != was_ready {
                        report(&reporter, is_ready).await;
                        was_ready = is_ready;
                    }
                }
            }
        });
        Watch { reporter, task }
    }

    /// Says that the service is going, and looks no more.
    pub(super) async fn say_going(&mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
        report(&self.reporter, false).await;
    }

    /// Ends the streams of those who watch: they would keep the server from going.
    pub(super) async fn close(mut self) {
        for service in SERVICES {
            self.reporter.clear_service_status(service).await;
        }
    }
}

impl Watched {
    /// Looks at the tables, and says whether there are any.
    async fn look(&self) -> bool {
        let engine = Arc::clone(&self.engine);
        let looked = spawn_blocking(move || {
            let before = engine.catalogue.now();
            let change = engine.catalogue.look();
            if change.makes_stale() {
                engine.live.renew();
            }
            (change, before, engine.catalogue.now())
        });
        let Ok((change, before, content)) = looked.await else { return false };
        let metrics = &self.engine.metrics;
        let (open, damaged) = (content.tables().count(), content.damaged());
        metrics.tables_open.set(open as i64);
        metrics.tables_damaged.set(damaged as i64);
        metrics.ready.set(content.is_ready().into());
        if change != Default::default() {
            let super::catalogue::Change { added, removed, replaced } = change;
            tracing::info!(added, removed, replaced, open, damaged, "tables");
        }
        if content.problem != before.problem
            && let Some(problem) = &content.problem
        {
            tracing::warn!("not serving: {problem}");
        }
        content.is_ready()
    }

    /// Reads tokens and certificates again. What can't be read stays as it was.
    async fn reload(&self) {
        let watched = self.clone();
        let reloaded = spawn_blocking(move || {
            if let Err(error) = watched.tokens.reload() {
                tracing::error!("the tokens stay as they were: {error}");
            }
            if let Some(Err(error)) = watched.tls.as_ref().map(|tls| tls.reload()) {
                tracing::error!("the certificates stay as they were: {error}");
            }
        });
        tracing::info!("tables, tokens and certificates are read again");
        // A panic in there has been printed.
        let _ = reloaded.await;
    }
}

async fn report(reporter: &HealthReporter, is_ready: bool) {
    let status = if is_ready { ServingStatus::Serving } else { ServingStatus::NotServing };
    tracing::info!(%status, "health");
    for service in SERVICES {
        reporter.set_service_status(service, status).await;
    }
}
