//! The cache of answers that cost much and change only with the tables: statistics, lists and samples.
//!
//! Equal requests at the same time wait for one piece of work. An answer is kept until the tables change or nobody has
//! requested it for a while.

use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use makruk_research::{SaveTotals, TableStatistics};
use makruk_tables::material::Material;
use moka::future::Cache;

use crate::http::picture::View;
use crate::status::Failure;

/// The most answers of a kind, and the time for which an answer is kept after its last request.
const MOST_ANSWERS: u64 = 1024;
const KEPT: Duration = Duration::from_secs(600);

/// Answers of one kind by request. The checksum of the tables is part of each key, so that an answer from other tables
/// is never found.
type Answers<K, V> = Cache<(u64, K), V>;

/// All answers that are kept.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    pub(crate) statistics: Answers<Material, Arc<TableStatistics>>,
    pub(crate) saves: Answers<(Material, usize), Arc<SaveTotals>>,
    /// As JSON, the materials of a number of men, or those that are common or present.
    pub(crate) materials: Answers<Option<usize>, Bytes>,
    /// As JSON, some saves of a material.
    pub(crate) examples: Answers<Material, Bytes>,
    /// They do not depend on the tables.
    pub(crate) pictures: Cache<View, Bytes>,
}

impl AnswerCache {
    pub(crate) fn new() -> AnswerCache {
        let (statistics, saves, materials) = (cache(), cache(), cache());
        AnswerCache { statistics, saves, materials, examples: cache(), pictures: cache() }
    }

    /// Forgets what was read of the tables, also where their checksum is the same: it may have been read in part.
    pub(crate) fn forget(&self) {
        self.statistics.invalidate_all();
        self.saves.invalidate_all();
        self.materials.invalidate_all();
        self.examples.invalidate_all();
    }
}

fn cache<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(MOST_ANSWERS).time_to_idle(KEPT).build()
}

/// The answer of a cache, or that of the work, of which one at a time is under way for a key.
pub(crate) async fn cached<K, V>(
    cache: &Answers<K, V>,
    tables: u64,
    key: K,
    work: impl Future<Output = Result<V, Failure>>,
) -> Result<V, Failure>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    cache.try_get_with((tables, key), work).await.map_err(Arc::unwrap_or_clone)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn equal_requests_are_answered_once() {
        let (answers, asked) = (AnswerCache::new(), AtomicU32::new(0));
        let ask = async |tables| {
            let work = async {
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(Bytes::from_static(b"answer"))
            };
            cached(&answers.materials, tables, None, work).await.unwrap()
        };
        let (first, second) = tokio::join!(ask(1), ask(1));
        assert_eq!((first, asked.load(Ordering::Relaxed)), (second, 1));
        ask(1).await;
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        ask(2).await;
        assert_eq!(asked.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn failures_are_shared_but_not_kept() {
        let answers = AnswerCache::new();
        let fail = cached(&answers.materials, 1, None, async { Err(Failure::not_found()) }).await;
        assert!(fail.is_err());
        let work = async { Ok(Bytes::new()) };
        assert!(cached(&answers.materials, 1, None, work).await.is_ok());
    }
}
