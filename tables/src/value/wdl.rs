//! The values of WDL tables.

use super::distance::Value;
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

    /// The number by which the lists of table files know this value. The format has one kind of list for all metrics; the
    /// plies of these are no distances.
    #[inline]
    pub const fn to_value(self) -> Value {
        match self {
            Wdl::Draw => Value::Draw,
            Wdl::Win => Value::Win(1),
            Wdl::WinInTimeIfAttackerMoves => Value::Win(3),
            Wdl::CursedWin => Value::Win(5),
            Wdl::Loss => Value::Loss(2),
            Wdl::BlessedLoss => Value::Loss(4),
        }
    }

    /// The inverse of [`Wdl::to_value`]; `None` for a value that no WDL table lists.
    #[inline]
    pub const fn from_value(value: Value) -> Option<Wdl> {
        match value {
            Value::Draw => Some(Wdl::Draw),
            Value::Win(1) => Some(Wdl::Win),
            Value::Win(3) => Some(Wdl::WinInTimeIfAttackerMoves),
            Value::Win(5) => Some(Wdl::CursedWin),
            Value::Loss(2) => Some(Wdl::Loss),
            Value::Loss(4) => Some(Wdl::BlessedLoss),
            Value::Win(_) | Value::Loss(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_numbers_are_read_back() {
        for wdl in Wdl::ALL {
            assert_eq!(Wdl::from_value(wdl.to_value()), Some(wdl));
        }
        for value in [Value::Win(7), Value::Win(2), Value::Loss(0), Value::Loss(6)] {
            assert_eq!(Wdl::from_value(value), None);
        }
    }

    #[test]
    fn moves_turn_values_round() {
        assert!(Wdl::ALL.is_sorted());
        let earlier = [Wdl::Win, Wdl::CursedWin, Wdl::Draw, Wdl::BlessedLoss, Wdl::BlessedLoss, Wdl::Loss];
        assert_eq!(Wdl::ALL.map(Wdl::one_ply_earlier), earlier);
        for wdl in Wdl::ALL {
            let turned = wdl.one_ply_earlier().category();
            assert!(turned == wdl.category().flip() || wdl == Wdl::WinInTimeIfAttackerMoves);
        }
    }
}
