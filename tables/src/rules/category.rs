//! What a position is worth under the count.

use std::fmt;

/// The worth of a position under the count, from the side to move (or, for a move, from the side that makes it).
///
/// Ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Lost, also under the count.
    Loss,
    /// Lost without the count, drawn by it.
    BlessedLoss,
    /// Drawn: nobody forces mate.
    Draw,
    /// Won without the count, drawn by it.
    CursedWin,
    /// Won, also under the count.
    Win,
}

impl Category {
    /// Every category, the worst first.
    pub const ALL: [Category; 5] =
        [Category::Loss, Category::BlessedLoss, Category::Draw, Category::CursedWin, Category::Win];

    /// `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Loss => "loss",
            Category::BlessedLoss => "blessed-loss",
            Category::Draw => "draw",
            Category::CursedWin => "cursed-win",
            Category::Win => "win",
        }
    }

    /// The same seen by the other side.
    #[must_use]
    pub const fn flip(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::Win => Category::Loss,
        }
    }

    /// Is the game drawn, with best play by both?
    pub const fn is_drawn(self) -> bool {
        matches!(self, Category::BlessedLoss | Category::Draw | Category::CursedWin)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
