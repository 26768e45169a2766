//! Endpoints: the routes that clients can call.

/// A route as metrics and logs name it, and how calls to it are admitted. Every route of the router is added together
/// with its endpoint, so there is no second list to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) name: &'static str,
    pub(crate) kind: CallKind,
}

/// The rules by which calls to an endpoint are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// One request, and a response that begins before the deadline.
    Request,
    /// A stream of requests, which must move.
    RequestStream,
    /// Like `Request`, without a token and with separate places: health and the page, which need no table.
    Public,
    /// Like `Public`, with a response that never ends: a watch of health.
    Watch,
}

impl CallKind {
    /// Whether calls need no token.
    pub(crate) const fn is_public(self) -> bool {
        matches!(self, CallKind::Public | CallKind::Watch)
    }
}

impl Endpoint {
    /// Paths that no route has. Clients can invent any number of them, so all of them share one name.
    pub(crate) const UNKNOWN: Endpoint = Endpoint::new("other", CallKind::Request);

    pub(crate) const fn new(name: &'static str, kind: CallKind) -> Endpoint {
        Endpoint { name, kind }
    }
}
