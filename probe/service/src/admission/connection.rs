//! The state of a connection, which its calls and its socket share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::admission::limits::Limits;
use crate::admission::permits::places;
use crate::admission::unread::UnreadResponse;
use crate::metrics::Metrics;
use crate::status::{Failure, Load};

/// No write of the socket is waiting.
const NOT_BLOCKED: u64 = u64::MAX;
/// The time for which a client may stall while the server is short of room or shutting down.
const SHORT_IDLE: Duration = Duration::from_secs(1);

/// A connection: its places, and what its client has not read.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    pub(crate) peer: Arc<Peer>,
    /// Positions that the connection may still have in work or unread.
    pub(crate) positions: Arc<Semaphore>,
    /// Health watches that the connection may still open.
    pub(crate) watches: Arc<Semaphore>,
    /// Ends the connection at once.
    pub(crate) cut_off: CancellationToken,
    /// Ends the connection as soon as its calls have ended.
    pub(crate) retire: CancellationToken,
    server: Arc<ServerRoom>,
    begun: Instant,
    unread_bytes: AtomicUsize,
    /// The time since which the socket takes nothing, in milliseconds of `begun`.
    blocked_ms: AtomicU64,
    response_ids: AtomicU64,
    responses: Mutex<HashMap<u64, Weak<UnreadResponse>>>,
}

/// The peer of connections: an address, or a network of IPv6.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) calls: Arc<Semaphore>,
    pub(crate) positions: Arc<Semaphore>,
}

/// The room of the server for what clients have not read.
#[derive(Debug)]
pub(crate) struct ServerRoom {
    pub(crate) limits: Limits,
    pub(crate) metrics: Arc<Metrics>,
    unread_bytes: AtomicUsize,
    /// The server's positions, to know how many are taken.
    pub(crate) positions: Arc<Semaphore>,
    /// The server's calls, likewise.
    pub(crate) calls: Arc<Semaphore>,
    is_closing: AtomicBool,
}

impl ServerRoom {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> ServerRoom {
        ServerRoom {
            positions: places(limits.positions),
            calls: places(limits.calls),
            unread_bytes: AtomicUsize::new(0),
            is_closing: AtomicBool::new(false),
            limits,
            metrics,
        }
    }

    /// From now on clients that stall are cut off soon.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn unread_bytes(&self) -> usize {
        self.unread_bytes.load(Ordering::Relaxed)
    }

    /// The time for which a client may stall: the less room is left, the shorter.
    pub(crate) fn idle(&self) -> Duration {
        let idle = self.limits.idle;
        let short = SHORT_IDLE.min(idle);
        if self.is_closing.load(Ordering::Relaxed) {
            return short;
        }
        let share = |used: usize, most: usize| used as f64 / most.max(1) as f64;
        let taken = |places: &Semaphore, most: usize| share(most.saturating_sub(places.available_permits()), most);
        let used = share(self.unread_bytes(), self.limits.unread_bytes)
            .max(taken(&self.positions, self.limits.positions))
            .max(taken(&self.calls, self.limits.calls));
        // All of the time up to half of the room, none of it when the room is full.
        idle.mul_f64((2.0 - 2.0 * used).clamp(0.0, 1.0)).max(short)
    }
}

impl ConnectionState {
    pub(crate) fn new(server: Arc<ServerRoom>, peer: Arc<Peer>) -> ConnectionState {
        ConnectionState {
            positions: places(server.limits.connection_positions),
            watches: places(server.limits.connection_watches),
            cut_off: CancellationToken::new(),
            retire: CancellationToken::new(),
            begun: Instant::now(),
            unread_bytes: AtomicUsize::new(0),
            blocked_ms: AtomicU64::new(NOT_BLOCKED),
            response_ids: AtomicU64::new(0),
            responses: Mutex::default(),
            server,
            peer,
        }
    }

    /// Milliseconds since the connection began.
    pub(crate) fn now_ms(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    pub(crate) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Takes room for bytes that will be unread.
    pub(crate) fn reserve_bytes(&self, bytes: usize) -> Result<(), Load> {
        let limits = &self.server.limits;
        let reserve = |counter: &AtomicUsize, most: usize| {
            let before = counter.fetch_add(bytes, Ordering::Relaxed);
            // One response alone always has room, or the longest could never be sent.
            let fits = bytes == 0 || before == 0 || before.saturating_add(bytes) <= most;
            if !fits {
                counter.fetch_sub(bytes, Ordering::Relaxed);
            }
            fits
        };
        if !reserve(&self.unread_bytes, limits.connection_unread_bytes) {
            return Err(Load::ConnectionUnreadBytes);
        }
        if !reserve(&self.server.unread_bytes, limits.unread_bytes) {
            self.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Load::UnreadBytes);
        }
        Ok(())
    }

    pub(crate) fn release_bytes(&self, bytes: usize) {
        self.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.server.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The failure of a response that finds no room.
    pub(crate) fn overloaded(&self, load: Load) -> Failure {
        self.server.metrics.shed(load);
        let limits = &self.server.limits;
        let most = match load {
            Load::ConnectionUnreadBytes => limits.connection_unread_bytes,
            _ => limits.unread_bytes,
        };
        Failure::Overloaded { load, most }
    }

    pub(crate) fn next_response_id(&self) -> u64 {
        self.response_ids.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn add_response(&self, id: u64, response: &Arc<UnreadResponse>) {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::downgrade(response));
    }

    pub(crate) fn remove_response(&self, id: u64) {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }

    /// Notes whether the socket takes what it is given.
    pub(crate) fn note_write(&self, is_blocked: bool) {
        if !is_blocked {
            // Most writes find the mark as it should be.
            if self.blocked_ms.load(Ordering::Relaxed) != NOT_BLOCKED {
                self.blocked_ms.store(NOT_BLOCKED, Ordering::Relaxed);
            }
        } else if self.blocked_ms.load(Ordering::Relaxed) == NOT_BLOCKED {
            self.blocked_ms.store(self.now_ms(), Ordering::Relaxed);
        }
    }

    /// Whether the client does not take what it requested.
    pub(crate) fn is_stalled(&self, idle: Duration) -> bool {
        let now = self.now_ms();
        let blocked = self.blocked_ms.load(Ordering::Relaxed);
        if blocked != NOT_BLOCKED && now.saturating_sub(blocked) >= idle.as_millis() as u64 {
            return true;
        }
        // Responses lock the list when they are dropped, so none may be dropped while it is locked.
        let responses: Vec<Arc<UnreadResponse>> = {
            let responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
            responses.values().filter_map(Weak::upgrade).collect()
        };
        responses.iter().any(|response| response.is_stalled(now, idle))
    }
}

/// The connections that are open, by peer.
#[derive(Debug)]
pub(crate) struct Connections {
    server: Arc<ServerRoom>,
    open: Mutex<Vec<Weak<ConnectionState>>>,
    peers: Mutex<HashMap<IpAddr, Weak<Peer>>>,
}

impl Connections {
    pub(crate) fn new(server: Arc<ServerRoom>) -> Connections {
        Connections { server, open: Mutex::default(), peers: Mutex::default() }
    }

    /// The peer with an address.
    pub(crate) fn peer(&self, address: IpAddr) -> Arc<Peer> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let network = network(address);
        if let Some(peer) = peers.get(&network).and_then(Weak::upgrade) {
            return peer;
        }
        let limits = &self.server.limits;
        let share = |most: usize| places(limits.peer_share(most));
        let peer = Arc::new(Peer {
            connections: share(limits.connections),
            calls: share(limits.calls),
            positions: share(limits.positions),
        });
        // Forgotten peers are swept when the map has doubled, so that each costs little.
        if peers.len() == peers.capacity() {
            peers.retain(|_, peer| peer.strong_count() > 0);
        }
        peers.insert(network, Arc::downgrade(&peer));
        peer
    }

    /// A connection that begins.
    pub(crate) fn begin(&self, peer: Arc<Peer>) -> Arc<ConnectionState> {
        let connection = Arc::new(ConnectionState::new(Arc::clone(&self.server), peer));
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&connection));
        connection
    }

    /// Cuts off the connections whose clients do not read, and retires the oldest, for ever.
    pub(crate) async fn supervise(&self) {
        let limits = &self.server.limits;
        let pause = (limits.idle / 4).clamp(Duration::from_millis(10), Duration::from_millis(250));
        let mut ticks = tokio::time::interval(pause);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let idle = self.server.idle();
            let mut open = Vec::new();
            {
                let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
                all.retain(|connection| match connection.upgrade() {
                    Some(connection) => {
                        open.push(connection);
                        true
                    }
                    None => false,
                });
            }
            for connection in open {
                if connection.cut_off.is_cancelled() {
                    continue;
                }
                if connection.is_stalled(idle) {
                    self.server.metrics.connections_stalled.inc();
                    tracing::debug!("a connection is closed: its client does not read");
                    connection.cut_off.cancel();
                } else if let Some(most) = limits.connection_age {
                    let age = connection.age();
                    if age >= most + limits.idle {
                        connection.cut_off.cancel();
                    } else if age >= most {
                        connection.retire.cancel();
                    }
                }
            }
        }
    }
}

/// The address of a peer: one of IPv4, or a network of 64 bits of IPv6, which one household has.
fn network(address: IpAddr) -> IpAddr {
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

    fn connections(limits: Limits) -> Connections {
        Connections::new(Arc::new(ServerRoom::new(limits, Arc::new(Metrics::new()))))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn peers_are_networks() {
        let connections = connections(Limits::default());
        let peer = |text| connections.peer(address(text));
        let first = peer("192.0.2.1");
        assert!(Arc::ptr_eq(&first, &peer("::ffff:192.0.2.1")));
        assert!(!Arc::ptr_eq(&first, &peer("192.0.2.2")));
        let household = peer("2001:db8:0:1::1");
        assert!(Arc::ptr_eq(&household, &peer("2001:db8:0:1:ffff::2")));
        assert!(!Arc::ptr_eq(&household, &peer("2001:db8:0:2::1")));
    }

    #[test]
    fn room_is_bounded_for_a_connection_and_in_all() {
        let limits = Limits { connection_unread_bytes: 100, unread_bytes: 150, ..Limits::default() };
        let connections = connections(limits);
        let begin = || connections.begin(connections.peer(address("192.0.2.1")));
        let (first, second) = (begin(), begin());
        assert_eq!(first.reserve_bytes(90), Ok(()));
        assert_eq!(first.reserve_bytes(11), Err(Load::ConnectionUnreadBytes));
        assert_eq!(second.reserve_bytes(61), Err(Load::UnreadBytes));
        assert_eq!(second.reserve_bytes(60), Ok(()));
        first.release_bytes(90);
        assert_eq!(first.reserve_bytes(90), Ok(()));
        second.release_bytes(60);
        first.release_bytes(90);
        // Longer than the limit, but alone.
        assert_eq!(second.reserve_bytes(1000), Ok(()));
    }

    #[test]
    fn the_less_room_the_less_patience() {
        let limits = Limits { unread_bytes: 100, idle: Duration::from_secs(60), ..Limits::default() };
        let connections = connections(limits);
        let connection = connections.begin(connections.peer(address("192.0.2.1")));
        let idle_after = |bytes| {
            connection.reserve_bytes(bytes).unwrap();
            connections.server.idle().as_secs()
        };
        assert_eq!([idle_after(50), idle_after(25), idle_after(25)], [60, 30, 1]);
        connection.release_bytes(100);
        connections.server.close();
        assert_eq!(connections.server.idle(), Duration::from_secs(1));
    }

    #[test]
    fn a_socket_that_takes_nothing_stalls() {
        let connections = connections(Limits::default());
        let connection = connections.begin(connections.peer(address("192.0.2.1")));
        let idle = Duration::from_millis(20);
        assert!(!connection.is_stalled(idle));
        connection.note_write(true);
        std::thread::sleep(idle * 2);
        assert!(connection.is_stalled(idle));
        connection.note_write(false);
        assert!(!connection.is_stalled(idle));
    }
}
