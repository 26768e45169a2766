//! The server: all services on one listener.

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio_stream::StreamExt;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;

use super::connection::Connection;
use super::health::Health;
use super::{Limits, TablebaseService};
use crate::{Prober, Tables, ValueSource};

/// Calls that a connection may have open; more of them wait at the client.
const STREAMS_PER_CONNECTION: u32 = 1024;
/// Bytes of a call's headers.
const HEADER_BYTES: u32 = 16 << 10;
/// A connection that is silent for so long is asked whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// If it does not answer within this time, it is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// The whole service: `makruk.v1.Tablebase`, `grpc.health.v1.Health` and `grpc.reflection.v1.ServerReflection`, the
/// last also as `v1alpha` for older clients.
///
/// ```no_run
/// use makruk_probe::service::{Limits, Server};
/// use makruk_probe::{Prober, Tables};
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:50051").await?;
/// let server = Server::new(Prober::new(Tables::new("tables/data")), Limits::default());
/// server.run(listener, async { drop(tokio::signal::ctrl_c().await) }).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Server<S = Tables> {
    prober: Prober<S>,
    folder: PathBuf,
    limits: Limits,
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Every request was answered and every connection closed.
    Drained,
    /// The time to drain was over first.
    CutOff,
}

impl Server {
    /// A server of a folder's tables. Health says "serving" while that folder can be opened.
    pub fn new(prober: Prober, limits: Limits) -> Server {
        let folder = prober.source().path().to_owned();
        Server { prober, folder, limits }
    }
}

impl<S: ValueSource + Send + Sync + 'static> Server<S> {
    /// A server of values that come from elsewhere; `folder` is only watched for health.
    pub fn with_source(prober: Prober<S>, folder: impl Into<PathBuf>, limits: Limits) -> Server<S> {
        Server { prober, folder: folder.into(), limits }
    }

    /// Serves until `stop` is ready, then drains: no new connections and calls, those under way end, within
    /// [`Limits::drain`].
    ///
    /// # Errors
    ///
    /// If the listener fails.
    pub async fn run(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<Shutdown, tonic::transport::Error> {
        let Server { prober, folder, limits } = self;
        let (reporter, health_service) = tonic_health::server::health_reporter();
        let health = Health::watch(reporter, folder).await;
        let routes = Routes::new(TablebaseService::new(prober, limits).into_server())
            .add_service(health_service)
            .add_service(reflection().build_v1().expect(DESCRIPTORS))
            .add_service(reflection().build_v1alpha().expect(DESCRIPTORS));
        let connections = TcpIncoming::from(listener)
            .with_nodelay(Some(true))
            .map(move |stream| stream.map(|stream| Connection::new(stream, limits.handshake)));
        let (stopping, stopped) = oneshot::channel();
        let drain = async {
            stop.await;
            tracing::info!("shutting down: waiting up to {:?} for requests under way", limits.drain);
            health.close().await;
            // Nobody listens if the server has failed.
            let _ = stopping.send(());
        };
        let serve = tonic::transport::Server::builder()
            .max_concurrent_streams(STREAMS_PER_CONNECTION)
            .http2_max_header_list_size(HEADER_BYTES)
            .http2_keepalive_interval(Some(KEEPALIVE))
            .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
            .serve_with_incoming_shutdown(routes.prepare(), connections, drain);
        let grace = async {
            match stopped.await {
                Ok(()) => tokio::time::sleep(limits.drain).await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            served = serve => served.map(|()| Shutdown::Drained),
            () = grace => Ok(Shutdown::CutOff),
        }
    }
}

/// What building the reflection services can't fail at.
const DESCRIPTORS: &str = "the descriptors are those that the code was generated from";

/// Reflection of all services and of the details that failures carry, comments included.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(makruk_proto::v1::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        // With these, clients that know us by reflection alone can read a failure's details.
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
