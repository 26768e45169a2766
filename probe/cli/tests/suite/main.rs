//! The program, run as users run it.

// Clippy lets tests unwrap, but not the functions that they share.
#![allow(clippy::unwrap_used)]

mod program;
