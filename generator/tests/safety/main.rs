//! `makruk-gen build` survives whatever stops it: a folder never holds half a table or a wrong one, what a killed build
//! leaves behind does not pile up, and a rerun goes on from the tables that are complete.
//!
//! Nothing here measures time; where a moment has to be hit, the test looks at the folder, or draws it by lot.

#![cfg(unix)]
// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod disk;
mod folder;
mod harness;
mod kills;
mod signals;
mod together;
