//! Questions, answered in jobs.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use makruk_answers::{Ask, Asking, BatchItem, Door, Field, Line, LineAnswer, Positions, Step};
use makruk_probe::Prober;
use makruk_rules::Reading;

use crate::admission::jobs::Cost;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::Backend;
use crate::backend::served::Served;
use crate::status::{Failure, REMEDY};
use crate::tables::snapshot::TableSnapshot;

/// The most steps of a line that one job finds.
const STEPS_PER_JOB: usize = 64;

/// A question under way over the tables of one snapshot.
type SnapshotAsking<Q> = Asking<Prober<Arc<TableSnapshot>>, Q>;

/// A line under way, whose next moves can be found.
pub(crate) struct LineUnderWay<Q: Ask> {
    asking: SnapshotAsking<Q>,
    /// The cost of the next moves.
    cost: Cost,
}

impl Backend {
    pub(super) fn door(&self) -> Door {
        Door { remedy: REMEDY, most_positions: self.pools.limits.batch }
    }

    fn begin<Q: Ask>(&self, question: Q) -> Result<SnapshotAsking<Q>, Failure> {
        Asking::new(question, self.prober(), self.door()).map_err(|refusal| {
            self.pools.metrics.positions.inc();
            refusal.into()
        })
    }

    /// The answer to a question, in the format of a protocol. Unless it is a line, it is formatted within its job.
    pub(crate) async fn answer<Q: Served, T: Send + 'static>(
        &self,
        context: &RequestContext,
        question: Q,
        format: fn(Q::Answer) -> T,
    ) -> Result<(T, Grant), Failure> {
        if question.is_line() {
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
        let (cost, spare) = (question.cost(&self.pools.limits), question.spare(context));
        let mut asking = self.begin(question)?;
        let work = move |check: &CancellationCheck| loop {
            match steps(&mut asking, 1, spare, check)? {
                Ok(None) if check.is_slice_over() => return Some(Poll::Pending),
                Ok(None) => {}
                done => return Some(Poll::Ready(done.map(|answer| answer.map(format)))),
            }
        };
        let (answer, permits) = self.jobs.run_in_slices(context, cost, work).await?;
        Ok((answer?.ok_or_else(|| Failure::deadline(context.time))?, permits))
    }

    /// The answers to a piece of a stream of positions, which waits for its place.
    pub(crate) async fn next_of_stream<T: Send + 'static>(
        &self,
        context: &RequestContext,
        questions: Vec<(Field<Reading>, bool)>,
        format: fn(BatchItem) -> T,
    ) -> Result<(Vec<T>, Grant), Failure> {
        let question = Positions(questions);
        let cost = question.cost(&self.pools.limits);
        let mut asking = Asking::new(question, self.prober(), self.door())?;
        let work = move |check: &CancellationCheck| match steps(&mut asking, usize::MAX, Duration::ZERO, check)? {
            Ok(items) => Some(Ok(items?.into_iter().map(format).collect())),
            Err(failure) => Some(Err(failure)),
        };
        let (answers, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        Ok((answers?, permits))
    }

    /// The start of a line: the verdict on its position.
    pub(crate) async fn begin_line<Q: Served>(
        &self,
        context: &RequestContext,
        question: Q,
    ) -> Result<(LineUnderWay<Q>, Grant), Failure> {
        let cost = question.cost(&self.pools.limits);
        let mut asking = self.begin(question)?;
        let work = move |check: &CancellationCheck| Some(steps(&mut asking, 1, Duration::ZERO, check)?.map(|_| asking));
        let (asking, permits) = self.jobs.run(context, Cost::probes(1, 0), work).await?;
        Ok((LineUnderWay { asking: asking?, cost }, permits))
    }

    /// Finds the next moves of a line, and waits for a place to do so. After the last, the answer is there.
    pub(crate) async fn line_on<Q: Served>(
        &self,
        context: &RequestContext,
        LineUnderWay { mut asking, cost }: LineUnderWay<Q>,
    ) -> Result<(Option<Q::Answer>, LineUnderWay<Q>, Grant), Failure> {
        let work = move |check: &CancellationCheck| {
            Some(steps(&mut asking, STEPS_PER_JOB, Duration::ZERO, check)?.map(|answer| (answer, asking)))
        };
        let (walked, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        let (answer, asking) = walked?;
        Ok((answer, LineUnderWay { asking, cost }, permits))
    }
}

impl LineUnderWay<Line> {
    /// The line as far as it is known.
    pub(crate) fn line(&mut self) -> Option<&mut LineAnswer> {
        self.asking.line()
    }
}

/// Takes steps of a question, which may block on the disk, until it has its answer; `None` if nobody waits for it any
/// more. A sample ends early enough to leave `spare` time.
fn steps<Q: Served>(
    asking: &mut SnapshotAsking<Q>,
    most: usize,
    spare: Duration,
    check: &CancellationCheck,
) -> Option<Result<Option<Q::Answer>, Failure>> {
    for _ in 0..most {
        if check.is_cancelled() {
            return None;
        }
        match asking.go_on_while(&|| check.has_time(spare)) {
            Step::More => {}
            Step::Done(answer) => {
                Q::log(&answer);
                return Some(Ok(Some(answer)));
            }
            Step::Refused(refusal) => return Some(Err(refusal.into())),
            // The files are here.
            Step::Wants => return None,
        }
    }
    Some(Ok(None))
}
