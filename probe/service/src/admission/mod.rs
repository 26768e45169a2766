//! Admission: the checks of calls, and the places that each call holds while it lasts.
//!
//! [`layer`] admits a call to its endpoint: it checks the token, takes places for the call and sets the deadline.
//! Places and bytes come from the server's [`pools`]; [`pool`] has the rule by which clients share each of them. The
//! [`call`] is their [`holder`] until the response has left, which [`unread`] measures. The call's [`request_context`]
//! travels with the request; its work runs as [`jobs`].

pub(crate) mod call;
pub(crate) mod connection;
pub(crate) mod headers;
pub(crate) mod holder;
pub(crate) mod jobs;
pub(crate) mod layer;
pub(crate) mod limits;
pub(crate) mod pool;
pub(crate) mod pools;
pub(crate) mod request_context;
pub(crate) mod tokens;
pub(crate) mod unread;
