//! The values of WDL tables.

use crate::rules::Category;

/// The category of a position for a count that begins with the next move of the defender, from the side to move. Ordered
/// from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Wdl {
    /// Lost in time.
    Loss,
    /// Lost without the count, drawn with it.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won without the count, drawn with it.
    CursedWin,
    /// Won in time, but only because the attacker moves before the count begins. To an opponent whose move led here and was
    /// the first that counts, it is a blessed loss.
    WinInTimeIfAttackerMoves,
    /// Won in time, whichever side is to move when the count begins.
    Win,
}

impl Wdl {
    /// All of them, from the worst to the best.
    pub const ALL: [Wdl; 6] =
        [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::WinInTimeIfAttackerMoves, Wdl::Win];

    /// The category.
    #[inline]
    pub const fn category(self) -> Category {
        match self {
            Wdl::Loss => Category::Loss,
            Wdl::BlessedLoss => Category::BlessedLoss,
            Wdl::Draw => Category::Draw,
            Wdl::CursedWin => Category::CursedWin,
            Wdl::WinInTimeIfAttackerMoves | Wdl::Win => Category::Win,
        }
    }

    /// The value of a move to the side that makes it, this being the value of the position after it. The move is the first
    /// that counts.
    #[inline]
    #[must_use]
    pub const fn one_ply_earlier(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin | Wdl::WinInTimeIfAttackerMoves => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The value of a move that begins a count, to the side that makes it, this being the value of the position after it. That
    /// count begins with the defender's next move, as the value has it.
    #[inline]
    #[must_use]
    pub const fn conversion(self) -> Wdl {
        match self {
            Wdl::WinInTimeIfAttackerMoves => Wdl::Loss,
            Wdl::Loss | Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin | Wdl::Win => self.one_ply_earlier(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_turn_values_round() {
        assert!(Wdl::ALL.is_sorted());
        let earlier = [Wdl::Win, Wdl::CursedWin, Wdl::Draw, Wdl::BlessedLoss, Wdl::BlessedLoss, Wdl::Loss];
        assert_eq!(Wdl::ALL.map(Wdl::one_ply_earlier), earlier);
        for wdl in Wdl::ALL {
            let turned = wdl.one_ply_earlier().category();
            assert!(turned == wdl.category().flip() || wdl == Wdl::WinInTimeIfAttackerMoves);
            assert_eq!(wdl.conversion().category(), wdl.category().flip());
        }
    }
}
