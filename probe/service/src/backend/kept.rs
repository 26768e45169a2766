//! Answers about tables and whole materials, which are kept as long as the tables do not change.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Examples, Materials, Refusal, SaveStatistics, Statistics, Tables, json};
use makruk_probe::TableId;
use makruk_research::{MaterialList, TableStatistics};
use serde::Serialize;

use crate::admission::limits::Limits;
use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::answer_cache::{AnswerCache, KeptAnswer, KeptAnswers};
use crate::backend::served::Served;
use crate::status::Failure;
use crate::tables::longest_win_search::LongestWins;

/// A question whose answer is kept.
pub(crate) trait KeptQuestion: Served<Answer: Serialize + Sync> + Copy + Eq + Hash + Sync {
    /// The answers to such questions.
    fn answers(cache: &AnswerCache) -> &KeptAnswers<Self>;

    /// The question of which the answer is kept: within what there can be.
    fn within(self, _: &Limits) -> Self {
        self
    }

    /// Whether the next answer will have more.
    fn is_pending(_: &Self::Answer) -> bool {
        false
    }
}

impl KeptQuestion for Tables {
    fn answers(cache: &AnswerCache) -> &KeptAnswers<Tables> {
        &cache.tables
    }

    fn within(self, _: &Limits) -> Tables {
        Tables { men: self.men.map(|men| men.min(MaterialList::MOST_MEN + 1)) }
    }
}

impl KeptQuestion for Materials {
    fn answers(cache: &AnswerCache) -> &KeptAnswers<Materials> {
        &cache.materials
    }

    fn within(self, _: &Limits) -> Materials {
        Materials { men: self.men.map(|men| men.min(MaterialList::MOST_MEN + 1)) }
    }
}

impl KeptQuestion for Statistics {
    fn answers(cache: &AnswerCache) -> &KeptAnswers<Statistics> {
        &cache.statistics
    }

    // One search of longest wins is for all requests.
    fn within(self, _: &Limits) -> Statistics {
        Statistics { longest: false, ..self }
    }

    fn is_pending(statistics: &Box<TableStatistics>) -> bool {
        statistics.is_pending()
    }
}

impl KeptQuestion for SaveStatistics {
    fn answers(cache: &AnswerCache) -> &KeptAnswers<SaveStatistics> {
        &cache.save_statistics
    }

    fn within(self, limits: &Limits) -> SaveStatistics {
        SaveStatistics { sample: self.sample.min(limits.batch.min(limits.positions) as u32), ..self }
    }
}

impl KeptQuestion for Examples {
    fn answers(cache: &AnswerCache) -> &KeptAnswers<Examples> {
        &cache.examples
    }
}

impl Backend {
    /// The answer that is kept, or that of a job, of which one at a time is under way for a question.
    pub(crate) async fn kept_answer<Q: KeptQuestion>(&self, question: Q) -> Result<KeptAnswer<Q>, Failure> {
        let (shared, question) = (self.context(None), question.within(&self.pools.limits));
        let work = async { Ok(self.answer(&shared, question, kept::<Q>).await?.0) };
        let kept = Q::answers(&self.answers).try_get_with((self.checksum(), question), work).await;
        kept.map_err(Arc::unwrap_or_clone)
    }

    /// The statistics of a material's tables. Longest wins are part of them if their search ends before the deadline.
    pub(crate) async fn kept_statistics(
        &self,
        context: &RequestContext,
        question: Statistics,
    ) -> Result<KeptAnswer<Statistics>, Failure> {
        let known = self.kept_answer(question).await?;
        if !question.longest {
            return Ok(known);
        }
        let mut statistics = known.0.clone();
        self.add_longest_wins(context, &mut statistics).await?;
        Ok(kept::<Statistics>(statistics))
    }

    async fn add_longest_wins(
        &self,
        context: &RequestContext,
        statistics: &mut TableStatistics,
    ) -> Result<(), Failure> {
        let material = statistics.material;
        for (metric, summary) in statistics.summaries() {
            let id = TableId { material, metric };
            match self.longest_wins_of(context, id).await {
                LongestWins::Found(found) => summary.add_longest(&found),
                LongestWins::Pending(share) => {
                    for side in [&mut summary.white, &mut summary.black] {
                        (side.longest_pending, side.longest_progress) = (true, Some(share));
                    }
                }
                LongestWins::Failed(refusal) => return Err(Refusal::clone(&refusal).into()),
            }
        }
        Ok(())
    }

    async fn longest_wins_of(&self, context: &RequestContext, id: TableId) -> LongestWins {
        let Some(checksum) = self.monitor.content().header_checksum(id) else {
            // The table was removed meanwhile.
            return LongestWins::Pending(0.0);
        };
        // The rest of the answer needs time too.
        let deadline = context.deadline - Duration::from_millis(50).min(context.time / 4);
        self.longest_wins.find(self.prober(), id, checksum, deadline).await
    }
}

fn kept<Q: KeptQuestion>(answer: Q::Answer) -> KeptAnswer<Q> {
    let json = json(&answer).into();
    Arc::new((answer, json))
}
