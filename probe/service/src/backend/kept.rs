//! Answers that cost much and change only with the tables: statistics, lists and samples; and pictures.
//!
//! Equal requests at the same time wait for one piece of work. An answer is kept until the tables change or nobody has
//! requested it for a while.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use makruk_answers::Answer;
use moka::future::Cache;

use crate::drawing::View;

/// The time for which an answer is kept after its last request.
const KEPT: Duration = Duration::from_secs(600);

/// An answer that is kept, and its JSON.
pub(crate) type KeptAnswer = Arc<(Answer, Bytes)>;

/// Everything that is kept.
pub(crate) struct Kept {
    /// The answers by their questions and the checksum of the tables, so that an answer from other tables is never
    /// found.
    pub(crate) answers: Cache<(u64, String), KeptAnswer>,
    /// They do not depend on the tables.
    pub(crate) pictures: Cache<View, Bytes>,
}

impl Kept {
    pub(crate) fn new() -> Kept {
        Kept { answers: cache(4096), pictures: cache(1024) }
    }
}

fn cache<K: Eq + Hash + Send + Sync + 'static, V: Clone + Send + Sync + 'static>(most: u64) -> Cache<K, V> {
    Cache::builder().max_capacity(most).time_to_idle(KEPT).build()
}
