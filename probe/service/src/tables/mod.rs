//! The tables that are served.
//!
//! [`snapshot`] holds the open tables; [`monitor`] knows the files of the folder; [`watch`] scans the folder, exchanges
//! the snapshot if a file was replaced, and reports health.

pub(crate) mod monitor;
pub(crate) mod snapshot;
pub(crate) mod watch;
