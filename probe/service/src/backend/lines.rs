//! Lines and moves of perfect players.

use std::sync::Arc;

use makruk_probe::{LineEnd, LineIter, LineMove, LineStep, MAX_LINE_PLIES, Policy, ProbeError, RankedMove};
use makruk_tables::rules::{Fen, Reading};

use crate::admission::jobs::Cost;
use crate::admission::pool::Grant;
use crate::admission::request_context::{CancellationCheck, RequestContext};
use crate::backend::backend::{AnswerFormat, Backend};
use crate::status::Failure;
use crate::tables::snapshot::TableSnapshot;

/// The most steps of a line that one job finds.
const STEPS_PER_JOB: usize = 64;

/// A line whose next steps can be found.
pub(crate) struct SnapshotWalk {
    steps: LineIter<Arc<TableSnapshot>>,
    /// The cost of the next steps.
    cost: Cost,
}

/// A perfect player's move.
pub(crate) struct MoveMade<T> {
    pub(crate) position: T,
    /// The move, the position before it, and the position after it; `None` if the game is over.
    pub(crate) made: Option<(RankedMove, Fen, Fen)>,
}

impl Backend {
    /// The start of a line: the value of the position, and the walk that finds its moves.
    pub(crate) async fn line<T: Send + 'static>(
        &self,
        context: &RequestContext,
        text: Arc<str>,
        defence: Policy,
        max_plies: u32,
        format: AnswerFormat<T>,
    ) -> Result<((T, SnapshotWalk), Grant), Failure> {
        let prober = self.tables.prober();
        let most = match max_plies {
            0 => MAX_LINE_PLIES,
            most => MAX_LINE_PLIES.min(most as usize),
        };
        let cost = cost_of(defence);
        let work = move |_: &CancellationCheck| {
            let begin = || {
                let reading = Reading::parse(&text)?;
                let start = format(&reading, &prober.probe(&reading.fen)?, None);
                let steps = LineIter::new(prober.clone(), &reading.fen, defence, most);
                Ok::<_, ProbeError>((start, steps))
            };
            let begun = begin();
            Some(begun.map(|(start, steps)| (start, SnapshotWalk { steps, cost })))
        };
        let (begun, permits) = self.jobs.run(context, Cost::probes(1, 0), work).await?;
        Ok((begun?, permits))
    }

    /// The next moves of a line; the last of them is followed by the reason why the line ends.
    pub(crate) async fn walk_on(
        &self,
        context: &RequestContext,
        mut line: SnapshotWalk,
    ) -> Result<((Vec<LineStep>, SnapshotWalk), Grant), Failure> {
        let cost = line.cost;
        let work = move |check: &CancellationCheck| {
            let mut steps = Vec::new();
            while steps.len() < STEPS_PER_JOB {
                if check.is_cancelled() {
                    return None;
                }
                match line.steps.next() {
                    Some(Ok(step)) => steps.push(step),
                    Some(Err(error)) => return Some(Err(error)),
                    None => break,
                }
            }
            Some(Ok((steps, line)))
        };
        let (walked, permits) = self.jobs.run_when_possible(context, cost, work).await?;
        Ok((walked?, permits))
    }

    /// Follows a line to its end: calls `visit` with each move, and returns the reason why the line ends.
    pub(crate) async fn walk_to_end(
        &self,
        context: &RequestContext,
        mut walk: SnapshotWalk,
        mut permits: Grant,
        mut visit: impl FnMut(&LineMove) + Send,
    ) -> Result<(LineEnd, Grant), Failure> {
        loop {
            drop(permits);
            let ((steps, rest), of_steps) = self.walk_on(context, walk).await?;
            (walk, permits) = (rest, of_steps);
            for step in &steps {
                match step {
                    LineStep::Move(mv) => visit(mv),
                    LineStep::End(end) => return Ok((*end, permits)),
                }
            }
        }
    }

    /// The move of a perfect player.
    pub(crate) async fn play<T: Send + 'static>(
        &self,
        context: &RequestContext,
        text: Arc<str>,
        policy: Policy,
        format: AnswerFormat<T>,
    ) -> Result<(MoveMade<T>, Grant), Failure> {
        let prober = self.tables.prober();
        let work = move |_: &CancellationCheck| {
            let play = || {
                let reading = Reading::parse(&text)?;
                let position = format(&reading, &prober.probe(&reading.fen)?, None);
                let fen = reading.fen;
                let made = prober.play(&fen, policy)?.map(|mv| {
                    let after = prober.resolved(&fen).play(prober.rules(), mv.mv);
                    (mv, fen, after)
                });
                Ok::<_, ProbeError>(MoveMade { position, made })
            };
            Some(play())
        };
        let cost = if policy == Policy::Tricky { Cost::batch(1) } else { Cost::probes(1, 1) };
        let (played, permits) = self.jobs.run(context, cost, work).await?;
        Ok((played?, permits))
    }
}

/// The cost of some steps of a line. A tricky player also probes the replies to all of its moves.
fn cost_of(defence: Policy) -> Cost {
    if defence == Policy::Tricky { Cost::scan(1) } else { Cost::batch(1) }
}
