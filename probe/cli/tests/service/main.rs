//! The service, asked by real clients over real connections, with tables built for it.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod answers;
mod batches;
mod explorer;
mod failures;
mod faults;
mod harness;
mod http;
mod limits;
mod lines;
mod operation;
mod page;
mod process;
mod saves;
mod security;
mod statistics;
mod strangers;
mod web;
