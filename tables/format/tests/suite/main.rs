//! The crate from outside: tables that are written and read, the index, the rules' counts of moves, and the examples.
#![allow(clippy::unwrap_used)] // helpers outside of test functions

mod byte_order;
#[cfg(target_os = "linux")]
mod changed;
mod common;
mod folder;
mod format;
mod golden;
mod index;
mod serde;
#[cfg(target_os = "linux")]
mod sigbus;
