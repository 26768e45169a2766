//! Material: the men on the board, and their canonical name.
//!
//! - [`Material`]: the men of both sides, such as `KRRvKR`; its captures lead to other materials, its *children*;
//! - [`MaterialSide`]: the men of one side;
//! - [`Orientation`]: the colours of a board against those of its material's canonical name.

#[allow(clippy::module_inception)] // named for the type that it holds
mod material;
mod orientation;
mod side;

pub use material::{Material, Oriented, ParseMaterialError, UnsupportedMaterial};
pub use orientation::Orientation;
pub use side::MaterialSide;

/// The most men, kings included, that a material may have.
pub const MAX_MEN: usize = 7;
