//! Moves.

use std::fmt;

use arrayvec::ArrayVec;

use super::{Role, Square};

/// A move: the square left, the square reached, and whether a pawn is promoted.
///
/// Written in UCI notation; read by [`Move::from_uci`] or [`Move::from_san`], which need the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, with = "String"))]
pub struct Move {
    /// The square left.
    pub from: Square,
    /// The square reached.
    pub to: Square,
    /// Whether a pawn reaches its promotion rank. It then becomes a met; there is no choice.
    pub promotion: bool,
}

impl Move {
    /// A key that sorts moves as their UCI notation does: files before ranks.
    pub const fn uci_order(self) -> (u8, u8, u8, u8, bool) {
        (self.from.file(), self.from.rank(), self.to.file(), self.to.rank(), self.promotion)
    }
}

/// More moves than any position has: a side's most men (two rooks, two knights, two khons, nine mets and the king) have
/// 98.
pub const MAX_MOVES: usize = 128;

/// The legal moves of a position, without allocation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_sort_as_their_notation_does() {
        let moves = Square::all().flat_map(|from| {
            Square::all().flat_map(move |to| [false, true].map(|promotion| Move { from, to, promotion }))
        });
        let mut moves: Vec<Move> = moves.collect();
        moves.sort_by_key(|mv| mv.uci_order());
        assert!(moves.windows(2).all(|two| two[0].to_string() < two[1].to_string()));
    }
}
