//! The outcome of an attack.

use std::fmt;
use std::time::Duration;

use tokio::time::sleep;

use super::innocent::{Innocent, Probes, metric};
use super::memory::resident_bytes;
use super::{Attack, Target};

/// A pause between looks at the server.
const LOOK: Duration = Duration::from_millis(50);

/// The outcome of an attack.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The attack.
    pub name: &'static str,
    /// Calls that the attackers made.
    pub calls: usize,
    /// The most bytes by which the server's memory grew; `None` if the system does not report it.
    pub growth: Option<u64>,
    /// The most calls that were open.
    pub calls_open: u64,
    /// The innocent client's probes meanwhile.
    pub innocent: Probes,
    /// The bounds that did not hold.
    pub broken: Vec<String>,
}

/// Runs an attack, with an innocent client beside it.
pub async fn run(attack: &Attack, target: Target) -> Outcome {
    let before = resident_bytes(target.pid);
    let innocent = Innocent::begin(target.address);
    let mut attacking = std::pin::pin!(attack.run(target));
    let (mut growth, mut calls_open) = (None, 0);
    let calls = loop {
        tokio::select! {
            calls = attacking.as_mut() => break calls,
            () = sleep(LOOK) => {}
        }
        if let (Some(before), Some(now)) = (before, resident_bytes(target.pid)) {
            growth = growth.max(Some(now.saturating_sub(before)));
        }
        let open = tokio::time::timeout(LOOK, metric(target.address, "makruk_calls_open")).await;
        calls_open = calls_open.max(open.ok().flatten().unwrap_or(0));
    };
    let innocent = innocent.end().await;
    let mut broken = Vec::new();
    if innocent.failed > 0 {
        broken.push(format!("{} innocent probes failed", innocent.failed));
    }
    if innocent.percentile(99) > target.most_latency {
        broken.push(format!("innocent probes took {:?}", innocent.percentile(99)));
    }
    if growth.is_some_and(|growth| growth > target.most_growth) {
        broken.push("the server's memory grew too much".to_owned());
    }
    Outcome { name: attack.name, calls, growth, calls_open, innocent, broken }
}

/// The head of a table of outcomes.
pub const HEAD: &str =
    "attack              calls   memory  open calls   probes  failed      p50      p99      max  verdict";

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let growth = self.growth.map_or_else(|| "?".to_owned(), |bytes| format!("+{} MB", bytes / 1_000_000));
        let ms = |percent| format!("{:.1} ms", self.innocent.percentile(percent).as_secs_f64() * 1e3);
        let verdict = if self.broken.is_empty() { "held".to_owned() } else { self.broken.join(", ") };
        let (probes, failed) = (self.innocent.latencies.len() + self.innocent.failed, self.innocent.failed);
        let (p50, p99, max) = (ms(50), ms(99), ms(100));
        write!(
            f,
            "{:18} {:6} {growth:>8} {:11} {probes:8} {failed:7} {p50:>8} {p99:>8} {max:>8}  {verdict}",
            self.name, self.calls, self.calls_open,
        )
    }
}
