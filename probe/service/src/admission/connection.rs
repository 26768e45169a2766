//! The state of a connection, which its calls and its socket share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::admission::limits::Limits;
use crate::admission::places::places;
use crate::admission::reading_pace::ReadingPace;
use crate::metrics::Metrics;
use crate::status::{Failure, Load};

/// No write of the socket is waiting.
const NOT_BLOCKED: u64 = u64::MAX;
/// The time for which a client may stall while the server is short of room or shutting down.
const SHORT_IDLE: Duration = Duration::from_secs(1);
/// The share of a bound that is kept for modest peers: one part of so many.
const KEPT_SHARE: usize = 8;
/// The share of a bound that a modest peer has at most: one part of so many.
const MODEST_SHARE: usize = 64;

/// Adds bytes to a counter unless they exceed its bound.
fn try_add(counter: &AtomicUsize, bytes: usize, most: usize) -> bool {
    let before = counter.fetch_add(bytes, Ordering::Relaxed);
    // One response alone always has room, or the longest could never be sent.
    let fits = bytes == 0 || before == 0 || before.saturating_add(bytes) <= most;
    if !fits {
        counter.fetch_sub(bytes, Ordering::Relaxed);
    }
    fits
}

/// A connection: its places, and the bytes that its client has not read.
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
    responses: Mutex<HashMap<u64, Weak<ReadingPace>>>,
}

/// The peer of connections: an address, or a network of IPv6.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) calls: Arc<Semaphore>,
    pub(crate) positions: Arc<Semaphore>,
    unread_bytes: AtomicUsize,
}

/// The room of the server for bytes that clients have not read.
///
/// The last eighth of the bytes is kept for peers that have few unread. Where no other room is left, the connection that holds
/// most is closed for a request of a peer that holds much less.
#[derive(Debug)]
pub(crate) struct ServerRoom {
    pub(crate) limits: Limits,
    pub(crate) metrics: Arc<Metrics>,
    unread_bytes: AtomicUsize,
    open: Mutex<Vec<Weak<ConnectionState>>>,
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
            open: Mutex::default(),
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

    /// The connections that are open.
    fn open_connections(&self) -> Vec<Arc<ConnectionState>> {
        let mut open = Vec::new();
        self.open.lock().unwrap_or_else(PoisonError::into_inner).retain(|connection| match connection.upgrade() {
            Some(connection) => {
                open.push(connection);
                true
            }
            None => false,
        });
        open
    }

    /// Takes room for a connection's bytes, which the connection and its peer have counted already.
    fn reserve_bytes(&self, connection: &ConnectionState, bytes: usize) -> bool {
        let all = self.limits.unread_bytes;
        let common = all - all / KEPT_SHARE;
        if try_add(&self.unread_bytes, bytes, common) {
            return true;
        }
        let is_modest = connection.peer.unread_bytes.load(Ordering::Relaxed) <= all / MODEST_SHARE;
        if is_modest && try_add(&self.unread_bytes, bytes, all) {
            return true;
        }
        // The room of connections that are closed becomes free a little later; the kept share bridges that time.
        !connection.cut_off.is_cancelled()
            && self.make_room(connection, bytes, common)
            && try_add(&self.unread_bytes, bytes, all)
    }

    /// Closes connections that hold most of the unread bytes until the others leave room for `bytes`. Returns false if none
    /// holds much more than this one does.
    fn make_room(&self, connection: &ConnectionState, bytes: usize, most: usize) -> bool {
        let mut open = self.open_connections();
        open.retain(|open| !open.cut_off.is_cancelled());
        let mut of_peers: HashMap<*const Peer, usize> = HashMap::new();
        for open in &open {
            *of_peers.entry(Arc::as_ptr(&open.peer)).or_default() += open.unread_bytes();
        }
        let of_peer = |of_peers: &HashMap<_, usize>, peer: &Arc<Peer>| {
            of_peers.get(&Arc::as_ptr(peer)).copied().unwrap_or_default()
        };
        // The connection has counted `bytes`, the server has not.
        let mut kept = of_peers.values().sum::<usize>().saturating_sub(bytes);
        while kept.saturating_add(bytes) > most {
            let weights = open.iter().map(|open| (of_peer(&of_peers, &open.peer), open.unread_bytes()));
            let Some((weight, at)) = weights.zip(0..).max() else { return false };
            let heaviest = open.swap_remove(at);
            let own = (of_peer(&of_peers, &connection.peer), connection.unread_bytes());
            let is_much_more = match Arc::ptr_eq(&heaviest.peer, &connection.peer) {
                true => weight.1 / 2 >= own.1,
                false => weight.0 / 2 >= own.0,
            };
            if !is_much_more {
                return false;
            }
            kept = kept.saturating_sub(weight.1);
            of_peers.insert(Arc::as_ptr(&heaviest.peer), weight.0.saturating_sub(weight.1));
            self.metrics.connections_displaced.inc();
            tracing::debug!(
                unread = weight.1,
                "a connection is closed: it holds most of the unread bytes, which are too many"
            );
            heaviest.cut_off.cancel();
        }
        true
    }

    /// Whether the server has so many places for a peer that will hold `of_peer` of them then: the last ones are kept for peers
    /// that hold few.
    pub(crate) fn has_places(&self, many: usize, places: &Semaphore, most: usize, of_peer: usize) -> bool {
        let kept = if most < MODEST_SHARE || self.limits.peer_percent >= 100 { 0 } else { most / KEPT_SHARE };
        places.available_permits() >= kept.saturating_add(many) || of_peer <= most / MODEST_SHARE
    }

    /// The places that a peer holds of its share.
    pub(crate) fn held(&self, of_peer: &Semaphore, most: usize) -> usize {
        self.limits.peer_share(most).saturating_sub(of_peer.available_permits())
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
        if !try_add(&self.unread_bytes, bytes, limits.connection_unread_bytes) {
            return Err(Load::ConnectionUnreadBytes);
        }
        if !try_add(&self.peer.unread_bytes, bytes, limits.peer_share(limits.unread_bytes)) {
            self.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Load::PeerUnreadBytes);
        }
        if !self.server.reserve_bytes(self, bytes) {
            self.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
            self.peer.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Load::UnreadBytes);
        }
        Ok(())
    }

    pub(crate) fn release_bytes(&self, bytes: usize) {
        self.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.peer.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.server.unread_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn unread_bytes(&self) -> usize {
        self.unread_bytes.load(Ordering::Relaxed)
    }

    /// The failure of a response that finds no room.
    pub(crate) fn overloaded(&self, load: Load) -> Failure {
        self.server.metrics.shed(load);
        let limits = &self.server.limits;
        let most = match load {
            Load::ConnectionUnreadBytes => limits.connection_unread_bytes,
            Load::PeerUnreadBytes => limits.peer_share(limits.unread_bytes),
            _ => limits.unread_bytes,
        };
        Failure::Overloaded { load, most }
    }

    pub(crate) fn next_response_id(&self) -> u64 {
        self.response_ids.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn add_response(&self, id: u64, pace: &Arc<ReadingPace>) {
        self.responses.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::downgrade(pace));
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
        let responses = self.responses.lock().unwrap_or_else(PoisonError::into_inner);
        responses.values().filter_map(Weak::upgrade).any(|pace| pace.is_stalled(now, idle))
    }
}

/// The connections that are open, by peer.
#[derive(Debug)]
pub(crate) struct Connections {
    server: Arc<ServerRoom>,
    peers: Mutex<HashMap<IpAddr, Weak<Peer>>>,
}

impl Connections {
    pub(crate) fn new(server: Arc<ServerRoom>) -> Connections {
        Connections { server, peers: Mutex::default() }
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
            unread_bytes: AtomicUsize::new(0),
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
        self.server.open.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&connection));
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
            for connection in self.server.open_connections() {
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
    fn room_is_bounded_for_a_connection_a_peer_and_in_all() {
        let limits = Limits { connection_unread_bytes: 100, unread_bytes: 160, peer_percent: 75, ..Limits::default() };
        let connections = connections(limits);
        let begin = |text| connections.begin(connections.peer(address(text)));
        let (first, second, other) = (begin("192.0.2.1"), begin("192.0.2.1"), begin("192.0.2.2"));
        assert_eq!(first.reserve_bytes(90), Ok(()));
        assert_eq!(first.reserve_bytes(11), Err(Load::ConnectionUnreadBytes));
        assert_eq!(second.reserve_bytes(31), Err(Load::PeerUnreadBytes));
        assert_eq!(other.reserve_bytes(51), Err(Load::UnreadBytes));
        assert_eq!(other.reserve_bytes(50), Ok(()));
        first.release_bytes(90);
        assert_eq!(first.reserve_bytes(90), Ok(()));
        other.release_bytes(50);
        first.release_bytes(90);
        // Longer than the limit, but alone.
        assert_eq!(second.reserve_bytes(1000), Ok(()));
    }

    #[test]
    fn room_is_kept_for_those_who_hold_little() {
        let limits = Limits { connection_unread_bytes: 1000, unread_bytes: 6400, positions: 640, ..Limits::default() };
        let connections = connections(limits);
        let begin = |last| connections.begin(connections.peer(IpAddr::from([192, 0, 2, last])));
        // Two attackers take all that they can have.
        let attackers: Vec<_> = (0..6).map(|number| begin(1 + number % 2)).collect();
        for attacker in &attackers {
            while attacker.reserve_bytes(100).is_ok() {}
        }
        let unread = || connections.server.unread_bytes();
        assert_eq!(unread(), 5600, "the last eighth is kept");
        let displaced = || connections.server.metrics.connections_displaced.get();
        assert!(attackers.iter().all(|attacker| !attacker.cut_off.is_cancelled()));
        // An innocent peer that holds little takes from what is kept.
        assert_eq!(begin(3).reserve_bytes(100), Ok(()));
        assert_eq!(displaced(), 0);
        // One that needs more displaces the connection that holds most, which is an attacker's.
        let innocent = begin(4);
        assert_eq!(innocent.reserve_bytes(500), Ok(()));
        assert_eq!(displaced(), 1);
        let cut_off: Vec<_> = attackers.iter().filter(|attacker| attacker.cut_off.is_cancelled()).collect();
        assert_eq!((cut_off.len(), cut_off[0].unread_bytes()), (1, 1000));
        assert!(unread() <= 6400);
        // An attacker displaces nobody who holds as much or less, and gets nothing more on a connection that was closed.
        assert_eq!(cut_off[0].reserve_bytes(1), Err(Load::ConnectionUnreadBytes));
        assert!(!innocent.cut_off.is_cancelled());

        let server = &connections.server;
        let has = |many, of_peer| server.has_places(many, &server.positions, limits.positions, of_peer);
        assert!(has(560, 560) && !has(561, 561), "the last eighth is kept");
        assert!(has(10, 10));
        let _taken = server.positions.try_acquire_many(600).unwrap();
        assert!(has(10, 10) && has(1, 10) && !has(11, 11) && !has(1, 11), "for a 64th");
    }

    #[test]
    fn the_less_room_the_less_patience() {
        let limits = Limits { unread_bytes: 100, idle: Duration::from_secs(60), ..Limits::default() };
        let connections = connections(limits);
        let unread = &connections.server.unread_bytes;
        let idle_with = |bytes| {
            unread.store(bytes, Ordering::Relaxed);
            connections.server.idle().as_secs()
        };
        assert_eq!([idle_with(50), idle_with(75), idle_with(100)], [60, 30, 1]);
        unread.store(0, Ordering::Relaxed);
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
