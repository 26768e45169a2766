//! The backend: everything that answers, whatever the protocol of the request.
//!
//! Each answer is the result of one or more [jobs](crate::admission::jobs). A job formats its own result, so that no
//! formatting happens on the threads that serve connections.

pub(crate) mod answer_cache;
#[allow(clippy::module_inception)] // named for the type that it holds
mod backend;
mod questions;
pub(crate) mod save_search;
mod statistics;

pub(crate) use self::backend::Backend;
pub(crate) use self::questions::LineUnderWay;
pub(crate) use self::statistics::parse_material;
