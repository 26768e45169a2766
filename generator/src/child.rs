//! Tables that captures lead to.
//!
//! A child is read slab by slab, into cells as the solver lays them out: full squares on every axis, like men told
//! apart. Only cells whose legality the parent has worked out itself are ever asked for.

use makruk_tables::format::{Metric, Value};
use makruk_tables::index::{Layout, MAX_AXES};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Square};

use crate::error::BuildError;

/// Where the values of smaller sets come from: files, or sets still in memory. A bare-king set has the same values under
/// both metrics.
pub trait Children: Sync {
    /// The values that occur on a side, ascending.
    ///
    /// # Errors
    ///
    /// If the child's table is missing or cannot be read.
    fn values(&self, child: Material, metric: Metric, side: Color) -> Result<Vec<Value>, BuildError>;

    /// Reads one slab in the file's order, [`Layout::slab_len`] codes: places in the list of [`values`](Children::values).
    /// Those of what is no legal position mean nothing, but are places in it too.
    ///
    /// # Errors
    ///
    /// As [`values`](Children::values).
    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError>;

    /// Is a slab of a side worth keeping for the next who asks? What takes long to read is, unless it is large.
    ///
    /// # Errors
    ///
    /// As [`values`](Children::values).
    fn is_worth_keeping(&self, child: Material, metric: Metric, side: Color) -> Result<bool, BuildError>;
}

/// Where each cell of a slab is in the file's order; cells in which like men share a square have no place.
pub(crate) fn cell_offsets(layout: &Layout) -> Vec<u32> {
    let men: Vec<_> = layout.men().collect();
    (0..1u64 << (6 * men.len()))
        .map(|cell| {
            let squares: arrayvec::ArrayVec<Square, MAX_AXES> =
                (0..men.len()).map(|man| Square::new((cell >> (6 * (men.len() - 1 - man)) & 63) as u8)).collect();
            let shared = (1..men.len()).any(|b| (0..b).any(|a| men[a] == men[b] && squares[a] == squares[b]));
            if shared { u32::MAX } else { layout.offset(&squares) as u32 }
        })
        .collect()
}
