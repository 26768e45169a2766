//! The address of a position in its table.
//!
//! - The *slab* is the pair of kings, folded by the material's [`Symmetry`] ([`KingPairs`]).
//! - The *offset* is the place within the slab: mixed radix over the [`Layout`]'s axes, like men as one digit ([`rank`]).
//! - The *number* is `slab * slab_len + offset`: one integer for a position of a side to move, for tools.
//! - A slab consists of *stripes*: the 64 placements of one *fast piece* while the other men, the *fixed pieces*, do not
//!   move ([`Stripes`]). Tables are coded stripe by stripe.
//!
//! Folding and ranking are separate, and each is a bijection.

mod kings;
mod layout;
pub mod rank;
mod stripes;
mod symmetry;

pub use kings::{KingPairs, Pair};
pub use layout::{Axis, Layout, Placement};
pub use rank::MAX_AXES;
pub use stripes::{FixedSquares, StripeFeatures, Stripes};
pub use symmetry::{Symmetry, Transform};
