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
    /// Time for a new connection to send its preface, TLS included. Then it is closed.
    pub handshake: Duration,
    /// Connections in all. Further connections are closed on arrival.
    pub connections: usize,
    /// Calls in all that are being read, in work, or being answered.
    pub calls: usize,
    /// Requests in all that are in work, waiting for a thread or running.
    pub in_flight: usize,
    /// Open searches for count saves in all. Each keeps a thread busy as long as its client reads.
    pub searches: usize,
    /// Positions in all that are in work or whose answers are unread.
    pub positions: usize,
    /// Time for requests and connections to end after a shutdown was requested.
    pub drain: Duration,
}

impl Limits {
    /// The default limits. With these, and moves listed for every position, answers take at most about 200 MB.
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
