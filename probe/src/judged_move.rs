//! A move that was played, judged against the best one.

use makruk_rules::{Move, Position};

use crate::mistake::Mistake;
use crate::ranked_move::RankedMove;

/// A move that was played, judged against the others of its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// Its verdict.
    pub ranked: RankedMove,
    /// Standard algebraic notation.
    pub san: String,
    /// The best move, in standard algebraic notation.
    pub best: String,
    /// The mistake, if it is one.
    pub mistake: Option<Mistake>,
}

impl JudgedMove {
    /// Judges a move by the ranked moves of its position; `None` if it is not among them.
    pub fn among(moves: &[RankedMove], position: &Position, mv: Move) -> Option<JudgedMove> {
        let (&ranked, best) = moves.iter().find(|ranked| ranked.mv == mv).zip(moves.first())?;
        let san = ranked.san(position);
        let best_san = if best.mv == mv { san.clone() } else { best.san(position) };
        Some(JudgedMove { ranked, san, best: best_san, mistake: Mistake::judge(best, &ranked) })
    }
}
