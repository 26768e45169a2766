//! Attacks on a server, each bounded, and the service that innocent clients get meanwhile.
//!
//! `makruk-torture` runs them; a test has it attack a server.

pub mod attacker;
pub mod attacks;
pub mod innocent;
pub mod memory;
pub mod report;

use std::net::SocketAddr;
use std::time::Duration;

pub use self::attacks::{ATTACKS, Attack};
pub use self::report::{Outcome, run};

/// The most addresses of an attack.
pub const MOST_ADDRESSES: usize = 250;

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
    /// Addresses that attacks come from, at most [`MOST_ADDRESSES`].
    pub addresses: usize,
    /// Connections, or calls, of attacks that take all places of one kind.
    pub crowd: usize,
    /// The most bytes by which an attack may make the server's memory grow.
    pub most_growth: u64,
    /// The most time that 99 in 100 innocent probes may take.
    pub most_latency: Duration,
}

impl Target {
    /// The attacking peer of a connection: all have as many connections.
    fn peer(&self, connection: usize) -> u8 {
        1 + (connection % self.addresses.clamp(1, MOST_ADDRESSES)) as u8
    }
}
