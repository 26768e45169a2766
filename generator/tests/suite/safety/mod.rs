//! `makruk-gen build` survives every way of stopping it. A folder never holds half a table or a wrong one. The
//! leftovers of killed builds do not pile up, and a rerun continues from the tables that are complete.
//!
//! No test measures time; a test that has to hit a moment watches the folder.

#![cfg(unix)]
// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod disk;
mod folder;
mod harness;
mod signals;
mod together;
