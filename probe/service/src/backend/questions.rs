//! Questions, answered in jobs.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use makruk_answers::{
    Answer, Ask, Asking, BatchItem, Door, Field, Line, LineAnswer, Materials, Positions, Question, SaveStatistics,
    Step, Tables, json,
};
use makruk_probe::{Policy, Prober};
use makruk_research::MaterialList;
use makruk_rules::Reading;

use crate::admission::jobs::{Cost, at_once};
use crate::admission::limits::Limits;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::backend::kept::KeptAnswer;
use crate::status::log::log_refusal;
use crate::status::{Failure, REMEDY};
use crate::tables::snapshot::TableSnapshot;

/// Bytes of a game for each of its positions, at least about: the length of the text is known before it is read.
const BYTES_OF_POSITION: usize = 8;

/// A question under way over the tables of one snapshot.
type SnapshotAsking<Q> = Asking<Prober<Arc<TableSnapshot>>, Q>;

/// A line under way, whose next moves can be found.
pub(crate) struct LineUnderWay {
    asking: SnapshotAsking<Line>,
    /// The cost of the next moves.
    cost: Cost,
}

/// The cost of the answer to a question.
fn cost(question: &Question, limits: &Limits) -> Cost {
    match question {
        Question::Probe(probe) => Cost::probes(1, usize::from(probe.moves)),
        Question::Play(play) if is_tricky(&play.policy) => Cost::batch(1),
        // A tricky player also probes the replies to all of its moves.
        Question::Line(line) if is_tricky(&line.defence) => Cost::scan(1),
        Question::Line(_) | Question::LichessLine(_) => Cost::batch(1),
        Question::Batch(batch) => Cost::probes(batch.fens.len(), if batch.moves { batch.fens.len() } else { 0 }),
        Question::SaveStatistics(totals) => Cost::scan((totals.sample as usize).max(1)),
        Question::Tables(_) | Question::Materials(_) | Question::Statistics(_) | Question::Examples(_) => Cost::scan(1),
        Question::Analyse(games) => Cost::batch((games.pgn.len() / BYTES_OF_POSITION).clamp(1, limits.batch)),
        Question::Categorise(_) => Cost::probes(1, 0),
        Question::Play(_) | Question::Explore(_) | Question::Lichess(_) | Question::Moves(_) | Question::Study(_) => {
            Cost::probes(1, 1)
        }
    }
}

fn is_tricky(policy: &Option<Field<Policy>>) -> bool {
    policy.as_ref().and_then(Field::value) == Some(&Policy::Tricky)
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

    pub(super) fn door(&self) -> Door {
        Door { remedy: REMEDY, most_positions: self.pools.limits.batch }
    }

    fn begin<Q: Ask>(&self, question: Q) -> Result<SnapshotAsking<Q>, Failure> {
        Asking::new(question, self.prober(), self.door()).map_err(|refusal| {
            self.pools.metrics.positions.inc();
            refusal.into()
        })
    }

    /// The answer to a question, in the format of a protocol: it is formatted within its job.
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        context: &RequestContext,
        question: impl Into<Question>,
        format: fn(Answer) -> T,
    ) -> Result<(T, Grant), Failure> {
        let question = question.into();
        let cost = cost(&question, &self.pools.limits);
        let spare = match question {
            // The sample ends early enough to finish the answer.
            Question::SaveStatistics(_) => Duration::from_millis(500).min(context.time / 4),
            _ => Duration::ZERO,
        };
        let mut asking = self.begin(question)?;
        let work = move |check: &CancellationCheck| {
            let answer = steps(&mut asking, spare, check, || !check.is_slice_over())?;
            Some(answer.map_ok(|answer| {
                if let Answer::Batch(items) = &answer {
                    log_refusals(items);
                }
                format(answer)
            }))
        };
        let (answer, permits) = self.jobs.run_in_slices(context, cost, false, work).await?;
        Ok((answer?, permits))
    }

    /// The answers to a piece of a stream of positions, which waits for its place.
    pub(crate) async fn next_of_stream<T: Send + 'static>(
        &self,
        context: &RequestContext,
        questions: Vec<(Field<Reading>, bool)>,
        format: fn(BatchItem) -> T,
    ) -> Result<(Vec<T>, Grant), Failure> {
        let with_moves = questions.iter().filter(|(_, with_moves)| *with_moves).count();
        let cost = Cost::probes(questions.len(), with_moves);
        let mut asking = Asking::new(Positions(questions), self.prober(), self.door())?;
        let work = move |check: &CancellationCheck| {
            let items = steps(&mut asking, Duration::ZERO, check, || !check.is_slice_over())?;
            Some(items.map_ok(|items| {
                log_refusals(&items);
                items.into_iter().map(format).collect()
            }))
        };
        let (answers, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        Ok((answers?, permits))
    }

    /// The start of a line: the verdict on its position.
    pub(crate) async fn begin_line(
        &self,
        context: &RequestContext,
        line: Line,
    ) -> Result<(LineUnderWay, Grant), Failure> {
        let cost = cost(&line.clone().into(), &self.pools.limits);
        let mut asking = self.begin(line)?;
        let work = move |check: &CancellationCheck| {
            Some(match steps(&mut asking, Duration::ZERO, check, || false)? {
                Poll::Ready(Err(failure)) => Err(failure),
                _ => Ok(asking),
            })
        };
        let (asking, permits) = self.jobs.run(context, Cost::probes(1, 0), work).await?;
        Ok((LineUnderWay { asking: asking?, cost }, permits))
    }

    /// Finds the next moves of a line, and waits for a place to do so. After the last, the answer is there.
    pub(crate) async fn line_on(
        &self,
        context: &RequestContext,
        LineUnderWay { mut asking, cost }: LineUnderWay,
    ) -> Result<(Option<Box<LineAnswer>>, LineUnderWay, Grant), Failure> {
        let work = move |check: &CancellationCheck| {
            Some(match steps(&mut asking, Duration::ZERO, check, || !check.is_slice_over())? {
                Poll::Ready(answer) => answer.map(|answer| (Some(answer), asking)),
                Poll::Pending => Ok((None, asking)),
            })
        };
        let (walked, permits) = self.jobs.run_when_possible(context, cost, at_once(work)).await?;
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

/// Takes steps of a question, which may block on the disk, until it has its answer or `goes_on` returns false; `None`
/// if nobody waits for it any more. A search within it ends early enough to leave `spare` time.
fn steps<Q: Ask>(
    asking: &mut SnapshotAsking<Q>,
    spare: Duration,
    check: &CancellationCheck,
    goes_on: impl Fn() -> bool,
) -> Option<Poll<Result<Q::Answer, Failure>>> {
    loop {
        if check.is_cancelled() {
            return None;
        }
        match asking.go_on_while(&|| check.has_time(spare)) {
            Step::More if goes_on() => {}
            Step::More => return Some(Poll::Pending),
            Step::Done(answer) => return Some(Poll::Ready(Ok(answer))),
            Step::Refused(refusal) => return Some(Poll::Ready(Err(refusal.into()))),
            // The files are here.
            Step::Wants => return None,
        }
    }
}

/// Writes the refusals of positions to the log.
fn log_refusals(items: &[BatchItem]) {
    for item in items {
        if let BatchItem::Refused(refusal) = item {
            log_refusal(refusal);
        }
    }
}
