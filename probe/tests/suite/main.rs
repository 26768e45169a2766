//! The library against real tables of up to four men, which are built once.
#![allow(clippy::unwrap_used)]

mod analysis;
mod common;
mod policy;
mod prober;
mod source;
