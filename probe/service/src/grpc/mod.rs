//! The gRPC interface: `makruk.v1.Tablebase`.
//!
//! [`tablebase`] answers the service's methods, [`batch`] encodes the longest answers within their jobs; [`streams`]
//! and
//! [`find_saves`] produce the parts of streams no faster than their clients read them; [`convert`] makes messages of
//! the
//! backend's answers.

pub(crate) mod batch;
mod convert;
mod find_saves;
mod streams;
pub(crate) mod tablebase;
