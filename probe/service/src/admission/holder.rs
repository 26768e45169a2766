//! Holders of places: connections and calls.

use std::io;
use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, Weak};
use std::time::{Duration, Instant};

use socket2::SockRef;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::status::Failure;

/// A connection or a call: it belongs to an address, moves, and can be ended.
#[derive(Debug)]
pub(crate) struct Holder {
    /// The client's address, or its network of IPv6.
    pub(crate) address: IpAddr,
    /// The connection of a call, which moves with it.
    connection: Option<Arc<Holder>>,
    moved_ms: AtomicU64,
    /// Jobs in progress: meanwhile the client has nothing to move.
    jobs: AtomicUsize,
    ended: CancellationToken,
    /// The socket of a connection.
    pub(crate) socket: OnceLock<Weak<TcpStream>>,
    /// The cause of an end that the client did not ask for.
    cause: OnceLock<Failure>,
}

impl Holder {
    /// A holder whose end a token signals.
    pub(crate) fn new(address: IpAddr, connection: Option<Arc<Holder>>, ended: CancellationToken) -> Arc<Holder> {
        let moved_ms = AtomicU64::new(Holder::now_ms());
        let (jobs, socket, cause) = (AtomicUsize::new(0), OnceLock::new(), OnceLock::new());
        Arc::new(Holder { address: network(address), connection, moved_ms, jobs, ended, socket, cause })
    }

    /// Milliseconds since the process began.
    pub(crate) fn now_ms() -> u64 {
        static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGUN.elapsed().as_millis() as u64
    }

    /// Notes that something moves: bytes, or a call of the connection.
    pub(crate) fn moves(&self) {
        self.move_at(Holder::now_ms());
    }

    pub(crate) fn move_at(&self, now_ms: u64) {
        self.moved_ms.store(now_ms, Ordering::Relaxed);
        if let Some(connection) = &self.connection {
            connection.moved_ms.store(now_ms, Ordering::Relaxed);
        }
    }

    /// The time at which something last moved.
    pub(crate) fn moved_ms(&self) -> u64 {
        if self.jobs.load(Ordering::Relaxed) > 0 { Holder::now_ms() } else { self.moved_ms.load(Ordering::Relaxed) }
    }

    /// Whether nothing has moved for this long.
    pub(crate) fn is_idle(&self, idle: Duration) -> bool {
        Holder::since(self.moved_ms()) >= idle
    }

    /// The time since then.
    pub(crate) fn since(moved_ms: u64) -> Duration {
        Duration::from_millis(Holder::now_ms().saturating_sub(moved_ms))
    }

    /// Notes that the server works for it, until the guard is dropped.
    pub(crate) fn works(self: &Arc<Holder>) -> Working {
        for holder in [Some(self), self.connection.as_ref()].into_iter().flatten() {
            holder.jobs.fetch_add(1, Ordering::Relaxed);
        }
        Working(Arc::clone(self))
    }

    /// Whether the client has closed its half of the connection, or all of it: most are gone, but some still wait for
    /// their answer.
    pub(crate) fn has_closed_its_half(&self) -> bool {
        let socket = self.connection.as_deref().unwrap_or(self).socket.get().and_then(Weak::upgrade);
        socket.is_some_and(|socket| match SockRef::from(&*socket).peek(&mut [MaybeUninit::uninit()]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        })
    }

    /// Ends it; returns false if it has ended already.
    pub(crate) fn end(&self, cause: Failure) -> bool {
        let is_first = self.cause.set(cause).is_ok();
        self.ended.cancel();
        is_first
    }

    /// The token that is cancelled at its end.
    pub(crate) const fn ended(&self) -> &CancellationToken {
        &self.ended
    }

    /// The failure of a call that was ended, by itself or with its connection.
    pub(crate) fn failure(&self) -> Failure {
        self.cause.get().cloned().unwrap_or_else(Failure::shutting_down)
    }
}

/// The work of the server for a holder.
#[derive(Debug)]
pub(crate) struct Working(Arc<Holder>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.moves();
        for holder in [Some(&self.0), self.0.connection.as_ref()].into_iter().flatten() {
            holder.jobs.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The address by which a client is counted: one of IPv4, or a network of 64 bits of IPv6, which one household has.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_64_bits_is_one_address() {
        let network = |text: &str| network(text.parse().unwrap());
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("2001:db8:0:1::1"), network("2001:db8:0:1:ffff::2"));
        assert_ne!(network("2001:db8:0:1::1"), network("2001:db8:0:2::1"));
    }

    #[test]
    fn a_holder_is_not_idle_before_its_time_even_in_a_process_that_is_younger() {
        let holder = Holder::new([127, 0, 0, 1].into(), None, CancellationToken::new());
        holder.move_at(0);
        assert!(!holder.is_idle(Duration::from_hours(1)));
        std::thread::sleep(Duration::from_millis(2));
        assert!(holder.is_idle(Duration::from_millis(1)));
        let working = holder.works();
        assert!(!holder.is_idle(Duration::from_millis(1)));
        drop(working);
    }
}
