//! The cache of answers that cost much and change only with the tables: statistics, lists and samples.
//!
//! Equal requests at the same time wait for one piece of work. An answer is kept until the tables change or nobody has
//! requested it for a while.

use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use makruk_answers::{Whole, WholeAnswer};
use moka::future::Cache;

use crate::drawing::View;
use crate::status::Failure;

/// The most answers of a kind, and the time for which an answer is kept after its last request.
const MOST_ANSWERS: u64 = 1024;
const KEPT: Duration = Duration::from_secs(600);

/// An answer that is kept, and its JSON.
pub(crate) type Kept = Arc<(WholeAnswer, Bytes)>;

/// All answers that are kept.
#[derive(Debug)]
pub(crate) struct AnswerCache {
    /// The answers about tables and whole materials. The checksum of the tables is part of each key, so that an answer
    /// from other tables is never found.
    kept: Cache<(u64, Whole), Kept>,
    /// They do not depend on the tables.
    pub(crate) pictures: Cache<View, Bytes>,
}

impl AnswerCache {
    pub(crate) fn new() -> AnswerCache {
        AnswerCache { kept: cache(), pictures: cache() }
    }

    /// The answer that is kept, or that of the work, of which one at a time is under way for a question.
    pub(crate) async fn find(
        &self,
        tables: u64,
        question: Whole,
        work: impl Future<Output = Result<Kept, Failure>>,
    ) -> Result<Kept, Failure> {
        self.kept.try_get_with((tables, question), work).await.map_err(Arc::unwrap_or_clone)
    }

    /// Forgets what was read of the tables, also where their checksum is the same: it may have been read in part.
    pub(crate) fn forget(&self) {
        self.kept.invalidate_all();
    }
}

fn cache<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(MOST_ANSWERS).time_to_idle(KEPT).build()
}
