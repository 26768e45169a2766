//! The result of a position under the count.

use std::str::FromStr;

use super::UnknownTextError;

/// The result of a position with best play under the count, seen from the side to move (for a move: from the side that
/// makes it).
///
/// Ordered from worst to best.
///
/// ```
/// use makruk_rules::Category;
///
/// let category: Category = "blessed-loss".parse()?;
/// assert_eq!(category.flip(), Category::CursedWin);
/// assert!(category.is_drawn() && category < Category::Draw);
/// # Ok::<(), makruk_rules::UnknownTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename_all = "kebab-case"))]
pub enum Category {
    /// Lost, also under the count.
    Loss,
    /// Lost without the count, drawn by it.
    BlessedLoss,
    /// Drawn: neither side forces mate.
    Draw,
    /// Won without the count, drawn by it.
    CursedWin,
    /// Won, also under the count.
    Win,
}

crate::names! {
    Category: Loss = "loss", BlessedLoss = "blessed-loss", Draw = "draw", CursedWin = "cursed-win", Win = "win"
}

impl Category {
    /// The same result, seen by the other side.
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

    /// Whether the game is drawn with best play by both sides.
    pub const fn is_drawn(self) -> bool {
        matches!(self, Category::BlessedLoss | Category::Draw | Category::CursedWin)
    }
}

impl FromStr for Category {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<Category, UnknownTextError> {
        let expected = "a category: expected loss, blessed-loss, draw, cursed-win or win";
        let named = Category::ALL.into_iter().find(|category| category.name() == text);
        named.ok_or_else(|| UnknownTextError::new(text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for category in Category::ALL {
            assert_eq!(category.to_string().parse(), Ok(category));
            assert_eq!(category.flip().flip(), category);
        }
        assert!(Category::ALL.is_sorted() && Category::ALL.map(Category::flip).iter().rev().is_sorted());
        assert!("Win".parse::<Category>().is_err());
    }
}
