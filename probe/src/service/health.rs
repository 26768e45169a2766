//! Whether the service can answer.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use makruk_proto::v1::tablebase_server::SERVICE_NAME;
use makruk_tables::format::TableFolder;
use tokio::task::{JoinHandle, spawn_blocking};
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// The server as a whole, and the tables.
const SERVICES: [&str; 2] = ["", SERVICE_NAME];

/// How often the folder is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Keeps the health service's word true: serving only while the tables' folder can be opened.
pub(super) struct Health {
    reporter: HealthReporter,
    watch: JoinHandle<()>,
}

impl Health {
    /// Begins to watch a folder; the first look is over on return.
    pub(super) async fn watch(reporter: HealthReporter, folder: PathBuf) -> Health {
        let folder = Arc::new(folder);
        let mut was = look(&folder).await;
        report(&reporter, was).await;
        let watch = tokio::spawn({
            let reporter = reporter.clone();
            async move {
                loop {
                    tokio::time::sleep(LOOK_EVERY).await;
                    let is = look(&folder).await;
                    if is != was {
                        report(&reporter, is).await;
                        was = is;
                    }
                }
            }
        });
        Health { reporter, watch }
    }

    /// Says that the service is going, and ends the streams of those who watch: they would keep it from going.
    pub(super) async fn close(mut self) {
        self.watch.abort();
        let _ = self.watch.await;
        for service in SERVICES {
            self.reporter.set_service_status(service, ServingStatus::NotServing).await;
            self.reporter.clear_service_status(service).await;
        }
    }
}

async fn look(folder: &Arc<PathBuf>) -> ServingStatus {
    let path = Arc::clone(folder);
    let opened = spawn_blocking(move || TableFolder::open_existing(path.as_path())).await;
    match opened {
        Ok(Ok(_)) => ServingStatus::Serving,
        Ok(Err(error)) => {
            tracing::warn!("not serving: {error}");
            ServingStatus::NotServing
        }
        Err(_) => ServingStatus::NotServing,
    }
}

async fn report(reporter: &HealthReporter, status: ServingStatus) {
    tracing::info!(%status, "health");
    for service in SERVICES {
        reporter.set_service_status(service, status).await;
    }
}
