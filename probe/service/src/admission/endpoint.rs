//! Endpoints: the routes that clients can call.

/// A route as metrics and logs name it, and how calls to it are admitted. Every route of the router is added together with
/// its endpoint, so there is no second list to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) name: &'static str,
    pub(crate) kind: CallKind,
}

/// How calls to an endpoint are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// One request, one response, within the deadline.
    Unary,
    /// Open as long as messages move.
    Stream,
    /// Admitted without a token and under any load: health and the page, which need no table.
    Public,
}

impl Endpoint {
    /// Paths that no route has. Clients can invent any number of them, so all of them share one name.
    pub(crate) const UNKNOWN: Endpoint = Endpoint::unary("other");

    pub(crate) const fn unary(name: &'static str) -> Endpoint {
        Endpoint { name, kind: CallKind::Unary }
    }

    pub(crate) const fn stream(name: &'static str) -> Endpoint {
        Endpoint { name, kind: CallKind::Stream }
    }

    pub(crate) const fn public(name: &'static str) -> Endpoint {
        Endpoint { name, kind: CallKind::Public }
    }
}
