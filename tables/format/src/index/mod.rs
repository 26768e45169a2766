//! The address of a position in its table.
//!
//! - The *slab* is the pair of kings, folded by the material's [`Symmetry`] ([`KingPairs`]).
//! - The *offset* is the place within the slab: mixed radix over the [`Layout`]'s axes. Like men are one digit, the
//!   rank of their squares in the [`Region`] where such men may stand.
//! - The *number* is `slab * slab_len + offset`: one integer for a position of a side to move, for tools.
//! - A slab consists of *stripes*: the 64 placements of one *fast piece* while the other men, the *fixed pieces*, do
//!   not move ([`Stripes`]). Tables are coded stripe by stripe.
//!
//! A reader that needs only some squares of one man names a *part* of a slab ([`SlabPart`]). An [`ExitMap`] says where
//! men go by a move that leaves the material.
//!
//! Folding and ranking are separate, and each is a bijection.

mod exit_map;
mod kings;
mod layout;
mod region;
mod slab_part;
mod stripes;
mod symmetry;

pub use exit_map::{AxisMap, ExitMap, SlabMap};
pub use kings::{KingPairs, Pair};
pub use layout::{Axis, Layout, Placement};
pub use region::Region;
pub use slab_part::SlabPart;
pub(crate) use stripes::StripeFeatures;
pub use stripes::{FixedSquares, Stripes};
pub use symmetry::{Symmetry, Transform};

use crate::material::MAX_MEN;

/// The most men besides the kings, alike or not: the most axes of a layout, and the most squares of a rank.
pub const MAX_AXES: usize = MAX_MEN - 2;
