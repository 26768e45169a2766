//! The HTTP interface: JSON under `/v1`, the page, health and metrics.
//!
//! [`routes`] lists all addresses. The handlers stand beside the answers they give: [`positions`], [`tables`], [`explorer`]
//! and [`find_saves`]; [`model`] and [`lists_model`] are the JSON of the answers that only the service gives,
//! [`response`] is common to all, and [`conditional`] to those that caches may keep. [`openapi`] serves the description
//! of all this, which is written by hand and held to the server by tests.

mod conditional;
pub(crate) mod cors;
mod explorer;
mod find_saves;
mod lists_model;
mod model;
mod openapi;
mod operation;
pub(crate) mod page;
mod positions;
pub(crate) mod response;
pub(crate) mod routes;
mod tables;
