//! Moves.

use std::fmt;

use super::{Role, Square};

/// A move: where from, where to, and whether a pawn becomes a met by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
    /// Does a pawn reach its promotion rank? It then becomes a met, there is no choice.
    pub promotion: bool,
}

/// The legal moves of a position.
pub type MoveList = Vec<Move>;

/// UCI notation as Fairy-Stockfish writes it: `e5e6m` for a promotion.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        if self.promotion {
            write!(f, "{}", Role::Met.letter().to_ascii_lowercase())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
