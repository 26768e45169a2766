//! The limits of the service.

use std::time::Duration;

/// The load that the service accepts, and for how long: for one request, for one connection, and in all. A request beyond a
/// limit fails at once with RESOURCE_EXHAUSTED and the delay after which to try again, unless the limit says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions of a batch. A longer batch fails with INVALID_ARGUMENT.
    pub batch: usize,
    /// Bytes of a request's message. A longer message fails with OUT_OF_RANGE, unread.
    pub message_bytes: usize,
    /// Time for a request, from when its headers were read. A later request fails with DEADLINE_EXCEEDED; its work is not
    /// begun, or its result is dropped. A shorter deadline of the client's comes first. A stream has this time for each of
    /// its positions.
    pub deadline: Duration,
    /// Time in which nothing moves in a stream, or in a response that its client does not read. Then it is ended.
    pub idle: Duration,
    /// Open calls of a connection. Further calls wait at the client.
    pub connection_calls: u32,
    /// Positions of one connection that are in work or whose answers are unread.
    pub connection_positions: usize,
    /// Bytes of responses that one connection has not read. A response beyond it fails with RESOURCE_EXHAUSTED.
    pub connection_unread_bytes: usize,
    /// Health watches of one connection.
    pub connection_watches: usize,
    /// The age at which a connection is asked to end; it is closed when [`Limits::idle`] has passed after that.
    pub connection_age: Option<Duration>,
    /// Time for a new connection to send its preface, TLS included. Then it is closed.
    pub handshake: Duration,
    /// Connections in all. Further connections are closed on arrival.
    pub connections: usize,
    /// Calls in all that are being read, in work, or being answered. Public calls, which are health and the page, have as
    /// many places of their own.
    pub calls: usize,
    /// Health watches in all.
    pub watches: usize,
    /// Requests in all that are in work, waiting for a thread or running.
    pub in_flight: usize,
    /// Threads for batches, lines and games; [`Limits::in_flight`] has half of its places for them.
    pub batch_threads: usize,
    /// Threads for scans of tables and their statistics; [`Limits::in_flight`] has an eighth of its places for them.
    pub scan_threads: usize,
    /// Open searches for count saves in all.
    pub searches: usize,
    /// Positions in all that are in work or whose answers are unread.
    pub positions: usize,
    /// Bytes in all of responses that clients have not read. A response beyond it closes the connection that holds most, or
    /// fails with RESOURCE_EXHAUSTED if its own connection or address holds as much. When half of
    /// them are taken, or half of the positions or calls, clients that do not read are given less and less time.
    pub unread_bytes: usize,
    /// The share of all connections, calls, positions and unread bytes that one address may have, in percent: 100 for a server
    /// whose clients all come through one proxy. Networks of 64 bits are one address of IPv6.
    pub peer_percent: u8,
    /// Time for requests and connections to end after a shutdown was requested.
    pub drain: Duration,
}

impl Limits {
    /// The default limits. With these, answers take at most about 200 MB while they are made, and 256 MiB until they are read.
    pub const DEFAULT: Limits = Limits {
        batch: 1000,
        message_bytes: 128 << 10,
        deadline: Duration::from_secs(5),
        idle: Duration::from_secs(60),
        connection_calls: 256,
        connection_positions: 16 << 10,
        connection_unread_bytes: 16 << 20,
        connection_watches: 4,
        connection_age: Some(Duration::from_secs(3600)),
        handshake: Duration::from_secs(5),
        connections: 12_000,
        calls: 4096,
        watches: 256,
        in_flight: 256,
        batch_threads: 4,
        scan_threads: 1,
        searches: 4,
        positions: 64 << 10,
        unread_bytes: 256 << 20,
        peer_percent: 50,
        drain: Duration::from_secs(10),
    };

    /// The share of a limit that one address may have, at least one.
    pub(crate) const fn peer_share(&self, most: usize) -> usize {
        let share = (most as u128 * self.peer_percent as u128 / 100) as usize;
        if share == 0 { 1 } else { share }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
