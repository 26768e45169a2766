//! The programs of `makruk-benches`: the modes of `probe-rate`, the attacks of `makruk-torture`, and the memory that
//! clients like them cause.

#![allow(clippy::unwrap_used)]

#[cfg(target_os = "linux")]
mod memory;
mod probe_rate;
mod torture;
