//! Connections, which their calls and their sockets share.
//!
//! Each stream of HTTP/2 is a task that can be ended by itself. In the attacks `window-zero` and `short-frames`, a
//! response waits within the library for a client that never reads.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use http::HeaderMap;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::admission::holder::Holder;
use crate::admission::limits::{CONNECTION_BYTES, FRAMES_BYTES, HEAD_BYTES};
use crate::admission::pool::Grant;
use crate::admission::pools::Pools;
use crate::status::Failure;

/// Time for a call that was ended to answer with a failure.
const LAST_ANSWER: Duration = Duration::from_millis(50);
/// The length of the preface of HTTP/2 (RFC 9113, section 3.4).
const PREFACE_BYTES: usize = 24;
/// The header in which proxies name their clients.
const FORWARDED_FOR: &str = "x-forwarded-for";

tokio::task_local! {
    /// Ends the stream of HTTP/2 whose task this is.
    static STREAM_ENDED: CancellationToken;
}

/// A connection: its places, and what its calls share.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) holder: Arc<Holder>,
    pub(crate) pools: Arc<Pools>,
    /// Whether the client is a proxy that is trusted to name its clients.
    is_proxy: bool,
    /// Ends the call of HTTP/1.1 that is open, and the connection after it.
    call_ended: CancellationToken,
    /// Notified once there was a call.
    pub(crate) begun: Notify,
    calls: AtomicUsize,
    is_blocked: AtomicBool,
    /// Bytes of heads that a blocked socket has not taken.
    unsent_heads: AtomicUsize,
    /// Bytes that were received, as far as it has begun.
    received: AtomicUsize,
    /// Memory of short frames, while there are streams of requests.
    frames: Mutex<Weak<Grant>>,
    memory: Grant,
    _place: Grant,
}

impl Connection {
    /// A connection that begins.
    pub(crate) fn begin(pools: &Arc<Pools>, address: IpAddr) -> Result<Arc<Connection>, Failure> {
        let holder = Holder::new(address, None, CancellationToken::new());
        let place = pools.connections.take(Some(&holder), 1)?;
        let memory = pools.memory.take(Some(&holder), CONNECTION_BYTES)?;
        let is_proxy = pools.trusted_proxies.contains(&address.to_canonical());
        Ok(Arc::new(Connection {
            holder,
            pools: Arc::clone(pools),
            is_proxy,
            call_ended: CancellationToken::new(),
            begun: Notify::new(),
            calls: AtomicUsize::new(0),
            is_blocked: AtomicBool::new(false),
            unsent_heads: AtomicUsize::new(0),
            received: AtomicUsize::new(0),
            frames: Mutex::default(),
            memory,
            _place: place,
        }))
    }

    /// The holder of a call that begins.
    pub(crate) fn begin_call(&self, headers: &HeaderMap) -> Arc<Holder> {
        self.begun.notify_one();
        self.calls.fetch_add(1, Ordering::Relaxed);
        let ended = STREAM_ENDED.try_with(CancellationToken::clone).unwrap_or_else(|_| self.call_ended.clone());
        let address = self.forwarded_for(headers).unwrap_or(self.holder.address);
        let holder = Holder::new(address, Some(Arc::clone(&self.holder)), ended);
        holder.moves();
        holder
    }

    pub(crate) fn end_call(&self) {
        self.holder.moves();
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }

    /// The number of open calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// The memory of short frames, which all streams of requests share.
    pub(crate) fn frames(&self) -> Result<Arc<Grant>, Failure> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(taken) = frames.upgrade() {
            return Ok(taken);
        }
        // A proxy shares its connection with clients that have not sent them.
        let holder = Some(&self.holder).filter(|_| !self.is_proxy);
        let taken = Arc::new(self.pools.memory.take(holder, FRAMES_BYTES)?);
        *frames = Arc::downgrade(&taken);
        Ok(taken)
    }

    /// The client that a trusted proxy names: the last address of the header is the one that the proxy has seen.
    fn forwarded_for(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let value = headers.get_all(FORWARDED_FOR).iter().next_back().filter(|_| self.is_proxy)?;
        named_address(value.to_str().ok()?.rsplit(',').next()?.trim())
    }

    /// Whether as much as a preface has arrived.
    pub(crate) fn has_begun(&self) -> bool {
        self.received.load(Ordering::Relaxed) >= PREFACE_BYTES
    }

    /// Notes bytes from the socket.
    pub(crate) fn note_read(&self, bytes: usize) {
        if !self.has_begun() {
            self.received.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Notes whether the socket takes what it is given.
    pub(crate) fn note_write(&self, is_blocked: bool) {
        // Most writes find the mark as it should be.
        if self.is_blocked.load(Ordering::Relaxed) != is_blocked {
            self.is_blocked.store(is_blocked, Ordering::Relaxed);
        }
        if !is_blocked && self.unsent_heads.load(Ordering::Relaxed) > 0 {
            self.memory.shrink(self.unsent_heads.swap(0, Ordering::Relaxed));
        }
    }

    /// Counts the head of a response, if the socket does not take it now. A client for whose heads there is no room is
    /// cut off.
    pub(crate) fn add_head(&self) {
        if self.is_blocked.load(Ordering::Relaxed) {
            self.unsent_heads.fetch_add(HEAD_BYTES, Ordering::Relaxed);
            if self.memory.grow(HEAD_BYTES).is_err() {
                self.holder.ended().cancel();
            }
        }
    }

    /// Waits until the call of HTTP/1.1 was ended, and has had the time to answer.
    pub(crate) async fn call_ended(&self) {
        self.call_ended.cancelled().await;
        sleep(LAST_ANSWER).await;
    }
}

/// Runs the streams of a connection of HTTP/2, so that each can be ended by itself.
#[derive(Clone, Debug)]
pub(crate) struct StreamExecutor(pub(crate) Arc<Connection>);

impl<F> hyper::rt::Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        let (connection, ended) = (Arc::clone(&self.0), CancellationToken::new());
        tokio::spawn(async move {
            let stream = STREAM_ENDED.scope(ended.clone(), stream);
            let over = async {
                ended.cancelled().await;
                sleep(LAST_ANSWER).await;
            };
            tokio::select! {
                _ = stream => {}
                // The stream is reset. What a blocked socket has of it is free only at the end of the connection, which
                // a proxy shares with others.
                () = over => if connection.is_blocked.load(Ordering::Relaxed) && !connection.is_proxy {
                    connection.holder.ended().cancel();
                },
            }
        });
    }
}
/// An address as proxies write it: alone, in brackets, or with a port.
fn named_address(text: &str) -> Option<IpAddr> {
    let alone = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    alone.parse().ok().or_else(|| text.parse().ok().map(|with_port: SocketAddr| with_port.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_proxies_write_them() {
        for text in ["203.0.113.7", "203.0.113.7:40001"] {
            assert_eq!(named_address(text), Some(IpAddr::from([203, 0, 113, 7])), "{text}");
        }
        for text in ["2001:db8::7", "[2001:db8::7]", "[2001:db8::7]:443"] {
            assert_eq!(named_address(text), "2001:db8::7".parse().ok(), "{text}");
        }
        for text in ["", "unknown", "_hidden", "203.0.113.7:", "[203.0.113.7", "1.2.3.4, 5.6.7.8"] {
            assert_eq!(named_address(text), None, "{text}");
        }
    }
}
