//! Attacks on a server, each bounded, and the service that innocent clients get meanwhile.
//!
//! `makruk-torture` runs them against any server; a test runs them against a server in the same process.

pub mod attacker;
pub mod attacks;
pub mod innocent;
pub mod memory;
pub mod report;

use std::net::SocketAddr;
use std::time::Duration;

pub use self::attacks::{ATTACKS, Attack};
pub use self::report::{Outcome, run};

/// A server under attack.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The server's address.
    pub address: SocketAddr,
    /// The server's process, to measure its memory; `None` if it is this one.
    pub pid: Option<u32>,
    /// Time for which an attack lasts.
    pub time: Duration,
    /// Connections of an attack, at most.
    pub connections: usize,
    /// The most bytes by which an attack may make the server's memory grow.
    pub most_growth: u64,
    /// The most time that 99 in 100 innocent probes may take.
    pub most_latency: Duration,
}
