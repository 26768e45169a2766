//! The cache of answers that cost much and change only with the tables: statistics, lists and samples.
//!
//! Equal requests at the same time wait for one piece of work. An answer is kept until the tables change or nobody has
//! requested it for a while.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use makruk_answers::{Ask, Examples, Materials, SaveStatistics, Statistics, Tables};
use moka::future::Cache;

use crate::drawing::View;

/// The most answers of a kind, and the time for which an answer is kept after its last request.
const MOST_ANSWERS: u64 = 1024;
const KEPT: Duration = Duration::from_secs(600);

/// An answer that is kept, and its JSON.
pub(crate) type KeptAnswer<Q> = Arc<(<Q as Ask>::Answer, Bytes)>;

/// The answers to a kind of questions. The checksum of the tables is part of each key, so that an answer from other
/// tables is never found.
pub(crate) type KeptAnswers<Q> = Cache<(u64, Q), KeptAnswer<Q>>;

/// All answers that are kept.
pub(crate) struct AnswerCache {
    pub(crate) tables: KeptAnswers<Tables>,
    pub(crate) materials: KeptAnswers<Materials>,
    pub(crate) statistics: KeptAnswers<Statistics>,
    pub(crate) save_statistics: KeptAnswers<SaveStatistics>,
    pub(crate) examples: KeptAnswers<Examples>,
    /// They do not depend on the tables.
    pub(crate) pictures: Cache<View, Bytes>,
}

impl AnswerCache {
    pub(crate) fn new() -> AnswerCache {
        AnswerCache {
            tables: cache(),
            materials: cache(),
            statistics: cache(),
            save_statistics: cache(),
            examples: cache(),
            pictures: cache(),
        }
    }

    /// Forgets what was read of the tables, also where their checksum is the same: it may have been read in part.
    pub(crate) fn forget(&self) {
        self.tables.invalidate_all();
        self.materials.invalidate_all();
        self.statistics.invalidate_all();
        self.save_statistics.invalidate_all();
        self.examples.invalidate_all();
    }
}

fn cache<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(MOST_ANSWERS).time_to_idle(KEPT).build()
}
