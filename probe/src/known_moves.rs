//! The moves of a position as far as the tables know them.

use makruk_rules::{Fen, Move};

use crate::error::ProbeError;
use crate::judge::Category;
use crate::prober::Prober;
use crate::ranked_move::{RankedMove, rank};
use crate::source::ValueSource;
use crate::verdict::Verdict;

/// The legal moves of a position: those with verdicts, and those whose tables are missing or fail.
#[derive(Debug, Default)]
pub struct KnownMoves {
    /// The moves with verdicts, best first.
    pub ranked: Vec<RankedMove>,
    /// The others by UCI notation, each with the reason why it has no verdict.
    pub unknown: Vec<(Move, ProbeError)>,
}

impl KnownMoves {
    /// The best move; `None` if there is no legal move, or if an unknown one may give a better result or win sooner. No
    /// move is better than the verdict on the position.
    pub fn best(&self, verdict: &Verdict) -> Option<&RankedMove> {
        let is_best = |mv: &&RankedMove| match verdict.category {
            category if mv.category != category => false,
            Category::Win | Category::Loss => mv.dtz == verdict.dtz,
            Category::CursedWin => mv.dtm == verdict.dtm,
            // A move that loses may take longer to mate than any that the count saves.
            Category::Draw | Category::BlessedLoss => true,
        };
        self.ranked.first().filter(|mv| self.unknown.is_empty() || is_best(mv))
    }
}

impl<S: ValueSource> Prober<S> {
    /// The legal moves as [`Prober::moves`] ranks them, and those of which that would fail.
    pub fn known_moves(&self, fen: &Fen) -> KnownMoves {
        let (root, mut known) = (self.resolved(fen), KnownMoves::default());
        for mv in root.position.legal_moves() {
            match self.rank_move(&root, mv) {
                Ok(ranked) => known.ranked.push(ranked),
                Err(error) => known.unknown.push((mv, error)),
            }
        }
        rank(&mut known.ranked);
        known.unknown.sort_by_key(|(mv, _)| mv.uci_order());
        known
    }
}
