//! What the service takes on.

use std::time::Duration;

/// What the service takes on, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests in work at a time, waiting or running, over all connections; at least 1. More are turned away at once with
    /// RESOURCE_EXHAUSTED.
    pub in_flight: usize,
    /// Bytes of a request's message. A longer one fails with OUT_OF_RANGE, unread.
    pub message_bytes: usize,
    /// Time for a request, from when its message was read. Then it fails with DEADLINE_EXCEEDED; its work is not begun, or
    /// runs on unheard.
    pub deadline: Duration,
    /// Time for a new connection to begin as HTTP/2 does; then it is closed.
    pub handshake: Duration,
    /// Time that requests and connections have to end after a shutdown was asked for.
    pub drain: Duration,
}

impl Limits {
    /// Requests in work at a time, unless told otherwise.
    pub const IN_FLIGHT: usize = 256;
    /// Bytes of a message, unless told otherwise: many times those of the longest FEN.
    pub const MESSAGE_BYTES: usize = 16 << 10;
    /// Time for a request, unless told otherwise.
    pub const DEADLINE: Duration = Duration::from_secs(5);
    /// Time for a connection to begin, unless told otherwise.
    pub const HANDSHAKE: Duration = Duration::from_secs(5);
    /// Time to drain, unless told otherwise.
    pub const DRAIN: Duration = Duration::from_secs(10);
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            in_flight: Limits::IN_FLIGHT,
            message_bytes: Limits::MESSAGE_BYTES,
            deadline: Limits::DEADLINE,
            handshake: Limits::HANDSHAKE,
            drain: Limits::DRAIN,
        }
    }
}
