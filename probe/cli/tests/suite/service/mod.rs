//! The service, asked by real clients over real connections, with tables built for it.

mod backpressure;
mod batches;
mod dialect;
mod explorer;
mod failures;
mod faults;
mod frames;
mod harness;
mod http;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod operation;
mod page;
mod process;
mod saves;
mod security;
mod sharing;
mod statistics;
mod strangers;
mod web;
