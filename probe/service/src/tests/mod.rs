//! Tests of what the crate offers: a server over a source of values, and the handler of SIGBUS.

mod coalescing;
#[cfg(target_os = "linux")]
mod sigbus;
