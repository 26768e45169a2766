//! The kinds of positions that a search lists.

use std::fmt;
use std::str::FromStr;

use makruk_tables::rules::Category;
use thiserror::Error;

use crate::zugzwang::MutualZugzwang;

/// The kind of positions that a search lists. No count runs in any of them: it begins with the defender's next move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PositionKind {
    /// Count saves: the side to move loses without the count and draws under it.
    #[default]
    Saves,
    /// Wins: the side to move wins under the count.
    Wins,
    /// Mutual zugzwangs under the count: each side's result is worse if it is to move.
    Zugzwangs,
}

/// The error of a text that is not a kind of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unknown kind of positions: expected saves, wins or zugzwangs")]
pub struct ParseKindError;

impl PositionKind {
    /// Every kind.
    pub const ALL: [PositionKind; 3] = [PositionKind::Saves, PositionKind::Wins, PositionKind::Zugzwangs];

    /// `saves`, `wins` or `zugzwangs`.
    pub const fn name(self) -> &'static str {
        match self {
            PositionKind::Saves => "saves",
            PositionKind::Wins => "wins",
            PositionKind::Zugzwangs => "zugzwangs",
        }
    }

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

impl fmt::Display for PositionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PositionKind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<PositionKind, ParseKindError> {
        PositionKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(ParseKindError)
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
        assert_eq!("save".parse::<PositionKind>(), Err(ParseKindError));
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
