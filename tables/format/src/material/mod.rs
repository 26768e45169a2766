//! Material: the men on the board, and their canonical name.
//!
//! - [`Material`]: the men of both sides, such as `KRRvKR`;
//! - [`Exit`]: a capture or a promotion, which leads to another material, a *child*;
//! - [`MaterialSide`]: the men of one side;
//! - [`Orientation`]: the colours of a board against those of its material's canonical name.

mod exit;
#[allow(clippy::module_inception)] // named for the type that it holds
mod material;
mod orientation;
mod side;

pub use exit::Exit;
pub use material::{Material, Oriented, ParseMaterialError, TooManyMen};
pub use orientation::Orientation;
pub use side::MaterialSide;

/// The most men, kings included, that a material may have.
pub const MAX_MEN: usize = 7;
