//! A position with everything that a record may have.

use makruk_probe::{RankedMove, Verdict};
use makruk_tables::rules::{Color, Fen};

/// A position with its verdict under its count and, if it was asked for, its best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The position; its count is the one that was drawn or that ran in the game.
    pub fen: Fen,
    /// The verdict.
    pub verdict: Verdict,
    /// The best move under the count.
    pub best: Option<RankedMove>,
}

impl TrainingPosition {
    /// The plies before the position, by the number of the move: 0 or 1 in a position that was drawn.
    pub fn plies_before(&self) -> u32 {
        let black = u32::from(self.fen.position.turn() == Color::Black);
        self.fen.fullmove.saturating_sub(1).saturating_mul(2).saturating_add(black)
    }
}
