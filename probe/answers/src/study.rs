//! Everything that a person wants to read about a position.

use makruk_probe::{
    Analysis, KnownMoves, Line, LineEnd, LineMove, LineStep, MAX_LINE_PLIES, Policy, ProbeError, Prober, Sacrifice,
    ValueSource,
};
use makruk_rules::{Fen, Reading};
use serde::Serialize;

use crate::explored::sacrifices;
use crate::{LineMoveAnswer, PositionAnswer, Refusal, Remedy, SacrificeAnswer, UnknownMoveAnswer};

/// A position with its moves and lines, of which `query` makes its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyAnswer {
    /// The position.
    #[serde(flatten)]
    pub position: PositionAnswer,
    /// The legal moves that have verdicts, best first.
    pub moves: Vec<LineMoveAnswer>,
    /// The other legal moves.
    pub unknown_moves: Vec<UnknownMoveAnswer>,
    /// The moves that the winner is short, if the count draws and the number is known.
    pub short_by: Option<u32>,
    /// A sacrifice that saves the draw, if there is one: an offered man before an abandoned one.
    pub sacrifice: Option<SacrificeStudy>,
    /// Best play. A drawn position has none.
    pub line: Vec<LineMoveAnswer>,
    /// The reason why the line ends.
    pub end: LineEnd,
    /// The failure of a table without which the line cannot continue; `end` is then `truncated`.
    pub line_failure: Option<String>,
}

/// A saving sacrifice, and the reason why it saves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SacrificeStudy {
    /// The sacrifice.
    #[serde(flatten)]
    pub sacrifice: SacrificeAnswer,
    /// The number of other saving sacrifices.
    pub others: usize,
    /// The sacrifice, its acceptance, and the mate that comes too late.
    pub line: Vec<LineMoveAnswer>,
    /// The reason why the line ends.
    pub end: LineEnd,
}

impl StudyAnswer {
    /// Studies a position that was read.
    ///
    /// # Errors
    ///
    /// If the position's table is missing or fails.
    pub(crate) fn find<S: ValueSource>(
        prober: &Prober<S>,
        reading: &Reading,
        remedy: Remedy,
    ) -> Result<StudyAnswer, ProbeError> {
        let analysis = prober.analysis(&reading.fen)?;
        let (root, KnownMoves { ranked, unknown }) = (analysis.root(), analysis.known_moves());
        let (line, failure) = line(prober, &analysis);
        let made = |&mv| LineMoveAnswer::made(prober, &reading.fen, root, mv);
        let unknown = unknown.into_iter().map(|mv| UnknownMoveAnswer::new(&root.position, mv, remedy));
        Ok(StudyAnswer {
            position: PositionAnswer::read(reading, analysis.verdict().clone()),
            short_by: analysis.short_by().unwrap_or(None),
            sacrifice: SacrificeStudy::find(prober, root, &sacrifices(prober, &analysis, &ranked)).unwrap_or(None),
            moves: ranked.iter().map(made).collect(),
            unknown_moves: unknown.collect(),
            line: answers(line.moves),
            end: line.end,
            line_failure: failure.map(|error| Refusal::of(error, remedy).error),
        })
    }
}

impl SacrificeStudy {
    fn find<S: ValueSource>(
        prober: &Prober<S>,
        root: &Fen,
        sacrifices: &[Sacrifice],
    ) -> Result<Option<SacrificeStudy>, ProbeError> {
        let Some(sacrifice) = sacrifices.iter().find(|sacrifice| sacrifice.offered).or(sacrifices.first()) else {
            return Ok(None);
        };
        let offered = LineMove::new(prober.rules(), root, prober.rank_move(root, sacrifice.mv)?);
        let taken = prober.rank_move(&offered.after, sacrifice.capture)?;
        let taken = LineMove::new(prober.rules(), &offered.after, taken);
        let rest = prober.line_without_count(&taken.after)?;
        Ok(Some(SacrificeStudy {
            sacrifice: SacrificeAnswer::new(&root.position, sacrifice),
            others: sacrifices.len() - 1,
            line: answers([offered, taken].into_iter().chain(rest.moves)),
            end: rest.end,
        }))
    }
}

/// Best play, as far as the tables of all moves are there, and the failure after that.
fn line<S: ValueSource>(prober: &Prober<S>, analysis: &Analysis<'_, S>) -> (Line, Option<ProbeError>) {
    if let Ok(line) = analysis.principal_variation() {
        return (line.clone(), None);
    }
    let mut line = Line { moves: Vec::new(), end: LineEnd::Truncated };
    for step in prober.line(analysis.fen(), Policy::Safest, MAX_LINE_PLIES) {
        match step {
            Ok(LineStep::Move(mv)) => line.moves.push(mv),
            Ok(LineStep::End(end)) => line.end = end,
            Err(error) => return (line, Some(error)),
        }
    }
    (line, None)
}

/// The moves of a line in which the count is claimed.
fn answers(line: impl IntoIterator<Item = LineMove>) -> Vec<LineMoveAnswer> {
    line.into_iter().map(|mv| LineMoveAnswer { made: mv, unclaimed: None }).collect()
}
