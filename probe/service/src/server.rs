//! The server: all services on one listener.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::routing::{MethodRouter, any_service};
use axum::{Extension, Router};
use http::Request;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tonic::server::NamedService;
use tonic_web::GrpcWebLayer;
use tower::{Service, ServiceExt};
use tower_http::cors::CorsLayer;

use crate::admission::connection::Connection;
use crate::admission::endpoint::{CallKind, Endpoint};
use crate::admission::layer::AdmissionLayer;
use crate::admission::pools::Pools;
use crate::admission::tokens::Tokens;
use crate::backend::Backend;
use crate::grpc::batch::BatchService;
use crate::grpc::tablebase::TablebaseService;
use crate::http::cors;
use crate::http::page::page_policy;
use crate::http::routes::Routes;
use crate::listener::Listener;
use crate::listener::tls::{Tls, TlsError};
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::tables::monitor::{FolderMonitor, ListedTable};
use crate::tables::snapshot::{CurrentTables, SharedValueSource};
use crate::tables::watch::{Watch, WatchedFiles};

/// The whole service on one port: `makruk.v1.Tablebase`, `grpc.health.v1.Health` and
/// `grpc.reflection.v1.ServerReflection` (also as `v1alpha` for older clients) over gRPC and gRPC-web, and JSON over
/// plain HTTP.
///
/// ```no_run
/// use makruk_service::{Server, Settings};
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:50051").await?;
/// let server = Server::new("tables/data", Settings::default())?;
/// server.run(listener, async { drop(tokio::signal::ctrl_c().await) }).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    files: WatchedFiles,
    settings: Settings,
    cors: Option<CorsLayer>,
    admin: Option<TcpListener>,
    reload: Arc<Notify>,
}

/// A reason why a server cannot be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The file of tokens cannot be used.
    #[error("{}: {source}", .path.display())]
    Tokens {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The files of TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// A text that is not an origin.
    #[error("{0:?} is not a valid origin: expected something like https://example.org, or *")]
    Origin(String),
}

/// The end of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Every request was answered and every connection closed.
    Drained,
    /// Some were cut off at the deadline of the drain.
    CutOff,
}

/// Makes a running server read its tables, tokens and certificates again.
#[derive(Clone, Debug)]
pub struct Reloader(Arc<Notify>);

impl Reloader {
    /// Requests a reload. No call is dropped.
    pub fn reload(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// A server of the tables of a folder.
    ///
    /// # Errors
    ///
    /// If tokens or certificates cannot be read, or an origin is invalid.
    pub fn new(folder: impl Into<PathBuf>, settings: Settings) -> Result<Server, SetupError> {
        let (folder, metrics) = (folder.into(), Arc::new(Metrics::new()));
        let tables = CurrentTables::folder(&folder, settings.cache_bytes, Arc::clone(&metrics));
        Server::of(tables, folder, metrics, settings)
    }

    /// A server of values from another source; the tables of the folder are only listed, and watched for health.
    ///
    /// # Errors
    ///
    /// As [`Server::new`].
    pub fn with_source(
        source: SharedValueSource,
        folder: impl Into<PathBuf>,
        settings: Settings,
    ) -> Result<Server, SetupError> {
        let metrics = Arc::new(Metrics::new());
        Server::of(CurrentTables::other(source, Arc::clone(&metrics)), folder.into(), metrics, settings)
    }

    fn of(
        tables: CurrentTables,
        folder: PathBuf,
        metrics: Arc<Metrics>,
        settings: Settings,
    ) -> Result<Server, SetupError> {
        let tokens = match &settings.token_file {
            None => Tokens::default(),
            Some(file) => Tokens::of_file(file).map_err(|source| SetupError::Tokens { path: file.clone(), source })?,
        };
        let tls = settings.tls.clone().map(Tls::new).transpose()?;
        let cors = cors::layer(&settings.cors).map_err(SetupError::Origin)?;
        let policy = page_policy(&settings.embed).ok_or_else(|| SetupError::Origin(settings.embed.join(", ")))?;
        let backend = Arc::new(Backend::new(tables, FolderMonitor::new(folder), &settings, policy, metrics));
        let files = WatchedFiles { backend, tokens: Arc::new(tokens), tls: tls.map(Arc::new) };
        Ok(Server { files, settings, cors, admin: None, reload: Arc::default() })
    }

    /// Serves `/metrics`, `/healthz` and `/readyz` on a separate listener, without TLS and tokens; the main listener
    /// then has no metrics.
    #[must_use]
    pub fn with_admin(self, listener: TcpListener) -> Server {
        Server { admin: Some(listener), ..self }
    }

    /// The reloader of this server.
    pub fn reloader(&self) -> Reloader {
        Reloader(Arc::clone(&self.reload))
    }

    /// The addresses of the server without a listener, as one client's, and the tables that its folder has now.
    pub(crate) async fn offline(&self) -> (Router, Vec<ListedTable>) {
        self.files.scan(false).await;
        let backend = &self.files.backend;
        let admission = AdmissionLayer::new(Arc::clone(backend), Arc::clone(&self.files.tokens));
        let router = Routes::new(admission).add_interface(backend).build(Arc::clone(backend));
        let connection = Connection::begin(&backend.pools, Ipv4Addr::LOCALHOST.into(), false).expect(FIRST);
        (router.layer(Extension(connection)), backend.tables(None))
    }

    /// Serves until `stop` is ready, then drains: no new connections and calls; those under way may end within
    /// [`Limits::drain`](crate::Limits::drain).
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()> + Send) -> Shutdown {
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let backend = Arc::clone(&self.files.backend);
        let limits = self.settings.limits;
        let router = self.router(GrpcService::new(health_service.max_decoding_message_size(SMALL_MESSAGE)));
        let mut watch = Watch::begin(reporter, self.files.clone(), self.settings.watch, self.reload.clone()).await;
        let connections = Listener::new(router, self.files.tls.clone(), Arc::clone(&backend.pools));
        let admission = AdmissionLayer::new(Arc::clone(&backend), Arc::default());
        let admin_router =
            Routes::new(admission).add_health(&backend).add_metrics(&backend).build(Arc::clone(&backend));
        // Its connections are not the service's: they are not counted and do not delay the shutdown.
        let admin_pools = Arc::new(Pools::new(limits, Arc::new(Metrics::new())));
        let admin = Listener::new(admin_router, None, Arc::clone(&admin_pools));
        let serve_admin = async {
            if let Some(listener) = self.admin {
                admin.listen(listener, std::future::pending()).await;
            }
            std::future::pending().await
        };
        let drain = async {
            let stop = async {
                stop.await;
                watch.mark_not_serving().await;
                tokio::time::sleep(self.settings.lame_duck).await;
            };
            connections.listen(listener, stop).await;
            tracing::info!("shutting down: waiting up to {:?} for requests under way", limits.drain);
            backend.stopping.cancel();
            watch.close().await;
            connections.close(limits.drain).await
        };
        tokio::select! {
            drained = drain => if drained { Shutdown::Drained } else { Shutdown::CutOff },
            () = serve_admin => Shutdown::CutOff,
            _ = async { tokio::join!(backend.pools.supervise(), admin_pools.supervise()) } => Shutdown::CutOff,
        }
    }

    fn router(&self, health: GrpcService) -> Router {
        let backend = &self.files.backend;
        let admission = AdmissionLayer::new(Arc::clone(backend), Arc::clone(&self.files.tokens));
        let reflections = Endpoint::new("reflection", CallKind::RequestStream);
        let v1 = reflection().build_v1().expect(DESCRIPTORS);
        let v1alpha = reflection().build_v1alpha().expect(DESCRIPTORS);
        let grpc = GrpcRoutes { router: Router::new(), admission: admission.clone() }
            .add_tablebase(TablebaseService::new(Arc::clone(backend)), backend.limits.message_bytes)
            .add_health(health)
            .add(GrpcService::new(v1.max_decoding_message_size(SMALL_MESSAGE)), reflections)
            .add(GrpcService::new(v1alpha.max_decoding_message_size(SMALL_MESSAGE)), reflections);
        // gRPC-web is translated to gRPC before admission.
        let grpc = grpc.router.layer(GrpcWebLayer::new());
        let routes = Routes::new(admission).add_interface(backend).add_health(backend);
        let routes = if self.admin.is_none() { routes.add_metrics(backend) } else { routes };
        let router = grpc.merge(routes.build(Arc::clone(backend)));
        match &self.cors {
            Some(cors) => router.layer(cors.clone()),
            None => router,
        }
    }
}

/// The most bytes of a request for health or reflection.
const SMALL_MESSAGE: usize = 4 << 10;

/// The reason why a connection cannot be refused.
const FIRST: &str = "a server has room for its first client";

/// The reason why building the reflection services cannot fail.
const DESCRIPTORS: &str = "the descriptors are those from which the code was generated";

/// A gRPC service as a route: the name that its paths begin with, and the handler of its calls.
#[derive(Clone)]
struct GrpcService {
    name: &'static str,
    calls: MethodRouter,
}

impl GrpcService {
    fn new<S>(service: S) -> GrpcService
    where
        S: Service<Request<tonic::body::Body>, Response = http::Response<tonic::body::Body>, Error = Infallible>
            + NamedService
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        let service = service.map_request(|request: Request<axum::body::Body>| request.map(tonic::body::Body::new));
        GrpcService { name: S::NAME, calls: any_service(service) }
    }

    fn path_of(&self, method: &str) -> String {
        format!("/{}/{method}", self.name)
    }
}

/// A router of gRPC services under construction: no route is added without its endpoint.
struct GrpcRoutes {
    router: Router,
    admission: AdmissionLayer,
}

impl GrpcRoutes {
    /// Adds a service all of whose methods are one endpoint.
    fn add(self, service: GrpcService, endpoint: Endpoint) -> GrpcRoutes {
        let path = service.path_of("{*method}");
        self.add_route(&path, service, endpoint)
    }

    /// Adds the service of the tables, with an endpoint for each method.
    fn add_tablebase(self, service: TablebaseService, message_bytes: usize) -> GrpcRoutes {
        let batches = GrpcService::new(BatchService::new(service.clone(), message_bytes));
        let all = GrpcService::new(service.into_server());
        let routes = makruk_proto::METHODS.iter().fold(self, |routes, method| {
            let kind = if method.client_streaming { CallKind::RequestStream } else { CallKind::Request };
            let endpoint = Endpoint::new(method.name, kind);
            let service = if method.name == BatchService::METHOD { &batches } else { &all };
            routes.add_route(method.path, service.clone(), endpoint)
        });
        routes.add(all, Endpoint::UNKNOWN)
    }

    /// Adds the service of health, whose watches have separate places.
    fn add_health(self, service: GrpcService) -> GrpcRoutes {
        self.add_route(&service.path_of("Check"), service.clone(), Endpoint::new("health", CallKind::Public))
            .add_route(&service.path_of("Watch"), service.clone(), Endpoint::new("health", CallKind::Watch))
            .add(service, Endpoint::UNKNOWN)
    }

    fn add_route(self, path: &str, service: GrpcService, endpoint: Endpoint) -> GrpcRoutes {
        let calls = self.admission.guard(endpoint, service.calls);
        GrpcRoutes { router: self.router.route(path, calls), ..self }
    }
}

/// Reflection of all services and of the details that failures carry, comments included.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(makruk_proto::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // With these, clients that use reflection alone can read the details of a failure.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
