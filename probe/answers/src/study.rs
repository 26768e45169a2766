//! Everything that a person wants to read about a position.

use makruk_probe::{Analysis, LineEnd, LineMove, ProbeError, Prober, ValueSource};
use makruk_tables::rules::Reading;
use serde::Serialize;

use crate::{LineMoveAnswer, PositionAnswer, SacrificeAnswer};

/// A position with its moves and lines, of which `query` makes its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StudyAnswer {
    /// The position.
    #[serde(flatten)]
    pub position: PositionAnswer,
    /// The legal moves, best first.
    pub moves: Vec<LineMoveAnswer>,
    /// The moves that the winner is short, if the count draws and the number is known.
    pub short_by: Option<u32>,
    /// A sacrifice that saves the draw, if there is one: an offered man before an abandoned one.
    pub sacrifice: Option<SacrificeStudy>,
    /// Best play. A drawn position has none.
    pub line: Vec<LineMoveAnswer>,
    /// The reason why the line ends.
    pub end: LineEnd,
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
    /// If a table is missing or damaged.
    pub(crate) fn find<S: ValueSource>(prober: &Prober<S>, reading: &Reading) -> Result<StudyAnswer, ProbeError> {
        let analysis = prober.analysis(&reading.fen)?;
        let moves = analysis.moves()?.iter();
        let line = analysis.principal_variation()?;
        Ok(StudyAnswer {
            position: PositionAnswer::read(reading, analysis.verdict()),
            moves: moves.map(|&mv| LineMoveAnswer::made(prober, &reading.fen, analysis.root(), mv)).collect(),
            short_by: analysis.short_by()?,
            sacrifice: SacrificeStudy::find(prober, &analysis)?,
            line: answers(line.moves.clone()),
            end: line.end,
        })
    }
}

impl SacrificeStudy {
    fn find<S: ValueSource>(
        prober: &Prober<S>,
        analysis: &Analysis<'_, S>,
    ) -> Result<Option<SacrificeStudy>, ProbeError> {
        let (root, sacrifices) = (analysis.root(), analysis.sacrifices()?);
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

/// The moves of a line in which the count is claimed.
fn answers(line: impl IntoIterator<Item = LineMove>) -> Vec<LineMoveAnswer> {
    line.into_iter().map(|mv| LineMoveAnswer::new(mv, None)).collect()
}
