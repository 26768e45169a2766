//! The server: all services on one listener.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use futures_util::future::BoxFuture;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_web::GrpcWebLayer;
use tower_http::cors::CorsLayer;

use crate::admission::layer::CallKind;
use crate::admission::pools::Pools;
use crate::admission::tokens::Tokens;
use crate::backend::Backend;
use crate::grpc;
use crate::http::cors;
use crate::http::page::page_headers;
use crate::http::routes::{health, interface, metrics, page, router, with_fallback};
use crate::listener::Listener;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::tables::watch::{end_health, report, scan, watch};

/// The whole service on one port: `makruk.v1.Tablebase`, `grpc.health.v1.Health` and
/// `grpc.reflection.v1.ServerReflection` (also as `v1alpha` for older clients) over gRPC and gRPC-web, and JSON over
/// plain HTTP.
pub struct Server {
    pub(crate) backend: Arc<Backend>,
    settings: Settings,
    cors: Option<CorsLayer>,
    admin: Option<TcpListener>,
    reload: Arc<Notify>,
}

/// A reason why a server cannot be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The file of tokens cannot be used.
    #[error("cannot read the token file {}: {source}", .path.display())]
    Tokens {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A text that is not an origin.
    #[error("{0:?} is not a valid origin: expected something like https://example.org, or *")]
    Origin(String),
}

/// The origin that a text is, or `*`, without blanks around it.
///
/// # Errors
///
/// If it is neither.
pub fn origin(text: &str) -> Result<String, SetupError> {
    let text = text.trim().to_owned();
    if cors::is_origin(&text) { Ok(text) } else { Err(SetupError::Origin(text)) }
}

/// The end of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Every request was answered and every connection closed.
    Drained,
    /// Some were cut off at the deadline of the drain.
    CutOff,
}

impl Server {
    /// A server of the tables of a folder. On Linux it takes over the SIGBUS of the process, so that a table which is
    /// cut short while it is mapped fails and does not end the process:
    /// [`survive_truncated_tables`](makruk_format::survive_truncated_tables).
    ///
    /// # Errors
    ///
    /// If the tokens cannot be read, or an origin is invalid.
    pub fn new(folder: impl Into<PathBuf>, settings: Settings) -> Result<Server, SetupError> {
        let folder = folder.into();
        let tokens = match &settings.token_file {
            None => Tokens::default(),
            Some(file) => Tokens::of_file(file).map_err(|source| SetupError::Tokens { path: file.clone(), source })?,
        };
        settings.cors.iter().chain(&settings.embed).try_for_each(|text| origin(text).map(drop))?;
        let cors = cors::layer(&settings.cors);
        let backend = Arc::new(Backend::new(folder, &settings, page_headers(&settings.embed), tokens));
        Ok(Server { backend, settings, cors, admin: None, reload: Arc::default() })
    }

    /// Serves `/metrics`, `/healthz` and `/readyz` on a separate listener, without tokens; the main listener then has
    /// no metrics.
    #[must_use]
    pub fn with_admin(self, listener: TcpListener) -> Server {
        Server { admin: Some(listener), ..self }
    }

    /// Whenever this is notified, the running server reads its tables and tokens again. No call is dropped.
    pub fn reload(&self) -> Arc<Notify> {
        Arc::clone(&self.reload)
    }

    /// Serves until `stop` is ready, then drains: no new connections and calls; those under way may end within
    /// [`Limits::drain`](crate::Limits::drain).
    pub fn run(self, listener: TcpListener, stop: BoxFuture<'static, ()>) -> BoxFuture<'static, Shutdown> {
        // It is compiled here, where the service is optimized: an `async fn` is in the crate that awaits it.
        Box::pin(self.serve(listener, stop))
    }

    async fn serve(self, listener: TcpListener, stop: BoxFuture<'static, ()>) -> Shutdown {
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let backend = Arc::clone(&self.backend);
        let limits = self.settings.limits;
        let main = self.router(health_service);
        let is_ready = scan(&backend, false).await;
        report(&reporter, is_ready).await;
        let connections = Listener::new(main, Arc::clone(&backend.pools));
        let admin = router(&backend, health().into_iter().chain([metrics(CallKind::Public)]));
        let admin = with_fallback(admin, &backend, CallKind::Public);
        // Its connections are not the service's: they are not counted and do not delay the shutdown.
        let admin_pools = Arc::new(Pools::new(limits, Arc::new(Metrics::new())));
        let admin = Listener::new(admin, Arc::clone(&admin_pools));
        let serve_admin = async {
            if let Some(listener) = self.admin {
                admin.listen(listener, std::future::pending()).await;
            }
            std::future::pending().await
        };
        let drain = async {
            let stop = async {
                tokio::select! {
                    () = stop => {}
                    never = watch(&backend, &reporter, self.settings.watch, &self.reload, is_ready) => match never {},
                }
                report(&reporter, false).await;
                tokio::time::sleep(self.settings.lame_duck).await;
            };
            connections.listen(listener, stop).await;
            tracing::info!("shutting down: waiting up to {:?} for requests under way", limits.drain);
            backend.stopping.cancel();
            end_health(reporter.clone()).await;
            connections.close(limits.drain).await
        };
        tokio::select! {
            drained = drain => if drained { Shutdown::Drained } else { Shutdown::CutOff },
            () = serve_admin => Shutdown::CutOff,
            _ = async { tokio::join!(backend.pools.supervise(), admin_pools.supervise()) } => Shutdown::CutOff,
        }
    }

    fn router(&self, health_service: HealthServer<impl Health>) -> Router {
        let backend = &self.backend;
        // gRPC-web is translated to gRPC before admission.
        let grpc = router(backend, grpc::routes(backend, health_service)).layer(GrpcWebLayer::new());
        let metrics = self.admin.is_none().then(|| metrics(CallKind::Request));
        let http = interface().into_iter().chain(page()).chain(health()).chain(metrics);
        let router = grpc.merge(with_fallback(router(backend, http), backend, CallKind::Request));
        match &self.cors {
            Some(cors) => router.layer(cors.clone()),
            None => router,
        }
    }
}
