//! The kinds of positions that a search lists.

use makruk_rules::Category;

use crate::named::named;
use crate::zugzwang::MutualZugzwang;

named! {
    /// The kind of positions that a search lists. No count runs in any of them: it begins with the defender's next
    /// move.
    #[derive(Default)]
    pub enum PositionKind("a kind of positions") {
        /// Count saves: the side to move loses without the count and draws under it.
        #[default]
        Saves = "saves",
        /// Wins: the side to move wins under the count.
        Wins = "wins",
        /// Mutual zugzwangs under the count: each side's result is worse if it is to move.
        Zugzwangs = "zugzwangs",
    }
}

impl PositionKind {
    /// Whether a cell with this value is of this kind. A zugzwang needs the value of the same men with the other side
    /// to move.
    pub(crate) fn includes(self, cell: Category, opposite: Option<Category>) -> bool {
        match self {
            PositionKind::Saves => cell == Category::BlessedLoss,
            PositionKind::Wins => cell == Category::Win,
            PositionKind::Zugzwangs => MutualZugzwang::of(Some(cell), opposite).with_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_by_their_names() {
        for kind in PositionKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let error = "save".parse::<PositionKind>().unwrap_err().to_string();
        assert_eq!(error, "\"save\" is not a kind of positions: expected one of saves, wins, zugzwangs");
    }

    #[test]
    fn kinds_include_cells_by_their_values() {
        let saves = |cell| PositionKind::Saves.includes(cell, None);
        assert!(saves(Category::BlessedLoss) && !saves(Category::Loss));
        assert!(PositionKind::Wins.includes(Category::Win, None));
        assert!(!PositionKind::Wins.includes(Category::CursedWin, None));
        assert!(PositionKind::Zugzwangs.includes(Category::Draw, Some(Category::Loss)));
        assert!(!PositionKind::Zugzwangs.includes(Category::Draw, None));
        assert!(!PositionKind::Zugzwangs.includes(Category::Draw, Some(Category::BlessedLoss)), "drawn either way");
    }
}
