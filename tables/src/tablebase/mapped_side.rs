//! A side whose values are seen in another way.

use std::sync::Arc;

use super::error::TableError;
use super::side::{ReadCost, SideReader};
use makruk_format::index::SlabPart;

/// A side to move, each value of which is turned into one of another type. Codes stay.
#[derive(Debug)]
pub(super) struct MappedSide<A, V> {
    reader: Arc<dyn SideReader<A>>,
    values: Vec<V>,
}

impl<A: Copy, V> MappedSide<A, V> {
    pub(super) fn new(reader: Arc<dyn SideReader<A>>, map: fn(A) -> V) -> MappedSide<A, V> {
        let values = reader.values().iter().copied().map(map).collect();
        MappedSide { reader, values }
    }
}

impl<A: std::fmt::Debug, V: std::fmt::Debug + Send + Sync> SideReader<V> for MappedSide<A, V> {
    fn values(&self) -> &[V] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.reader.slab(slab, codes)
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        self.reader.part(slab, part, codes)
    }

    fn has_cheap_parts(&self, axis: usize) -> bool {
        self.reader.has_cheap_parts(axis)
    }

    fn read_cost(&self) -> ReadCost {
        self.reader.read_cost()
    }
}
