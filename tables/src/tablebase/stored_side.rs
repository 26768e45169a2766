//! A side that a file stores.

use super::error::TableError;
use super::position_reader::PositionReader;
use super::side::{ReadCost, SideReader};
use crate::format::{Storage, TableId};
use crate::material::Material;
use crate::rules::{Color, Position};
use crate::value::Value;

/// A side to move that a table's file stores.
#[derive(Debug)]
pub(super) struct StoredSide {
    reader: PositionReader,
    id: TableId,
    side: Color,
    values: Vec<Value>,
    cost: ReadCost,
}

impl StoredSide {
    pub(super) fn new(reader: &PositionReader, id: TableId, side: Color) -> Result<StoredSide, TableError> {
        let table = reader.table(id)?;
        let cost = if table.storage(side) == Storage::Constant { ReadCost::Copy } else { ReadCost::Decode };
        let values = table.spec().values[side].values().collect();
        Ok(StoredSide { reader: reader.clone(), id, side, values, cost })
    }
}

impl SideReader for StoredSide {
    fn values(&self) -> &[Value] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let table = self.reader.table(self.id)?;
        table.slab_codes(self.side, slab, codes).map_err(|source| self.reader.error(self.id, source))
    }

    fn value(&self, position: &Position) -> Result<Value, TableError> {
        let oriented = Material::of(position.board())?;
        if oriented.material != self.id.material || oriented.orientation.color(position.turn()) != self.side {
            return Err(self.reader.no_place(self.id, self.side, position));
        }
        self.reader.value_in(position, oriented, self.id.metric)
    }

    fn read_cost(&self) -> ReadCost {
        self.cost
    }
}
