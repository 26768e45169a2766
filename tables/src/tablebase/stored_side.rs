//! A side that a file stores.

use super::error::TableError;
use super::open_tables::TableKind;
use super::side::{ReadCost, SideReader};
use super::tablebase::Tablebase;
use makruk_format::index::SlabPart;
use makruk_format::{Storage, TableId};
use makruk_rules::Color;

/// A side to move that a table's file stores.
#[derive(Debug)]
pub(super) struct StoredSide<V> {
    tablebase: Tablebase,
    id: TableId,
    side: Color,
    values: Vec<V>,
    cost: ReadCost,
    /// The axis of the fast piece, whose squares are read together.
    fast_axis: Option<usize>,
}

impl<V: TableKind> StoredSide<V> {
    pub(super) fn new(tablebase: &Tablebase, id: TableId, side: Color) -> Result<StoredSide<V>, TableError> {
        let table = tablebase.table::<V>(id)?;
        let cost = if table.storage(side) == Storage::Constant { ReadCost::Copy } else { ReadCost::Decode };
        let values = table.spec().values[side].values().collect();
        let fast_axis = table.fast_axis(side);
        Ok(StoredSide { tablebase: tablebase.clone(), id, side, values, cost, fast_axis })
    }
}

impl<V: TableKind> SideReader<V> for StoredSide<V> {
    fn values(&self) -> &[V] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let table = self.tablebase.table::<V>(self.id)?;
        table.slab_codes(self.side, slab, codes).map_err(|source| self.tablebase.error(self.id, source))
    }

    fn part(&self, slab: usize, part: SlabPart, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let table = self.tablebase.table::<V>(self.id)?;
        table.part_codes(self.side, slab, part, codes).map_err(|source| self.tablebase.error(self.id, source))
    }

    fn has_cheap_parts(&self, axis: usize) -> bool {
        self.fast_axis != Some(axis)
    }

    fn read_cost(&self) -> ReadCost {
        self.cost
    }
}
