//! The slabs that derived sides are derived from.

use super::slab_cache::SlabCache;
use makruk_format::index::SlabPart;

/// The place of a value among all that moves of a derived side may have, from the worst to the best, counted from 1.
pub(super) type Rank = u16;

/// The slabs that moves lead to, as the derived sides see them.
pub(super) type LeadSlabs = SlabCache<Rank, LeadSlab>;

/// A slab that moves lead to, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeadSlab {
    /// The number of the side that moves lead to.
    pub(super) lead: u64,
    pub(super) slab: usize,
    pub(super) part: Option<SlabPart>,
}
