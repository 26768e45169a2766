//! The result of a position under the count.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::text::quoted;

/// The result of a position with best play under the count, seen from the side to move (for a move: from the side that
/// makes it).
///
/// Ordered from worst to best.
///
/// ```
/// use makruk_tables::rules::Category;
///
/// let category: Category = "blessed-loss".parse()?;
/// assert_eq!(category.flip(), Category::CursedWin);
/// assert!(category.is_drawn() && category < Category::Draw);
/// # Ok::<(), makruk_tables::rules::ParseCategoryError>(())
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

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no category.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} is not a category: expected loss, blessed-loss, draw, cursed-win or win", quoted(.found))]
pub struct ParseCategoryError {
    /// The text.
    pub found: String,
}

impl FromStr for Category {
    type Err = ParseCategoryError;

    fn from_str(text: &str) -> Result<Category, ParseCategoryError> {
        let named = Category::ALL.into_iter().find(|category| category.name() == text);
        named.ok_or_else(|| ParseCategoryError { found: text.to_owned() })
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
        assert!("Win".parse::<Category>().is_err());
    }
}
