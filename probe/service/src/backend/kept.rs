//! Answers that cost much and change only with the tables: statistics, lists and samples; and pictures.
//!
//! Equal requests at the same time wait for one piece of work. An answer is kept until the tables change or nobody has
//! requested it for a while.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use makruk_answers::{Answer, Materials, Question, SaveStatistics, Tables, json};
use makruk_research::MaterialList;
use moka::future::Cache;

use crate::admission::limits::Limits;
use crate::backend::Backend;
use crate::drawing::View;
use crate::status::Failure;

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

/// The question of which the answer is kept: within what there can be.
fn within(question: Question, limits: &Limits) -> Question {
    let within = |men: Option<usize>| men.map(|men| men.min(MaterialList::MOST_MEN + 1));
    match question {
        Question::Tables(Tables { men }) => Tables { men: within(men) }.into(),
        Question::Materials(Materials { men }) => Materials { men: within(men) }.into(),
        Question::SaveStatistics(SaveStatistics { material, sample }) => {
            SaveStatistics { material, sample: sample.min(limits.batch.min(limits.positions) as u32) }.into()
        }
        question => question,
    }
}

impl Backend {
    /// The answer that is kept, or that of a job, of which one at a time is under way for a question.
    pub(crate) async fn kept_answer(&self, question: impl Into<Question>) -> Result<KeptAnswer, Failure> {
        let (shared, question) = (self.context(None), within(question.into(), &self.pools.limits));
        let key = (self.checksum(), format!("{question:?}"));
        let with_json = |answer| {
            let json = json(&answer).into();
            Arc::new((answer, json))
        };
        let work = async { Ok(self.answer(&shared, question, with_json).await?.0) };
        self.kept.answers.try_get_with(key, work).await.map_err(Arc::unwrap_or_clone)
    }
}
