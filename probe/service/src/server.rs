//! The server: all services on one listener.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use http::{HeaderName, HeaderValue, Method, Request};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tonic::server::NamedService;
use tonic_web::GrpcWebLayer;
use tower::{Service, ServiceExt};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::auth::Tokens;
use super::call::{self, Gate, REQUEST_ID};
use super::catalogue::Catalogue;
use super::engine::Engine;
use super::listen::Doorman;
use super::live::{Live, OtherSource};
use super::metrics::Metrics;
use super::tablebase::TablebaseService;
use super::tls::{Tls, TlsError};
use super::watch::{Watch, Watched};
use super::{Settings, page, web};

/// The whole service on one port: `makruk.v1.Tablebase`, `grpc.health.v1.Health` and `grpc.reflection.v1.ServerReflection`
/// (also as `v1alpha` for older clients) over gRPC and gRPC-web, and JSON over plain HTTP.
///
/// ```no_run
/// use makruk_probe::service::{Server, Settings};
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:50051").await?;
/// let server = Server::new("tables/data", Settings::default())?;
/// server.run(listener, async { drop(tokio::signal::ctrl_c().await) }).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    watched: Watched,
    settings: Settings,
    admin: Option<TcpListener>,
    reload: Arc<Notify>,
}

/// Why a server can't be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The file of tokens.
    #[error("{}: {source}", .path.display())]
    Tokens {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// The files of TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// An origin that can't be.
    #[error("{0:?} is no origin: expected something like https://example.org, or *")]
    Origin(String),
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Every request was answered and every connection closed.
    Drained,
    /// The time to drain was over first.
    CutOff,
}

/// Tells a server to look at its tables, tokens and certificates again.
#[derive(Clone, Debug)]
pub struct Reloader(Arc<Notify>);

impl Reloader {
    /// Begins to look. No request is dropped.
    pub fn reload(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// A server of a folder's tables.
    ///
    /// # Errors
    ///
    /// If tokens or certificates can't be read, or an origin is none.
    pub fn new(folder: impl Into<PathBuf>, settings: Settings) -> Result<Server, SetupError> {
        let (folder, metrics) = (folder.into(), Arc::new(Metrics::new()));
        let live = Live::folder(&folder, settings.cache_bytes, Arc::clone(&metrics));
        Server::of(live, folder, metrics, settings)
    }

    /// A server of values that come from elsewhere; the folder's tables are only listed, and watched for health.
    ///
    /// # Errors
    ///
    /// As [`Server::new`].
    pub fn with_source(
        source: OtherSource,
        folder: impl Into<PathBuf>,
        settings: Settings,
    ) -> Result<Server, SetupError> {
        let metrics = Arc::new(Metrics::new());
        Server::of(Live::other(source, Arc::clone(&metrics)), folder.into(), metrics, settings)
    }

    fn of(live: Live, folder: PathBuf, metrics: Arc<Metrics>, settings: Settings) -> Result<Server, SetupError> {
        let tokens = match &settings.token_file {
            None => Tokens::default(),
            Some(file) => Tokens::of_file(file).map_err(|source| SetupError::Tokens { path: file.clone(), source })?,
        };
        let tls = settings.tls.clone().map(Tls::new).transpose()?;
        cors(&settings.cors)?;
        let engine = Arc::new(Engine::new(live, Catalogue::new(folder), settings.limits, metrics));
        let watched = Watched { engine, tokens: Arc::new(tokens), tls: tls.map(Arc::new) };
        Ok(Server { watched, settings, admin: None, reload: Arc::default() })
    }

    /// Has `/metrics`, `/healthz` and `/readyz` on a listener of their own, plain and open to all who reach it; metrics then
    /// are nowhere else.
    #[must_use]
    pub fn with_admin(self, listener: TcpListener) -> Server {
        Server { admin: Some(listener), ..self }
    }

    /// What tells this server to look at its tables, tokens and certificates again.
    pub fn reloader(&self) -> Reloader {
        Reloader(Arc::clone(&self.reload))
    }

    /// Serves until `stop` is ready, then drains: no new connections and calls, those under way end, within
    /// [`Limits::drain`](super::Limits::drain).
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()> + Send) -> Shutdown {
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let engine = Arc::clone(&self.watched.engine);
        let limits = self.settings.limits;
        let mut watch = Watch::begin(reporter, self.watched.clone(), self.settings.watch, self.reload.clone()).await;
        let router = self.router(health_service);
        let doorman = Doorman::new(router, self.watched.tls.clone(), limits, Arc::clone(&engine.metrics));
        let admin_router = web::operation(Arc::clone(&engine));
        // Its connections are not the service's: they are not counted and don't hold up its end.
        let admin = Doorman::new(admin_router, None, limits, Arc::new(Metrics::new()));
        let serve_admin = async {
            match self.admin {
                Some(listener) => admin.listen(listener).await,
                None => std::future::pending().await,
            }
        };
        let drain = async {
            let serve = async {
                tokio::select! {
                    () = doorman.listen(listener) => {}
                    () = async {
                        stop.await;
                        watch.say_going().await;
                        tokio::time::sleep(self.settings.leave).await;
                    } => {}
                }
            };
            serve.await;
            tracing::info!("shutting down: waiting up to {:?} for requests under way", limits.drain);
            engine.stopping.cancel();
            watch.close().await;
            doorman.close(limits.drain).await
        };
        tokio::select! {
            drained = drain => if drained { Shutdown::Drained } else { Shutdown::CutOff },
            () = serve_admin => Shutdown::CutOff,
        }
    }

    fn router<H>(&self, health: H) -> Router
    where
        H: Service<
                Request<tonic::body::Body>,
                Response = http::Response<tonic::body::Body>,
                Error = std::convert::Infallible,
            > + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        H::Future: Send + 'static,
    {
        let engine = &self.watched.engine;
        let gate = Arc::new(Gate::new(Arc::clone(engine), Arc::clone(&self.watched.tokens)));
        let passing = || from_fn_with_state(Arc::clone(&gate), call::pass);
        let grpc = Router::new();
        let grpc = add(grpc, TablebaseService::new(Arc::clone(engine)));
        let grpc = add(grpc, health);
        let grpc = add(grpc, reflection().build_v1().expect(DESCRIPTORS));
        let grpc = add(grpc, reflection().build_v1alpha().expect(DESCRIPTORS));
        // gRPC-web is turned into gRPC before anything else sees it.
        let grpc = grpc.layer(passing()).layer(GrpcWebLayer::new());
        let operation = match self.admin {
            None => web::operation(Arc::clone(engine)),
            Some(_) => web::health(Arc::clone(engine)),
        };
        let web = web::routes(Arc::clone(engine)).merge(operation).merge(page::routes()).layer(passing());
        let router = grpc.merge(web);
        match cors(&self.settings.cors) {
            Ok(Some(cors)) => router.layer(cors),
            // They were looked at when the server was set up.
            Ok(None) | Err(_) => router,
        }
    }
}

/// What building the reflection services can't fail at.
const DESCRIPTORS: &str = "the descriptors are those that the code was generated from";

fn add<S>(router: Router, service: S) -> Router
where
    S: Service<
            Request<tonic::body::Body>,
            Response = http::Response<tonic::body::Body>,
            Error = std::convert::Infallible,
        > + NamedService
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send + 'static,
{
    let path = format!("/{}/{{*method}}", S::NAME);
    router.route_service(
        &path,
        service.map_request(|request: Request<axum::body::Body>| request.map(tonic::body::Body::new)),
    )
}

/// Pages of these origins may ask; without any there is nothing to say to pages.
fn cors(origins: &[String]) -> Result<Option<CorsLayer>, SetupError> {
    if origins.is_empty() {
        return Ok(None);
    }
    let allowed = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        let origin = |text: &String| {
            let is_origin = text.split_once("://").is_some_and(|(_, host)| !host.is_empty() && !host.contains('/'));
            let value = HeaderValue::from_str(text).ok().filter(|_| is_origin);
            value.ok_or_else(|| SetupError::Origin(text.clone()))
        };
        AllowOrigin::list(origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?)
    };
    let header = HeaderName::from_static;
    let asked = ["authorization", "content-type", "grpc-timeout", "x-grpc-web", "x-user-agent"].map(header);
    let told = ["grpc-message", "grpc-status", "grpc-status-details-bin", "retry-after"].map(header);
    Ok(Some(
        CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::GET, Method::POST])
            .allow_headers(asked.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
            .expose_headers(told.into_iter().chain([REQUEST_ID]).collect::<Vec<_>>())
            .max_age(std::time::Duration::from_secs(24 * 3600)),
    ))
}

/// Reflection of all services and of the details that failures carry, comments included.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(makruk_proto::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // With these, clients that know us by reflection alone can read a failure's details.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
