//! The rule by which a count runs.

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

crate::names!(CountRule: None = "none", Board = "board", Pieces = "pieces");
