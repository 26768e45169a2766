//! The searches for the longest wins of tables.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use makruk_answers::Refusal;
use makruk_probe::TableId;
use makruk_research::{known_longest_positions, longest_positions};
use makruk_rules::ByColor;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::status::REMEDY;
use crate::tables::snapshot::SnapshotProber;

/// The state of a search.
#[derive(Clone, Debug)]
pub(crate) enum LongestWins {
    /// The search waits for its turn, or has read this share of the table.
    Pending(f64),
    /// The positions found, by side to move.
    Found(Arc<ByColor<Vec<String>>>),
    /// A table could not be read.
    Failed(Arc<Refusal>),
}

impl LongestWins {
    const fn is_pending(&self) -> bool {
        matches!(self, LongestWins::Pending(_))
    }
}

/// The searches so far, one for each table. A search reads the whole table, which may take long: it runs once for all
/// requests, and one search runs at a time. Their outcomes are kept in memory.
#[derive(Debug)]
pub(crate) struct LongestWinSearches {
    /// The outcomes by table and checksum of its header.
    searches: Mutex<HashMap<(TableId, u32), watch::Receiver<LongestWins>>>,
    turn: Arc<Semaphore>,
    /// Cancelled when the server stops.
    stopping: CancellationToken,
}

impl LongestWinSearches {
    pub(crate) fn new(stopping: CancellationToken) -> LongestWinSearches {
        LongestWinSearches { searches: Mutex::default(), turn: Arc::new(Semaphore::new(1)), stopping }
    }

    /// The outcome for a table whose header has this checksum, or the state at the deadline.
    pub(crate) async fn find(
        &self,
        prober: SnapshotProber,
        id: TableId,
        checksum: u32,
        deadline: Instant,
    ) -> LongestWins {
        if let Some(known) = known_longest_positions(id, checksum) {
            return LongestWins::Found(Arc::new(known));
        }
        let mut search = self.search(prober, id, checksum);
        if let Ok(Ok(found)) = timeout_at(deadline, search.wait_for(|search| !search.is_pending())).await {
            return found.clone();
        }
        // The deadline has passed, or the search panicked.
        search.borrow().clone()
    }

    fn search(&self, prober: SnapshotProber, id: TableId, checksum: u32) -> watch::Receiver<LongestWins> {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        // One that panicked is begun again, and one of an earlier table is forgotten.
        let is_broken = |of: &watch::Receiver<LongestWins>| of.has_changed().is_err() && of.borrow().is_pending();
        searches.retain(|key, search| key.0 != id || key.1 == checksum && !is_broken(search));
        if let Some(search) = searches.get(&(id, checksum)) {
            return search.clone();
        }
        let (sender, receiver) = watch::channel(LongestWins::Pending(0.0));
        searches.insert((id, checksum), receiver.clone());
        let (turn, stopping) = (Arc::clone(&self.turn), self.stopping.clone());
        tokio::spawn(async move {
            let Ok(turn) = turn.acquire_owned().await else { return };
            let run = move || {
                leave_processors_to_requests();
                let _turn = turn;
                let goes_on = |searched: usize, slabs: usize| {
                    sender.send_replace(LongestWins::Pending(searched as f64 / slabs as f64));
                    !stopping.is_cancelled()
                };
                let outcome = match longest_positions(&prober, id, goes_on) {
                    Ok(Some(found)) => LongestWins::Found(Arc::new(found)),
                    // The server stops: the outcome stays pending.
                    Ok(None) => return,
                    Err(error) => LongestWins::Failed(Refusal::of(error, REMEDY).into()),
                };
                sender.send_replace(outcome);
            };
            // A separate thread: its priority cannot be raised again.
            if let Err(error) = thread::Builder::new().name("longest-wins".to_owned()).spawn(run) {
                tracing::error!("cannot start a thread to search for the longest wins of {id}: {error}");
            }
        });
        receiver
    }
}

/// Gives the calling thread the lowest priority, where threads have one.
fn leave_processors_to_requests() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        tracing::debug!("cannot lower the priority of a search: {error}");
    }
}
