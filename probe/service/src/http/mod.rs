//! The HTTP interface: JSON under `/v1` and `/makruk`, the page, health and metrics.
//!
//! [`routes`] lists all addresses. [`questions`] passes on the questions of `makruk_answers` and their answers. The
//! search that only the service has is in [`find_saves`]. [`response`] is common to all, and [`conditional`] to those
//! that caches may keep. [`picture`] draws boards. [`openapi`] serves the description of all this.

mod conditional;
pub(crate) mod cors;
mod find_saves;
pub(crate) mod openapi;
mod operation;
pub(crate) mod page;
pub(crate) mod picture;
mod questions;
pub(crate) mod response;
pub(crate) mod routes;
mod social;
