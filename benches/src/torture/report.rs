//! The outcome of an attack.

use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::attacker::connect;
use super::innocent::{Innocent, Probes, get_over, metric, value_of};
use super::memory::resident_bytes;
use super::{Attack, Target};

/// A pause between looks at the server.
const LOOK: Duration = Duration::from_millis(50);
/// The most time for a look.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time after which all places that an attack took have to be free.
const END: Duration = Duration::from_secs(300);
/// The last byte of the address of the one who looks.
const OBSERVER: u8 = 253;

/// The outcome of an attack.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The attack.
    pub name: &'static str,
    /// The addresses of the attackers.
    pub addresses: usize,
    /// Calls that the attackers made.
    pub calls: usize,
    /// The most bytes by which the server's memory grew; `None` if the system does not report it.
    pub growth: Option<u64>,
    /// The most bytes of clients that the server counted.
    pub counted: u64,
    /// The most calls that were open.
    pub calls_open: u64,
    /// The innocent client's probes meanwhile.
    pub innocent: Probes,
    /// The bounds that did not hold.
    pub broken: Vec<String>,
}

/// Observations of the server during an attack.
#[derive(Default)]
struct Seen {
    growth: Option<u64>,
    counted: u64,
    calls_open: u64,
}

impl Seen {
    /// Looks at the server, for ever.
    async fn watch(&mut self, target: Target) -> Infallible {
        let before = resident_bytes(target.pid);
        loop {
            sleep(LOOK).await;
            if let (Some(before), Some(now)) = (before, resident_bytes(target.pid)) {
                self.growth = self.growth.max(Some(now.saturating_sub(before)));
            }
            // From an address of its own: the innocent client's places are its own.
            let metrics = async { get_over(connect(target.address, OBSERVER).await?, "/metrics").await };
            if let Ok(Ok(metrics)) = timeout(PATIENCE, metrics).await {
                let most = |seen: u64, name| seen.max(value_of(&metrics, name).unwrap_or(0));
                self.calls_open = most(self.calls_open, "makruk_calls_open");
                self.counted = most(self.counted, "makruk_limit_taken{limit=\"memory\"}");
            }
        }
    }
}

/// Runs an attack, with an innocent client beside it.
pub async fn run(attack: &Attack, target: Target) -> Outcome {
    let mut seen = Seen::default();
    let innocent = Innocent::begin(target.address, attack.innocent, target.most_latency);
    let calls = tokio::select! {
        calls = (attack.run)(target) => calls,
        never = seen.watch(target) => match never {},
    };
    let Seen { growth, counted, calls_open } = seen;
    let innocent = innocent.end().await;
    let mut broken = Vec::new();
    if calls == 0 || innocent.latencies.is_empty() {
        broken.push("nothing was asked or answered".to_owned());
    }
    // The request for the metric is open itself.
    let is_over = async {
        while metric(target.address, "makruk_calls_open").await != Some(1) {
            sleep(LOOK).await;
        }
    };
    if timeout(END, is_over).await.is_err() {
        broken.push("calls stay open".to_owned());
    }
    if innocent.failed > 0 {
        broken.push(format!("{} innocent probes failed", innocent.failed));
    }
    if innocent.percentile(99) > target.most_latency {
        broken.push(format!("innocent probes took {:?}", innocent.percentile(99)));
    }
    if growth.is_some_and(|growth| growth > target.most_growth) {
        broken.push("the server's memory grew too much".to_owned());
    }
    let Target { addresses, .. } = target;
    Outcome { name: attack.name, addresses, calls, growth, counted, calls_open, innocent, broken }
}

/// The head of a table of outcomes.
pub const HEAD: &str = "attack              from   calls   memory  counted  open calls   probes  failed      p50      p99      max  verdict";

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = |bytes: u64| format!("+{} MB", bytes / 1_000_000);
        let growth = self.growth.map_or_else(|| "?".to_owned(), megabytes);
        let counted = megabytes(self.counted);
        let ms = |percent| format!("{:.1} ms", self.innocent.percentile(percent).as_secs_f64() * 1e3);
        let verdict = if self.broken.is_empty() { "held".to_owned() } else { self.broken.join(", ") };
        let (probes, failed) = (self.innocent.latencies.len() + self.innocent.failed, self.innocent.failed);
        let (p50, p99, max) = (ms(50), ms(99), ms(100));
        write!(
            f,
            "{:18} {:5} {:7} {growth:>8} {counted:>8} {:11} {probes:8} {failed:7} {p50:>8} {p99:>8} {max:>8}  {verdict}",
            self.name, self.addresses, self.calls, self.calls_open,
        )
    }
}
