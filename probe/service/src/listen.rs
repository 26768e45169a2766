//! Connections: taken on, bounded, and closed.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use prometheus_client::metrics::gauge::Gauge;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{interval, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::Limits;
use super::call::Shared;
use super::connection::Connection;
use super::metrics::Metrics;
use super::tls::Tls;

/// Bytes of a call's headers.
const HEADER_BYTES: u32 = 16 << 10;
/// A connection that is silent for so long is asked whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// If it does not answer within this time, it is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// How long to wait when the system has no more connections to give.
const OUT_OF_CONNECTIONS: Duration = Duration::from_millis(50);

/// Takes on connections to a router.
#[derive(Clone)]
pub(super) struct Doorman {
    router: Router,
    tls: Option<Arc<Tls>>,
    limits: Limits,
    metrics: Arc<Metrics>,
    places: Arc<Semaphore>,
    /// Tells connections to end when they have nothing more to do.
    closing: CancellationToken,
    /// Tells them to end now.
    cut_off: CancellationToken,
    tasks: TaskTracker,
}

impl Doorman {
    pub(super) fn new(router: Router, tls: Option<Arc<Tls>>, limits: Limits, metrics: Arc<Metrics>) -> Doorman {
        let places = limits.connections.clamp(1, Semaphore::MAX_PERMITS);
        Doorman {
            // Makes calls of the router cheaper.
            router: router.with_state(()),
            tls,
            limits,
            metrics,
            places: Arc::new(Semaphore::new(places)),
            closing: CancellationToken::new(),
            cut_off: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Takes on connections for ever. To be dropped when there shall be no more.
    pub(super) async fn listen(&self, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                        self.metrics.connections_refused.inc();
                        tracing::debug!(%peer, "refused: as many connections are open as may be");
                        continue;
                    };
                    let doorman = self.clone();
                    self.tasks.spawn(async move {
                        let _place = place;
                        let _open = Counted::new(&doorman.metrics.connections_open);
                        doorman.metrics.connections.inc();
                        tokio::select! {
                            () = doorman.attend(stream) => {}
                            () = doorman.cut_off.cancelled() => {}
                        }
                    });
                }
                Err(error) if is_of_the_connection(&error) => {}
                Err(error) => {
                    tracing::warn!("no connection can be taken on: {error}");
                    tokio::time::sleep(OUT_OF_CONNECTIONS).await;
                }
            }
        }
    }

    /// Lets connections end what they are at. False if that takes longer than they may.
    pub(super) async fn close(&self, patience: Duration) -> bool {
        self.closing.cancel();
        self.tasks.close();
        let ended = timeout(patience, self.tasks.wait()).await.is_ok();
        self.cut_off.cancel();
        ended
    }

    async fn attend(&self, stream: TcpStream) {
        // Answers are small, and waited for.
        let _ = stream.set_nodelay(true);
        let handshake = self.limits.handshake;
        let Some(tls) = &self.tls else { return self.serve(Connection::new(stream, handshake)).await };
        let accepted = tokio::select! {
            accepted = timeout(handshake, tls.acceptor().accept(stream)) => accepted,
            () = self.closing.cancelled() => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.serve(Connection::new(stream, handshake)).await,
            outcome => {
                self.metrics.connections_refused.inc();
                match outcome {
                    Ok(Err(error)) => tracing::debug!("no TLS: {error}"),
                    _ => tracing::debug!("no TLS in time"),
                }
            }
        }
    }

    async fn serve(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let shared = Arc::new(Shared::new(self.limits.connection_positions));
        let of_connection = Arc::clone(&shared);
        let service = self.router.clone().map_request(move |mut request: http::Request<Incoming>| {
            request.extensions_mut().insert(Arc::clone(&of_connection));
            request
        });
        let builder = self.builder();
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
        let mut look = interval((self.limits.idle / 4).max(Duration::from_millis(10)));
        let mut closing = pin!(self.closing.cancelled());
        let mut is_closing = false;
        loop {
            tokio::select! {
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!("a connection has failed: {error}");
                    }
                    return;
                }
                () = closing.as_mut(), if !is_closing => {
                    is_closing = true;
                    connection.as_mut().graceful_shutdown();
                }
                _ = look.tick() => {
                    if shared.stalled_for().is_some_and(|time| time >= self.limits.idle) {
                        self.metrics.connections_stalled.inc();
                        tracing::debug!("a connection is closed: its client does not read");
                        return;
                    }
                }
            }
        }
    }

    fn builder(&self) -> Builder<TokioExecutor> {
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(KEEPALIVE).max_buf_size(2 * HEADER_BYTES as usize);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.limits.connection_calls)
            .max_header_list_size(HEADER_BYTES)
            .keep_alive_interval(KEEPALIVE)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT);
        builder
    }
}

/// A gauge that is one higher while this lives.
struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Counted {
        gauge.inc();
        Counted(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Whether accepting failed for one connection, which is gone, and not for all.
fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
