//! The rule by which a count runs.

use std::fmt;

/// The rule of the count, of a position or of all positions of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CountRule {
    /// No count runs.
    ///
    /// Of a material: it has an unpromoted pawn, or two bare kings.
    None,
    /// Board's honour: both sides still have a piece.
    Board,
    /// Pieces' honour: a king is bare.
    Pieces,
}

impl CountRule {
    /// Every rule.
    pub const ALL: [CountRule; 3] = [CountRule::None, CountRule::Board, CountRule::Pieces];

    /// `none`, `board` or `pieces`.
    pub const fn name(self) -> &'static str {
        match self {
            CountRule::None => "none",
            CountRule::Board => "board",
            CountRule::Pieces => "pieces",
        }
    }
}

impl fmt::Display for CountRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
