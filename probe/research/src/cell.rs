//! What a cell of a set's table is worth.

use makruk_tables::value::Wdl;

use makruk_probe::Category;

/// The worth of a cell, from the side to move, if the count begins now. Ordered: the better, the higher.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Cell {
    /// No legal position.
    #[default]
    Nothing,
    /// Lost.
    Loss,
    /// Lost without the count, drawn by it: a save.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won without the count, drawn by it.
    CursedWin,
    /// Won, but only because the count begins with the defender's next move: one move less, and it would be a cursed win.
    WinJustInTime,
    /// Won.
    Win,
}

impl Cell {
    /// The category; `None` where there is no legal position.
    pub const fn category(self) -> Option<Category> {
        Some(match self {
            Cell::Nothing => return None,
            Cell::Loss => Category::Loss,
            Cell::BlessedLoss => Category::BlessedLoss,
            Cell::Draw => Category::Draw,
            Cell::CursedWin => Category::CursedWin,
            Cell::WinJustInTime | Cell::Win => Category::Win,
        })
    }

    /// The cell of a WDL value.
    pub(super) const fn of_wdl(wdl: Wdl) -> Cell {
        match wdl {
            Wdl::Loss => Cell::Loss,
            Wdl::BlessedLoss => Cell::BlessedLoss,
            Wdl::Draw => Cell::Draw,
            Wdl::CursedWin => Cell::CursedWin,
            Wdl::WinInTimeIfAttackerMoves => Cell::WinJustInTime,
            Wdl::Win => Cell::Win,
        }
    }

    /// What a move is worth to the side that makes it, this being what it leads to. The move was the first that counts.
    pub(super) const fn before(self) -> Cell {
        match self {
            Cell::Nothing => Cell::Nothing,
            Cell::Win => Cell::Loss,
            Cell::WinJustInTime | Cell::CursedWin => Cell::BlessedLoss,
            Cell::Draw => Cell::Draw,
            Cell::BlessedLoss => Cell::CursedWin,
            Cell::Loss => Cell::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_ordered_as_categories_are() {
        let cells = Wdl::ALL.map(Cell::of_wdl);
        assert!(cells.is_sorted() && cells[0] > Cell::Nothing);
        for (cell, wdl) in cells.into_iter().zip(Wdl::ALL) {
            assert_eq!(cell.category(), Some(wdl.category()));
            assert_eq!(cell.before(), Cell::of_wdl(wdl.one_ply_earlier()));
        }
        assert_eq!(Cell::Nothing.category(), None);
    }
}
