//! The listener: accepts connections, bounds them, and closes them.

mod preface;
pub(crate) mod tls;

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

use self::preface::PrefaceTimeout;
use self::tls::Tls;
use crate::admission::call_guard::ConnectionState;
use crate::admission::limits::Limits;
use crate::admission::permits::places;
use crate::metrics::Metrics;

/// The most bytes of a call's headers.
const HEADER_BYTES: u32 = 16 << 10;
/// Time of silence after which a connection is pinged.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Time for the answer to a ping. Then the connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// Pause after the system refused to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections and serves them by a router.
#[derive(Clone)]
pub(crate) struct Listener {
    router: Router,
    tls: Option<Arc<Tls>>,
    limits: Limits,
    metrics: Arc<Metrics>,
    places: Arc<Semaphore>,
    /// Tells connections to end as soon as their calls have.
    closing: CancellationToken,
    /// Tells connections to end now.
    cut_off: CancellationToken,
    tasks: TaskTracker,
}

impl Listener {
    pub(crate) fn new(router: Router, tls: Option<Arc<Tls>>, limits: Limits, metrics: Arc<Metrics>) -> Listener {
        Listener {
            // Calls of a router without state are cheaper.
            router: router.with_state(()),
            tls,
            limits,
            metrics,
            places: places(limits.connections),
            closing: CancellationToken::new(),
            cut_off: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Accepts connections for ever. Dropping the future closes the listener.
    pub(crate) async fn listen(&self, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                        self.metrics.connections_refused.inc();
                        tracing::debug!(%peer, "refused: the limit of connections is reached");
                        continue;
                    };
                    let server = self.clone();
                    self.tasks.spawn(async move {
                        let _place = place;
                        let _open = GaugeGuard::new(&server.metrics.connections_open);
                        server.metrics.connections.inc();
                        tokio::select! {
                            () = server.serve_connection(stream) => {}
                            () = server.cut_off.cancelled() => {}
                        }
                    });
                }
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!("cannot accept connections: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Closes all connections as their calls end; returns false if some had to be cut off at the deadline.
    pub(crate) async fn close(&self, deadline: Duration) -> bool {
        self.closing.cancel();
        self.tasks.close();
        let ended = timeout(deadline, self.tasks.wait()).await.is_ok();
        self.cut_off.cancel();
        ended
    }

    async fn serve_connection(&self, stream: TcpStream) {
        // Answers are small, and clients wait for them.
        let _ = stream.set_nodelay(true);
        let handshake = self.limits.handshake;
        let Some(tls) = &self.tls else { return self.serve_http(PrefaceTimeout::new(stream, handshake)).await };
        let accepted = tokio::select! {
            accepted = timeout(handshake, tls.acceptor().accept(stream)) => accepted,
            () = self.closing.cancelled() => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.serve_http(PrefaceTimeout::new(stream, handshake)).await,
            outcome => {
                self.metrics.connections_refused.inc();
                match outcome {
                    Ok(Err(error)) => tracing::debug!("TLS failed: {error}"),
                    _ => tracing::debug!("TLS was not established in time"),
                }
            }
        }
    }

    async fn serve_http(&self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
        let state = Arc::new(ConnectionState::new(self.limits.connection_positions));
        let of_request = Arc::clone(&state);
        let service = self.router.clone().map_request(move |mut request: http::Request<Incoming>| {
            request.extensions_mut().insert(Arc::clone(&of_request));
            request
        });
        let builder = self.builder();
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
        let mut check = interval((self.limits.idle / 4).max(Duration::from_millis(10)));
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
                _ = check.tick() => {
                    if state.stalled_for().is_some_and(|time| time >= self.limits.idle) {
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

/// Keeps a gauge one higher while it lives.
struct GaugeGuard(Gauge);

impl GaugeGuard {
    fn new(gauge: &Gauge) -> GaugeGuard {
        gauge.inc();
        GaugeGuard(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Whether the error concerns one connection, which is gone, and not the listener.
fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
