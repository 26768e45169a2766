//! The tables that are served, and their statistics.
//!
//! [`snapshot`] holds the open tables; [`monitor`] knows the files of the folder; [`watch`] scans the folder, exchanges
//! the snapshot if a file was replaced, and reports health. [`longest_win_search`] finds what the statistics of
//! a table need.

pub(crate) mod longest_win_search;
pub(crate) mod monitor;
pub(crate) mod snapshot;
pub(crate) mod watch;
