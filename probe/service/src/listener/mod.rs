//! The listener: accepts connections, bounds them, and closes them.

mod socket;

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener as Accept;
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use self::socket::NotedSocket;
use crate::admission::connection::{Connection, StreamExecutor};
use crate::admission::limits::{CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES};
use crate::admission::pools::Pools;
use crate::admission::unread::meter;

/// The most bytes of a call's headers.
const HEADER_BYTES: u32 = 16 << 10;
/// The most bytes of a response that HTTP/2 takes from its call before the socket takes them.
const SEND_BUFFER_BYTES: usize = 64 << 10;
/// Time of silence after which a connection is pinged.
const KEEPALIVE: Duration = Duration::from_secs(60);
/// Time for the answer to a ping. Then the connection is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// Time for the first request of a connection that was established just before the shutdown.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

/// Accepts connections and serves them by a router.
#[derive(Clone)]
pub(crate) struct Listener {
    router: Router,
    pools: Arc<Pools>,
    tasks: TaskTracker,
}

impl Listener {
    pub(crate) fn new(router: Router, pools: Arc<Pools>) -> Listener {
        // Calls of a router without state are cheaper.
        Listener { router: router.with_state(()), pools, tasks: TaskTracker::new() }
    }

    /// Accepts connections until `stop` is ready, and those that are established by then.
    pub(crate) async fn listen(&self, mut listener: TcpListener, stop: impl Future<Output = ()>) {
        let accept = async |listener: &mut TcpListener| {
            loop {
                let (stream, peer) = Accept::accept(listener).await;
                self.accept(stream, peer);
            }
        };
        tokio::select! {
            () = accept(&mut listener) => {}
            () = stop => {}
        }
        while let Some((stream, peer)) = Accept::accept(&mut listener).now_or_never() {
            self.accept(stream, peer);
        }
    }

    /// Closes all connections as their calls end; returns false if some had to be cut off at the deadline.
    pub(crate) async fn close(&self, deadline: Duration) -> bool {
        self.pools.closing.cancel();
        self.tasks.close();
        let ended = timeout(deadline, self.tasks.wait()).await.is_ok();
        self.pools.connections.end_idle(Duration::ZERO);
        ended
    }

    fn accept(&self, stream: TcpStream, address: SocketAddr) {
        let Ok(connection) = Connection::begin(&self.pools, address.ip()) else {
            tracing::debug!(%address, "refused: a limit is reached");
            return;
        };
        self.pools.metrics.connections.inc();
        let listener = self.clone();
        self.tasks.spawn(async move { listener.serve(stream, &connection).await });
    }

    async fn serve(&self, stream: TcpStream, connection: &Arc<Connection>) {
        let service = {
            let (of_request, of_response) = (Arc::clone(connection), Arc::clone(connection));
            let service = self.router.clone().map_request(move |mut request: http::Request<Incoming>| {
                request.extensions_mut().insert(Arc::clone(&of_request));
                request
            });
            service.map_response(move |response| meter(response, &of_response))
        };
        let stream = TokioIo::new(NotedSocket::new(stream, Arc::clone(connection)));
        let (limits, closing, begun) = (&self.pools.limits, &self.pools.closing, Instant::now());
        let builder = self.builder(connection);
        let mut serving = pin!(builder.serve_connection(stream, TowerToHyperService::new(service)));
        let mut ending = pin!(async {
            closing.cancelled().await;
            // A client that has just connected may have sent its request already: it would be reset.
            let _ = timeout_at(begun + FIRST_REQUEST, connection.begun.notified()).await;
        });
        let mut over = pin!(async {
            // A silent client would hold its place for ever.
            let silent = async {
                sleep(limits.handshake).await;
                if connection.has_begun() {
                    std::future::pending().await
                }
            };
            tokio::select! {
                () = connection.holder.ended().cancelled() => {}
                () = connection.call_ended() => {}
                () = silent => {}
            }
        });
        let mut is_ending = false;
        loop {
            tokio::select! {
                ended = serving.as_mut() => return ended.unwrap_or_else(|error| {
                    tracing::debug!("a connection has failed: {error}");
                }),
                () = over.as_mut() => return,
                () = ending.as_mut(), if !is_ending => {
                    is_ending = true;
                    serving.as_mut().graceful_shutdown();
                }
            }
        }
    }

    fn builder(&self, connection: &Arc<Connection>) -> Builder<StreamExecutor> {
        let mut builder = Builder::new(StreamExecutor(Arc::clone(connection)));
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(KEEPALIVE)
            .max_buf_size(2 * HEADER_BYTES as usize)
            // A client that has sent its request may close its half of the connection, and is answered if that is soon.
            .half_close(true);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.pools.limits.connection_calls)
            .max_header_list_size(HEADER_BYTES)
            .max_send_buf_size(SEND_BUFFER_BYTES)
            .initial_stream_window_size(STREAM_WINDOW_BYTES as u32)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES as u32)
            .keep_alive_interval(KEEPALIVE)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT);
        builder
    }
}
