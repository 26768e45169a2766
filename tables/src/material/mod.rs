//! Material sets: which men stand on the board, and how a set is named.

mod men;
mod set;

pub use men::Men;
pub use set::{Material, ParseMaterialError, UnsupportedMaterial};

/// The most men, kings included, that a set may have.
pub const MAX_MEN: usize = 7;
