//! The figures of a material, in the shape of `makruk-gen info --json`.

use serde::{Deserialize, Serialize};

/// Figures of one side to move of a material, over the full board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Legal positions won by the side to move.
    pub win: u64,
    /// Legal positions that are drawn.
    pub draw: u64,
    /// Legal positions lost by the side to move.
    pub loss: u64,
    /// The longest win, in plies; 0 if there is none.
    pub max_win_plies: u16,
    /// The longest loss, in plies; 0 if there is none.
    pub max_loss_plies: u16,
}

/// Figures of a material in one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceTotals {
    /// With White to move.
    pub white: Totals,
    /// With Black to move.
    pub black: Totals,
}

/// Figures of a material; White is the first side of its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaterialTotals {
    /// The material's name, in the order that it was solved in.
    pub material: String,
    /// Plies to mate.
    pub dtm: DistanceTotals,
    /// Plies to the conversion, if that is a separate distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<DistanceTotals>,
}
