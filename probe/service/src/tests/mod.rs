//! Tests of what the crate offers: the handler of SIGBUS.

#[cfg(target_os = "linux")]
mod sigbus;
