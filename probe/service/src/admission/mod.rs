//! Admission: which calls are let in, and what each of them holds while it lasts.
//!
//! [`layer`] admits a call to its [`endpoint`]: it checks the token, takes a place among the open calls and sets the
//! deadline. The call's [`request_context`] travels with the request; its work runs as [`jobs`], which take their
//! [`permits`] from the [`limits`]. The [`call_guard`] holds all of it until the response has left.

pub(crate) mod call_guard;
pub(crate) mod endpoint;
pub(crate) mod headers;
pub(crate) mod jobs;
pub(crate) mod layer;
pub(crate) mod limits;
pub(crate) mod permits;
pub(crate) mod request_context;
pub(crate) mod tokens;
