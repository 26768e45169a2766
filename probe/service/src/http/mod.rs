//! The HTTP interface: JSON under `/v1` and `/makruk`, the page, health and metrics.
//!
//! [`routes`] lists all addresses. The handlers are next to their answers: [`positions`], [`tables`], [`explorer`],
//! [`find_saves`] and [`dialect`]; [`model`], [`lists_model`] and [`dialect_model`] are the JSON of the answers that
//! only the service gives,
//! [`response`] is common to all, and [`conditional`] to those that caches may keep. [`picture`] draws boards.
//! [`openapi`] serves the description
//! of all this, which is written by hand and held to the server by tests.

mod conditional;
pub(crate) mod cors;
mod dialect;
mod dialect_model;
mod explorer;
mod find_saves;
mod lists_model;
mod model;
mod openapi;
mod operation;
pub(crate) mod page;
mod picture;
mod positions;
pub(crate) mod response;
pub(crate) mod routes;
mod social;
mod tables;
