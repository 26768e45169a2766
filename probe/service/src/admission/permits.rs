//! Permits: places that are taken while work runs or its answer is unread.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::admission::connection::ConnectionState;

/// The places of a call: in the server, and of its connection or peer.
#[derive(Debug)]
pub(crate) struct CallPermits {
    pub(crate) _of_server: OwnedSemaphorePermit,
    pub(crate) _of_client: [Option<OwnedSemaphorePermit>; 2],
}

/// The places of a job's positions: in the connection, of the peer, and in the server. They are free again when this is
/// dropped: when the client has the answer, or is gone.
#[derive(Debug)]
pub(crate) struct PositionPermits {
    pub(crate) _of_client: [Option<OwnedSemaphorePermit>; 2],
    pub(crate) _of_server: OwnedSemaphorePermit,
    /// The connection, which keeps its peer: one that comes again finds what it still has in work.
    pub(crate) _connection: Option<Arc<ConnectionState>>,
}

/// The permits of a response, on their way to the guard of its call.
#[derive(Clone, Debug)]
pub(crate) struct ResponsePermits {
    _positions: Arc<PositionPermits>,
}

impl ResponsePermits {
    pub(crate) fn new(positions: PositionPermits) -> ResponsePermits {
        ResponsePermits { _positions: Arc::new(positions) }
    }
}
