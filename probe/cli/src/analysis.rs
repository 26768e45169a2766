//! The analysis of a position: everything that `query` prints for people.

use makruk_probe::{Category, Line, LineMove, ProbeError, Prober, RankedMove, Sacrifice, Verdict};
use makruk_tables::rules::Fen;

/// The analysis of a position.
pub(crate) struct PositionAnalysis {
    /// The position as given.
    pub(crate) fen: Fen,
    /// The position with its count resolved.
    pub(crate) root: Fen,
    pub(crate) verdict: Verdict,
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
        let verdict = prober.probe(fen)?;
        let root = prober.resolved(fen);
        let sacrifice = match verdict.category {
            Category::BlessedLoss => SacrificeLine::read(prober, &root)?,
            _ => None,
        };
        Ok(PositionAnalysis {
            moves: prober.moves(fen)?,
            short_by: prober.short_by(fen)?,
            line: prober.principal_variation(fen)?,
            fen: fen.clone(),
            root,
            verdict,
            sacrifice,
        })
    }
}

impl SacrificeLine {
    /// The sacrifice that is shown of a blessed loss: an offered man before an abandoned one.
    fn read(prober: &Prober, root: &Fen) -> Result<Option<SacrificeLine>, ProbeError> {
        let sacrifices = prober.sacrifices(root)?;
        let Some(&sacrifice) = sacrifices.iter().find(|sacrifice| sacrifice.offered).or(sacrifices.first()) else {
            return Ok(None);
        };
        let offered = root.play(prober.rules(), sacrifice.mv);
        let taken = offered.play(prober.rules(), sacrifice.capture);
        let mut line = prober.line_without_count(&taken)?;
        let mut opening = Vec::new();
        for (before, mv, after) in [(root, sacrifice.mv, &offered), (&offered, sacrifice.capture, &taken)] {
            let san = mv.to_san(&before.position);
            opening.push(LineMove { ranked: prober.judge_move(before, mv)?, san, after: after.clone() });
        }
        line.moves.splice(0..0, opening);
        Ok(Some(SacrificeLine { sacrifice, others: sacrifices.len() - 1, line }))
    }
}
