//! Many attackers: their connections, their calls, and the requests that most of them make.

use std::time::Duration;

use futures_util::future::join_all;

use super::Target;
use super::attacker::{Attacker, Body, Windows};

/// A position with a long answer.
pub(super) const LONG_ANSWER: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";
/// A long file, the words of the page in Thai.
pub const LONG_FILE: &str = "/th.js";
pub(super) const PROBE_BATCH: &str = "/makruk.v1.Tablebase/ProbeBatch";
/// Streams that a connection opens, fewer than servers allow.
pub(super) const STREAMS: usize = 250;

/// Connections, evenly from all addresses.
pub(super) async fn connect(target: Target, connections: usize, windows: Windows) -> Vec<Attacker> {
    let mut attackers = Vec::new();
    // Not all at once: the backlog of a listener is short.
    for first in (0..connections).step_by(100) {
        let some = (first..connections.min(first + 100))
            .map(|number| Attacker::connect(target.address, target.peer(number), windows));
        attackers.extend(join_all(some).await.into_iter().flatten());
    }
    attackers
}

/// Makes this number of calls on each connection; returns the number of calls made.
pub(super) async fn call_on_all(attackers: &mut [Attacker], calls: usize, path: &str, body: &Body) -> usize {
    let each = attackers.iter_mut().map(async |attacker| {
        let mut made = 0;
        while made < calls && attacker.call(path, body.clone()).await {
            made += 1;
        }
        made
    });
    // A server that allows fewer streams per connection keeps the others waiting.
    let limited = each.map(async |calls| tokio::time::timeout(Duration::from_secs(5), calls).await.unwrap_or(0));
    join_all(limited).await.into_iter().sum()
}
