//! Equal requests at a time: the first is answered, the others share its answer.
//!
//! Nothing is kept: an answer is shared by those who ask for it before it is there. The first request is not special to the
//! others. If it is cancelled, turned away or too late, one of the others takes its turn.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use makruk_tables::rules::{Color, Fen};
use tokio::sync::watch;
use tokio::time::timeout_at;

use crate::admission::jobs::Cost;
use crate::admission::permits::PositionPermits;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::save_search::SaveQuery;
use crate::backend::{Backend, SnapshotProber};
use crate::status::Failure;
use makruk_probe::{RankedMove, Verdict};

/// Parts of the map of requests, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// The answer to a request, or the failure that all equal requests share.
pub(crate) type Outcome<T> = Result<T, Arc<Failure>>;

/// The requests that are under way, by kind.
#[derive(Debug)]
pub(crate) struct Coalesced {
    pub(crate) probes: UnderWay<ProbeKey, Outcome<Arc<Probed>>>,
    pub(crate) explored: UnderWay<(ProbeKey, Option<Color>), Bytes>,
    pub(crate) pages: UnderWay<(u64, SaveQuery), Outcome<Bytes>>,
}

/// A position of the tables of one snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProbeKey {
    /// The address of the snapshot, which is the same for requests of one moment only.
    snapshot: usize,
    fen: Fen,
    moves: bool,
}

/// A position with its verdict, and its moves if they were requested.
#[derive(Debug)]
pub(crate) struct Probed {
    pub(crate) fen: Fen,
    pub(crate) verdict: Verdict,
    pub(crate) moves: Option<Vec<RankedMove>>,
}

impl Coalesced {
    pub(crate) fn new() -> Coalesced {
        Coalesced { probes: UnderWay::new(), explored: UnderWay::new(), pages: UnderWay::new() }
    }
}

impl ProbeKey {
    pub(crate) fn new(prober: &SnapshotProber, fen: &Fen, moves: bool) -> ProbeKey {
        ProbeKey { snapshot: Arc::as_ptr(prober.source()) as usize, fen: fen.clone(), moves }
    }
}

/// Requests of one kind that are under way. There are never more than requests in work.
#[derive(Debug)]
pub(crate) struct UnderWay<K, V>(Arc<Shards<K, V>>);

#[derive(Debug)]
struct Shards<K, V> {
    hasher: RandomState,
    shards: [Mutex<Waiting<K, V>>; SHARDS],
}

/// The answers that others may wait for.
type Waiting<K, V> = HashMap<K, watch::Receiver<Option<V>>>;

/// The turn of a request.
pub(crate) enum Turn<K: Eq + Hash, V> {
    /// It is the first of its kind: it has to find the answer.
    First(Lead<K, V>),
    /// An equal request is under way.
    Later(Follower<V>),
}

/// The duty to find an answer. If this is dropped before it is published, another request takes its turn.
pub(crate) struct Lead<K: Eq + Hash, V> {
    key: K,
    under_way: Arc<Shards<K, V>>,
    answer: watch::Sender<Option<V>>,
}

/// A request that waits for the answer to an equal one.
pub(crate) struct Follower<V>(watch::Receiver<Option<V>>);

impl<K: Eq + Hash, V> Shards<K, V> {
    fn shard(&self, key: &K) -> MutexGuard<'_, Waiting<K, V>> {
        let at = self.hasher.hash_one(key) as usize % SHARDS;
        self.shards[at].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash, V: Clone> UnderWay<K, V> {
    fn new() -> UnderWay<K, V> {
        let shards = std::array::from_fn(|_| Mutex::default());
        UnderWay(Arc::new(Shards { hasher: RandomState::new(), shards }))
    }

    /// Whether a request is the first of its kind, or has one to wait for.
    pub(crate) fn join(&self, key: &K) -> Turn<K, V> {
        let mut shard = self.0.shard(key);
        if let Some(answer) = shard.get(key) {
            return Turn::Later(Follower(answer.clone()));
        }
        let (sender, receiver) = watch::channel(None);
        shard.insert(key.clone(), receiver);
        Turn::First(Lead { key: key.clone(), under_way: Arc::clone(&self.0), answer: sender })
    }
}

impl<K: Eq + Hash, V> Lead<K, V> {
    /// Gives the answer to all who wait for it.
    pub(crate) fn publish(self, answer: V) {
        self.answer.send_replace(Some(answer));
    }
}

impl<K: Eq + Hash, V> Drop for Lead<K, V> {
    fn drop(&mut self) {
        // Before the channel is closed: those who wait for it must not find it again.
        self.under_way.shard(&self.key).remove(&self.key);
    }
}

impl<V: Clone> Follower<V> {
    /// The answer; `None` if the request that was to find it has ended without.
    async fn answer(mut self) -> Option<V> {
        self.0.wait_for(Option::is_some).await.ok().and_then(|answer| answer.clone())
    }
}

impl Backend {
    /// Does a piece of work, unless an equal one is under way, whose answer is shared then. The answer is formatted within
    /// the job of the request that finds it.
    pub(crate) async fn run_once<K, V, T>(
        &self,
        under_way: &UnderWay<K, V>,
        key: K,
        context: &RequestContext,
        cost: Cost,
        work: impl FnOnce(&CancellationCheck) -> Option<V> + Send + 'static,
        format: impl FnOnce(&V) -> T + Send + 'static,
    ) -> Result<(T, PositionPermits), Failure>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
        T: Send + 'static,
    {
        loop {
            match under_way.join(&key) {
                Turn::First(lead) => {
                    let work = move |check: &CancellationCheck| {
                        let answer = work(check)?;
                        lead.publish(answer.clone());
                        Some(format(&answer))
                    };
                    return self.jobs.run(context, cost, work).await;
                }
                Turn::Later(follower) => {
                    if let Some((answer, permits)) = self.follow(follower, context, cost).await? {
                        return Ok((format(&answer), permits));
                    }
                }
            }
        }
    }

    /// The answer to an equal request; `None` if that request has ended without.
    pub(crate) async fn follow<V: Clone>(
        &self,
        follower: Follower<V>,
        context: &RequestContext,
        cost: Cost,
    ) -> Result<Option<(V, PositionPermits)>, Failure> {
        let permits = self.jobs.take_positions(context, cost)?;
        self.metrics.positions.inc_by(cost.positions as u64);
        match timeout_at(context.deadline, follower.answer()).await {
            Ok(Some(answer)) => {
                self.metrics.coalesced.inc();
                Ok(Some((answer, permits)))
            }
            Ok(None) => Ok(None),
            Err(_) => Err(Failure::Deadline { limit: context.time }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead(under_way: &UnderWay<u32, u32>, key: u32) -> Lead<u32, u32> {
        match under_way.join(&key) {
            Turn::First(lead) => lead,
            Turn::Later(_) => panic!("{key} is under way"),
        }
    }

    fn follower(under_way: &UnderWay<u32, u32>, key: u32) -> Follower<u32> {
        match under_way.join(&key) {
            Turn::First(_) => panic!("{key} is not under way"),
            Turn::Later(follower) => follower,
        }
    }

    #[tokio::test]
    async fn an_answer_is_for_all_who_wait_and_nobody_after() {
        let under_way = UnderWay::new();
        let first = lead(&under_way, 1);
        let _other = lead(&under_way, 2);
        let followers = [follower(&under_way, 1), follower(&under_way, 1)];
        first.publish(7);
        for follower in followers {
            assert_eq!(follower.answer().await, Some(7));
        }
        drop(lead(&under_way, 1));
    }

    #[tokio::test]
    async fn another_takes_the_turn_of_one_that_is_gone() {
        let under_way = UnderWay::new();
        let first = lead(&under_way, 1);
        let waiting = follower(&under_way, 1);
        drop(first);
        let second = lead(&under_way, 1);
        assert_eq!(waiting.answer().await, None);
        let waiting = follower(&under_way, 1);
        second.publish(8);
        assert_eq!(waiting.answer().await, Some(8));
        assert!(under_way.0.shards.iter().all(|shard| shard.lock().unwrap().is_empty()));
    }
}
