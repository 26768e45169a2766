//! A position's place in its table.
//!
//! Two kings are folded by the set's [`Symmetry`] into a [`KingPairs`] slab; the other men follow in the order of the
//! [`Layout`]'s axes, like men ranked together ([`rank`]). Folding and ranking are separate and each can be undone.

mod kings;
mod layout;
pub mod rank;
mod stripes;
mod symmetry;

pub use kings::{KingPairs, Pair};
pub use layout::{Axis, Layout, MAX_AXES, Placement};
pub use stripes::{Outer, StripeFeatures, Stripes};
pub use symmetry::{Symmetry, Transform};
