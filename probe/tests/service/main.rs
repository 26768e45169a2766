//! The service, asked by real clients over real connections, with tables built for it.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod answers;
mod failures;
mod harness;
mod limits;
mod operation;
mod process;
