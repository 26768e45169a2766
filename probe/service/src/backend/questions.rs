//! Questions, answered in jobs.

use std::sync::Arc;
use std::time::Duration;

use makruk_answers::{Answer, Asking, BatchItem, Door, LineAnswer, Question, Remedy, Step, Whole};
use makruk_probe::{Policy, Prober};

use crate::admission::jobs::Cost;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::status::Failure;
use crate::status::log::log_refusal;
use crate::tables::snapshot::TableSnapshot;

/// The most steps of a line that one job finds.
const STEPS_PER_JOB: usize = 64;
/// Bytes of a game for each of its positions, at least about: the length of the text is known before it is read.
const BYTES_OF_POSITION: usize = 8;

/// A question under way over the tables of one snapshot.
type SnapshotAsking = Asking<Prober<Arc<TableSnapshot>>>;

/// A line under way, whose next moves can be found.
pub(crate) struct LineUnderWay {
    asking: SnapshotAsking,
    /// The cost of the next moves.
    cost: Cost,
}

impl Backend {
    fn door(&self) -> Door {
        Door { remedy: Remedy::Server, most_positions: self.pools.limits.batch }
    }

    fn begin(&self, question: Question) -> Result<SnapshotAsking, Failure> {
        Asking::new(question, self.prober(), self.door()).map_err(|refusal| {
            self.pools.metrics.positions.inc();
            refusal.into()
        })
    }

    /// The answer to a question, in the format of a protocol. Unless it is a line, it is formatted within its job.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        context: &RequestContext,
        question: Question,
        format: fn(Answer) -> T,
    ) -> Result<(T, Grant), Failure> {
        let mut spare = Duration::ZERO;
        let cost = match &question {
            Question::Line(_) | Question::LichessLine(_) => {
                let (mut line, mut permits) = self.begin_line(context, question).await?;
                loop {
                    drop(permits);
                    let (step, rest, of_step) = self.line_on(context, line).await?;
                    (line, permits) = (rest, of_step);
                    if let Some(answer) = step {
                        return Ok((format(answer), permits));
                    }
                }
            }
            Question::Batch(batch) => Cost::probes(batch.fens.len(), if batch.moves { batch.fens.len() } else { 0 }),
            Question::Analyse(games) => {
                Cost::batch((games.pgn.len() / BYTES_OF_POSITION).clamp(1, self.pools.limits.batch))
            }
            Question::Play(play) if is_tricky(&play.policy) => Cost::batch(1),
            Question::Probe(probe) => Cost::probes(1, usize::from(probe.moves)),
            Question::Explore(_) | Question::Play(_) | Question::Lichess(_) => Cost::probes(1, 1),
            Question::Moves { .. } | Question::Study { .. } => Cost::probes(1, 1),
            Question::Category { .. } => Cost::probes(1, 0),
            Question::Whole(Whole::SaveStatistics { sample, .. }) => {
                // The rest of the answer needs time too.
                spare = Duration::from_millis(500).min(context.time / 4);
                Cost::scan((*sample as usize).max(1))
            }
            Question::Whole(_) => Cost::scan(1),
        };
        let mut asking = self.begin(question)?;
        let work = move |check: &CancellationCheck| {
            Some(steps(&mut asking, usize::MAX, spare, check)?.map(|done| done.map(format)))
        };
        let (answer, permits) = self.jobs.run(context, cost, work).await?;
        Ok((answer?.ok_or_else(|| Failure::deadline(context.time))?, permits))
    }

    /// The answers to a piece of a stream of positions, which waits for its place.
    pub(crate) async fn next_of_stream<T: Send + 'static>(
        &self,
        context: &RequestContext,
        questions: Vec<(String, bool)>,
        format: fn(BatchItem) -> T,
    ) -> Result<(Vec<T>, Grant), Failure> {
        let cost = Cost::probes(questions.len(), questions.iter().filter(|(_, with_moves)| *with_moves).count());
        let mut asking = Asking::of_positions(questions, self.prober(), self.door())?;
        let work = move |check: &CancellationCheck| match steps(&mut asking, usize::MAX, Duration::ZERO, check)? {
            Ok(Some(Answer::Batch(items))) => Some(Ok(items.into_iter().map(format).collect())),
            Ok(_) => None,
            Err(failure) => Some(Err(failure)),
        };
        let (answers, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        Ok((answers?, permits))
    }

    /// The start of a line: the verdict on its position.
    pub(crate) async fn begin_line(
        &self,
        context: &RequestContext,
        question: Question,
    ) -> Result<(LineUnderWay, Grant), Failure> {
        // A tricky player also probes the replies to all of its moves.
        let is_tricky = matches!(&question, Question::Line(line) if is_tricky(&line.defence));
        let cost = if is_tricky { Cost::scan(1) } else { Cost::batch(1) };
        let mut asking = self.begin(question)?;
        let work = move |check: &CancellationCheck| Some(steps(&mut asking, 1, Duration::ZERO, check)?.map(|_| asking));
        let (asking, permits) = self.jobs.run(context, Cost::probes(1, 0), work).await?;
        Ok((LineUnderWay { asking: asking?, cost }, permits))
    }

    /// Finds the next moves of a line, and waits for a place to do so. After the last, the answer is there.
    pub(crate) async fn line_on(
        &self,
        context: &RequestContext,
        LineUnderWay { mut asking, cost }: LineUnderWay,
    ) -> Result<(Option<Answer>, LineUnderWay, Grant), Failure> {
        let work = move |check: &CancellationCheck| {
            Some(steps(&mut asking, STEPS_PER_JOB, Duration::ZERO, check)?.map(|answer| (answer, asking)))
        };
        let (walked, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        let (answer, asking) = walked?;
        Ok((answer, LineUnderWay { asking, cost }, permits))
    }
}

impl LineUnderWay {
    /// The line as far as it is known.
    pub(crate) fn line(&mut self) -> Option<&mut LineAnswer> {
        self.asking.line()
    }
}

fn is_tricky(policy: &Option<String>) -> bool {
    policy.as_deref() == Some(Policy::Tricky.name())
}

/// Takes steps of a question, which may block on the disk, until it has its answer; `None` if nobody waits for it any
/// more. A sample ends early enough to leave `spare` time.
fn steps(
    asking: &mut SnapshotAsking,
    most: usize,
    spare: Duration,
    check: &CancellationCheck,
) -> Option<Result<Option<Answer>, Failure>> {
    for _ in 0..most {
        if check.is_cancelled() {
            return None;
        }
        match asking.go_on_while(&|| check.has_time(spare)) {
            Step::More => {}
            Step::Done(answer) => {
                if let Answer::Batch(items) = &answer {
                    for item in items {
                        if let BatchItem::Refused(refusal) = item {
                            log_refusal(refusal);
                        }
                    }
                }
                return Some(Ok(Some(answer)));
            }
            Step::Refused(refusal) => return Some(Err(refusal.into())),
            // The files are here.
            Step::Wants => return None,
        }
    }
    Some(Ok(None))
}
