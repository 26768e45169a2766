//! One side to move of a table.

use std::fmt;
use std::sync::Arc;

use super::error::TableError;
use makruk_format::TableId;
use makruk_format::index::SlabPart;
use makruk_format::value::Value;
use makruk_rules::Color;

/// One side to move of a table, read by whole slabs, from any thread. The side may be stored,
/// derived, in memory or cached; readers do not depend on that.
///
/// Codes are places in the list of [`values`](SideReader::values): distances, or the scores of a category table.
pub trait SideReader<V = Value>: fmt::Debug + Send + Sync {
    /// The values that occur, each once.
    fn values(&self) -> &[V];

    /// The codes of a slab by offset, `Layout::slab_len` of them, into `codes`, which is cleared first. Cells that are
    /// not legal positions hold an arbitrary valid code.
    ///
    /// # Errors
    ///
    /// The table, or one that it is derived from, fails.
    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError>;

    /// As [`SideReader::slab`], of a part of the slab at least. Cells outside of the part hold an arbitrary valid code.
    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let _ = part;
        self.slab(slab, codes)
    }

    /// Whether a part of a slab, by the men of this axis, costs less to read than the slab.
    fn has_cheap_parts(&self, axis: usize) -> bool {
        let _ = axis;
        false
    }

    /// The cost of reading a slab.
    fn read_cost(&self) -> ReadCost;
}

/// The cost of reading a slab of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadCost {
    /// A copy.
    Copy,
    /// Decoding its blocks.
    Decode,
    /// Reading all slabs that its moves lead to.
    Derive,
}

/// Gives the sides of tables: a folder of tables, or tables in memory.
pub trait SideSource<V = Value>: Send + Sync {
    /// A side to move of a table, in the colours of the material's name.
    ///
    /// # Errors
    ///
    /// The table, or one that it is derived from, is missing or fails.
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader<V>>, TableError>;
}
