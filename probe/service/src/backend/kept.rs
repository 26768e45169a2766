//! Answers about tables and whole materials, which are kept as long as the tables do not change.

use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Refusal, Whole, WholeAnswer, json};
use makruk_probe::TableId;
use makruk_research::{MaterialList, TableStatistics};

use crate::admission::request_context::RequestContext;
use crate::backend::Backend;
use crate::backend::answer_cache::Kept;
use crate::status::Failure;
use crate::tables::longest_win_search::LongestWins;

impl Backend {
    /// The answer to a question about tables or whole materials. Longest wins are part of it if their search ends
    /// before the deadline.
    pub(crate) async fn kept_answer(&self, context: &RequestContext, mut question: Whole) -> Result<Kept, Failure> {
        let (shared, limits, mut with_longest) = (self.context(None), &self.pools.limits, false);
        match &mut question {
            // Beyond, there are none.
            Whole::Tables(Some(men)) | Whole::Materials(Some(men)) => *men = (*men).min(MaterialList::MOST_MEN + 1),
            // One search is for all requests.
            Whole::Statistics { longest, .. } => with_longest = std::mem::take(longest),
            Whole::SaveStatistics { sample, .. } => *sample = (*sample).min(limits.batch.min(limits.positions) as u32),
            _ => {}
        }
        let work = async { Ok(self.answer(&shared, question, kept).await?.0) };
        let known = self.answers.find(self.checksum(), question, work).await?;
        match &known.0 {
            WholeAnswer::Statistics(statistics) if with_longest => {
                let mut statistics = statistics.clone();
                self.add_longest_wins(context, &mut statistics).await?;
                Ok(kept(WholeAnswer::Statistics(statistics)))
            }
            _ => Ok(known),
        }
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

fn kept(answer: WholeAnswer) -> Kept {
    let json = json(&answer).into();
    Arc::new((answer, json))
}
