//! Material sets: which men stand on the board, and how a set is named.

mod material;
mod orientation;
mod side;

pub use material::{Material, ParseMaterialError, UnsupportedMaterial};
pub use orientation::{Orientation, Oriented};
pub use side::MaterialSide;

/// The most men, kings included, that a set may have.
pub const MAX_MEN: usize = 7;
