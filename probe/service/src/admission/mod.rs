//! Admission: the checks of calls, and the places that each call holds while it lasts.
//!
//! [`layer`] admits a call to its [`endpoint`]: it checks the token, takes places for the call and sets the deadline. The
//! call's [`request_context`] travels with the request; its work runs as [`jobs`], which take their [`permits`] from the
//! [`limits`]. The [`call_guard`] holds all of it until the response has left, which [`unread`] measures on the socket of the
//! [`connection`].

pub(crate) mod call_guard;
pub(crate) mod connection;
pub(crate) mod endpoint;
pub(crate) mod headers;
pub(crate) mod jobs;
pub(crate) mod layer;
pub(crate) mod limits;
pub(crate) mod permits;
pub(crate) mod places;
mod reading_pace;
pub(crate) mod request_body;
pub(crate) mod request_context;
pub(crate) mod tokens;
pub(crate) mod unread;
