//! The analysis of a position: everything that `query` prints for people.

use makruk_answers::PositionAnswer;
use makruk_probe::{Analysis, Line, LineMove, ProbeError, Prober, RankedMove, Sacrifice, Tablebase};
use makruk_tables::rules::Fen;

/// The analysis of a position.
pub(crate) struct PositionAnalysis {
    /// The position as given.
    pub(crate) fen: Fen,
    /// The position with its count resolved.
    pub(crate) root: Fen,
    pub(crate) verdict: PositionAnswer,
    /// The legal moves, best first.
    pub(crate) moves: Vec<RankedMove>,
    /// The moves that the winner is short, if the count draws and the number is known.
    pub(crate) short_by: Option<u32>,
    pub(crate) sacrifice: Option<SacrificeLine>,
    /// Best play.
    pub(crate) line: Line,
}

/// A saving sacrifice, and the reason why it saves.
pub(crate) struct SacrificeLine {
    pub(crate) sacrifice: Sacrifice,
    /// The number of other saving sacrifices.
    pub(crate) others: usize,
    /// The sacrifice, its acceptance, and the mate that comes too late.
    pub(crate) line: Line,
}

impl PositionAnalysis {
    /// Analyses a position.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub(crate) fn read(prober: &Prober, fen: &Fen) -> Result<PositionAnalysis, ProbeError> {
        let analysis = prober.analysis(fen)?;
        Ok(PositionAnalysis {
            fen: fen.clone(),
            root: analysis.root().clone(),
            verdict: PositionAnswer::new(fen, analysis.verdict()),
            moves: analysis.moves()?.to_vec(),
            short_by: analysis.short_by()?,
            sacrifice: SacrificeLine::read(prober, &analysis)?,
            line: analysis.principal_variation()?.clone(),
        })
    }
}

impl SacrificeLine {
    /// The sacrifice that is shown of a blessed loss: an offered man before an abandoned one.
    fn read(prober: &Prober, analysis: &Analysis<'_, Tablebase>) -> Result<Option<SacrificeLine>, ProbeError> {
        let (root, sacrifices) = (analysis.root(), analysis.sacrifices()?);
        let Some(&sacrifice) = sacrifices.iter().find(|sacrifice| sacrifice.offered).or(sacrifices.first()) else {
            return Ok(None);
        };
        let offered = root.play(prober.rules(), sacrifice.mv);
        let taken = offered.play(prober.rules(), sacrifice.capture);
        let mut line = prober.line_without_count(&taken)?;
        let mut opening = Vec::new();
        for (before, mv, after) in [(root, sacrifice.mv, &offered), (&offered, sacrifice.capture, &taken)] {
            let san = mv.to_san(&before.position);
            opening.push(LineMove { ranked: prober.rank_move(before, mv)?, san, after: after.clone() });
        }
        line.moves.splice(0..0, opening);
        Ok(Some(SacrificeLine { sacrifice, others: sacrifices.len() - 1, line }))
    }
}
