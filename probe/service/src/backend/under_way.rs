//! Requests that are under way, and those that wait for their answers.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Parts of the map of requests, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// Requests of one kind that are under way. There are never more than requests in progress.
#[derive(Debug)]
pub(crate) struct UnderWay<K, V>(Arc<Shards<K, V>>);

#[derive(Debug)]
struct Shards<K, V> {
    hasher: RandomState,
    shards: [Mutex<Waiting<K, V>>; SHARDS],
}

/// The channel of each request's answer, once another waits for it.
type Waiting<K, V> = HashMap<K, Option<watch::Sender<Option<V>>>>;

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
    is_published: bool,
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
    pub(super) fn new() -> UnderWay<K, V> {
        let shards = std::array::from_fn(|_| Mutex::default());
        UnderWay(Arc::new(Shards { hasher: RandomState::new(), shards }))
    }

    /// Whether a request is the first of its kind, or has one to wait for.
    pub(crate) fn join(&self, key: &K) -> Turn<K, V> {
        let mut shard = self.0.shard(key);
        if let Some(answer) = shard.get_mut(key) {
            let answer = answer.get_or_insert_with(|| watch::Sender::new(None));
            return Turn::Later(Follower(answer.subscribe()));
        }
        shard.insert(key.clone(), None);
        Turn::First(Lead { key: key.clone(), under_way: Arc::clone(&self.0), is_published: false })
    }
}

impl<K: Eq + Hash, V> Lead<K, V> {
    /// Gives the answer to all who wait for it.
    pub(crate) fn publish(mut self, answer: &V)
    where
        V: Clone,
    {
        self.is_published = true;
        if let Some(waiting) = self.end() {
            waiting.send_replace(Some(answer.clone()));
        }
    }

    /// Ends the request. The channel closes after that: those who wait for it must not find it again.
    fn end(&self) -> Option<watch::Sender<Option<V>>> {
        self.under_way.shard(&self.key).remove(&self.key).flatten()
    }
}

impl<K: Eq + Hash, V> Drop for Lead<K, V> {
    fn drop(&mut self) {
        if !self.is_published {
            drop(self.end());
        }
    }
}

impl<V: Clone> Follower<V> {
    /// The answer; `None` if the request that was to find it has ended without.
    pub(super) async fn answer(mut self) -> Option<V> {
        self.0.wait_for(Option::is_some).await.ok().and_then(|answer| answer.clone())
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
        first.publish(&7);
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
        second.publish(&8);
        assert_eq!(waiting.answer().await, Some(8));
        assert!(under_way.0.shards.iter().all(|shard| shard.lock().unwrap().is_empty()));
    }
}
