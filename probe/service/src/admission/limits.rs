//! The limits of the service.

use std::time::Duration;

/// Memory of an open connection.
pub(crate) const CONNECTION_BYTES: usize = 24 << 10;
/// Memory of an open call, besides the bytes of its request and its response.
pub(crate) const CALL_BYTES: usize = 8 << 10;
/// Memory of a response's head that waits for the socket.
pub(crate) const HEAD_BYTES: usize = 1 << 10;
/// Bytes of a stream of HTTP/2 that a client may send before they are read.
pub(crate) const STREAM_WINDOW_BYTES: usize = 16 << 10;
/// The window of a connection. The library of HTTP/2 allows half of it for unread frames of less than 256 bytes. Each
/// is taken for 256; a client beyond this is cut off.
pub(crate) const CONNECTION_WINDOW_BYTES: usize = 8 << 20;
/// Memory of the short frames of a connection's streams of requests.
pub(crate) const FRAMES_BYTES: usize = CONNECTION_WINDOW_BYTES / 2;
/// Memory of a stream of requests that are not read, besides one message: its first window. A client that has accepted
/// the server's settings has a smaller one (RFC 9113, section 6.9.2).
pub(crate) const STREAM_BYTES: usize = 64 << 10;

/// The memory that open searches may take together for slabs of sides that tables omit, in MiB. A search that may take
/// more has to be the only one; a material of six men takes about two thirds of it.
pub(crate) const SEARCH_MIB: usize = 1 << 10;

/// The load that the service accepts, and for how long: for one request, for one connection, and in all. A request
/// beyond a limit fails at once with RESOURCE_EXHAUSTED and the delay after which to try again, unless the limit says
/// otherwise.
///
/// If a limit in all is reached, the address that holds the most loses what has been idle longest, so that addresses
/// that hold little always get in. A network of 64 bits is one address of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Positions of a batch. A longer batch fails with INVALID_ARGUMENT.
    pub batch: usize,
    /// Bytes of a request's message. A longer message fails with OUT_OF_RANGE, unread.
    pub message_bytes: usize,
    /// Time for a request, from when its headers were read. A later request fails with DEADLINE_EXCEEDED; its work is
    /// not begun, or its result is dropped. A shorter deadline of the client's comes first. A stream has this time for
    /// each of its positions.
    pub deadline: Duration,
    /// Time in which nothing moves in a call: the client sends nothing of its request, or reads nothing of its
    /// response. Then the call is ended.
    pub idle: Duration,
    /// Open calls of a connection. Further calls wait at the client.
    pub connection_calls: u32,
    /// Time for a new connection to send as much as a preface. Then it is closed.
    pub handshake: Duration,
    /// Connections in all.
    pub connections: usize,
    /// Calls in all that are being read, in progress, or being answered.
    pub calls: usize,
    /// Health watches in all.
    pub watches: usize,
    /// Requests in all that are in progress, waiting for a thread or running.
    pub in_flight: usize,
    /// Threads that probe. Batches, lines and games have at most half of them, and half of the places of
    /// [`Limits::in_flight`]; scans of tables and their statistics have an eighth of each.
    pub threads: usize,
    /// Searches for count saves that find their next piece at a time.
    pub searches: usize,
    /// Positions in all that are in progress or whose answers are unread.
    pub positions: usize,
    /// Bytes in all that clients cause, besides answers in the making: open connections and calls, requests that were
    /// not received to their end, and responses that were not read.
    pub memory: usize,
    /// Time for requests and connections to end after a shutdown was requested.
    pub drain: Duration,
}

impl Default for Limits {
    /// With these, answers take at most about 200 MB while they are made, and everything else that clients cause at
    /// most 512 MiB.
    fn default() -> Limits {
        Limits {
            batch: 1000,
            message_bytes: 128 << 10,
            deadline: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            connection_calls: 256,
            handshake: Duration::from_secs(5),
            connections: 12_000,
            calls: 4096,
            watches: 256,
            in_flight: 256,
            threads: 8,
            searches: 4,
            positions: 64 << 10,
            memory: 512 << 20,
            drain: Duration::from_secs(10),
        }
    }
}
