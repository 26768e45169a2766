//! What the service takes on.

use std::time::Duration;

/// What the service takes on, and for how long: for one request, for one connection, and in all. What goes beyond is turned
/// away at once with RESOURCE_EXHAUSTED and the time after which to try again, unless it says otherwise below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions of a batch. More fail with INVALID_ARGUMENT.
    pub batch: usize,
    /// Bytes of a request's message. A longer one fails with OUT_OF_RANGE, unread.
    pub message_bytes: usize,
    /// Time for a request, from when its headers were read. Then it fails with DEADLINE_EXCEEDED; its work is not begun, or
    /// ends unheard. A client's own deadline holds if it is shorter. A stream has this time for each of its positions.
    pub deadline: Duration,
    /// Time in which nothing moves in a stream, or in an answer that its client does not read; then it is ended.
    pub idle: Duration,
    /// Calls that a connection may have open; more of them wait at the client.
    pub connection_calls: u32,
    /// Positions of one connection that are in work or whose answers it has not read.
    pub connection_positions: usize,
    /// Time for a new connection to begin as HTTP does, TLS included; then it is closed.
    pub handshake: Duration,
    /// Connections in all. More are closed as they come.
    pub connections: usize,
    /// Calls in all that are being read, in work, or being answered.
    pub calls: usize,
    /// Requests in all that are in work, waiting for a thread or running.
    pub in_flight: usize,
    /// Searches for saves in all that are open. One keeps a thread busy as long as its client reads.
    pub searches: usize,
    /// Positions in all that are in work or whose answers have not been read.
    pub positions: usize,
    /// Time that requests and connections have to end after a shutdown was asked for.
    pub drain: Duration,
}

impl Limits {
    /// What holds unless told otherwise. With these, and moves listed for every position, answers take at most some 200 MB.
    pub const DEFAULT: Limits = Limits {
        batch: 1000,
        message_bytes: 128 << 10,
        deadline: Duration::from_secs(5),
        idle: Duration::from_secs(60),
        connection_calls: 256,
        connection_positions: 16 << 10,
        handshake: Duration::from_secs(5),
        connections: 12_000,
        calls: 4096,
        in_flight: 256,
        searches: 4,
        positions: 64 << 10,
        drain: Duration::from_secs(10),
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
