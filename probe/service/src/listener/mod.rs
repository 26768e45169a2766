//! The listener: accepts connections, bounds them, and closes them.

mod backlog;
mod preface;
mod socket;
pub(crate) mod tls;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use self::preface::PrefaceTimeout;
use self::socket::NotedSocket;
use self::tls::Tls;
use crate::admission::connection::{ConnectionState, Connections, ServerRoom};
use crate::admission::limits::Limits;
use crate::admission::places::places;
use crate::admission::unread::meter;
use crate::metrics::Metrics;

/// The most bytes of a call's headers.
const HEADER_BYTES: u32 = 16 << 10;
/// The most bytes of a response that HTTP/2 takes from its call before the socket takes them.
const SEND_BUFFER_BYTES: usize = 64 << 10;
/// Bytes that a client may send before they are read, on a stream and on a connection.
const STREAM_WINDOW_BYTES: u32 = 64 << 10;
const CONNECTION_WINDOW_BYTES: u32 = 256 << 10;
/// Time of silence after which a connection is pinged.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Time for the answer to a ping. Then the connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// Pause after the system refused to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Time for the first request of a connection that was established just before the shutdown.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

/// Accepts connections and serves them by a router.
#[derive(Clone)]
pub(crate) struct Listener {
    router: Router,
    tls: Option<Arc<Tls>>,
    limits: Limits,
    metrics: Arc<Metrics>,
    room: Arc<ServerRoom>,
    connections: Arc<Connections>,
    places: Arc<Semaphore>,
    /// Tells connections to end as soon as their calls have.
    closing: CancellationToken,
    /// Tells connections to end now.
    cut_off: CancellationToken,
    tasks: TaskTracker,
}

impl Listener {
    pub(crate) fn new(router: Router, tls: Option<Arc<Tls>>, room: Arc<ServerRoom>) -> Listener {
        Listener {
            // Calls of a router without state are cheaper.
            router: router.with_state(()),
            tls,
            limits: room.limits,
            metrics: Arc::clone(&room.metrics),
            connections: Arc::new(Connections::new(Arc::clone(&room))),
            places: places(room.limits.connections),
            room,
            closing: CancellationToken::new(),
            cut_off: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Accepts connections until `stop` is ready, and those that are established by then.
    pub(crate) async fn listen(&self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = stop.as_mut() => break,
            };
            match accepted {
                Ok((stream, peer)) => self.accept(stream, peer),
                Err(error) if concerns_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!("cannot accept connections: {error}");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        backlog::drain(listener, |stream, peer| self.accept(stream, peer)).await;
    }

    /// Cuts off connections whose clients do not read, and retires old ones, for ever.
    pub(crate) async fn supervise(&self) {
        self.connections.supervise().await;
    }

    /// Closes all connections as their calls end; returns false if some had to be cut off at the deadline.
    pub(crate) async fn close(&self, deadline: Duration) -> bool {
        self.room.close();
        self.closing.cancel();
        self.tasks.close();
        let ended = timeout(deadline, self.tasks.wait()).await.is_ok();
        self.cut_off.cancel();
        ended
    }

    fn accept(&self, stream: TcpStream, address: SocketAddr) {
        let peer = self.connections.peer(address.ip());
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place_of_peer = Arc::clone(&peer.connections).try_acquire_owned();
        let (Ok(place), Ok(place_of_peer)) = (place, place_of_peer) else {
            self.metrics.connections_refused.inc();
            tracing::debug!(%address, "refused: the limit of connections is reached");
            return;
        };
        let connection = self.connections.begin(peer);
        let listener = self.clone();
        self.tasks.spawn(async move {
            let _places = (place, place_of_peer);
            let _open = GaugeGuard::new(&listener.metrics.connections_open);
            listener.metrics.connections.inc();
            let state = Arc::clone(&connection);
            tokio::select! {
                () = listener.serve_connection(stream, connection) => {}
                () = state.cut_off.cancelled() => {}
                () = listener.cut_off.cancelled() => {}
            }
        });
    }

    async fn serve_connection(&self, stream: TcpStream, connection: Arc<ConnectionState>) {
        // Answers are small, and clients wait for them.
        let _ = stream.set_nodelay(true);
        let handshake = self.limits.handshake;
        let socket = NotedSocket::new(stream, Arc::clone(&connection));
        let Some(tls) = &self.tls else {
            return self.serve_http(PrefaceTimeout::new(socket, handshake), connection).await;
        };
        let accepted = tokio::select! {
            accepted = timeout(handshake, tls.acceptor().accept(socket)) => accepted,
            () = async {
                self.closing.cancelled().await;
                sleep(FIRST_REQUEST).await;
            } => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.serve_http(PrefaceTimeout::new(stream, handshake), connection).await,
            outcome => {
                self.metrics.connections_refused.inc();
                match outcome {
                    Ok(Err(error)) => tracing::debug!("TLS failed: {error}"),
                    _ => tracing::debug!("TLS was not established in time"),
                }
            }
        }
    }

    async fn serve_http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        connection: Arc<ConnectionState>,
    ) {
        let has_begun = Arc::new(AtomicBool::new(false));
        let service = self.router.clone();
        let service = {
            let (of_request, of_response) = (Arc::clone(&connection), Arc::clone(&connection));
            let has_begun = Arc::clone(&has_begun);
            service
                .map_request(move |mut request: http::Request<Incoming>| {
                    has_begun.store(true, Ordering::Relaxed);
                    request.extensions_mut().insert(Arc::clone(&of_request));
                    request
                })
                .map_response(move |response| meter(response, &of_response))
        };
        let builder = self.builder();
        let mut serving = pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
        let mut ending = pin!(async {
            tokio::select! {
                () = self.closing.cancelled() => {}
                () = connection.retire.cancelled() => {}
            }
            // A client that has just connected may have sent its request already: it would be reset.
            let fresh = async {
                while !has_begun.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(5)).await;
                }
            };
            let _ = timeout(FIRST_REQUEST.saturating_sub(connection.age()), fresh).await;
        });
        let mut is_ending = false;
        loop {
            tokio::select! {
                ended = serving.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!("a connection has failed: {error}");
                    }
                    return;
                }
                () = ending.as_mut(), if !is_ending => {
                    is_ending = true;
                    serving.as_mut().graceful_shutdown();
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
            .max_send_buf_size(SEND_BUFFER_BYTES)
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
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
