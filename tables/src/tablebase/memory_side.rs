//! A side in memory.

use std::path::PathBuf;

use super::error::{Inconsistent, TableError};
use super::side::{ReadCost, SideReader};
use crate::format::TableId;
use crate::index::Layout;
use crate::rules::{Color, Position};
use crate::value::Value;

/// One side to move of a table in memory. Tests and builds without files read children from it.
#[derive(Clone, Debug)]
pub struct MemorySide {
    id: TableId,
    layout: Layout,
    side: Color,
    values: Vec<Value>,
    codes: Vec<u16>,
}

impl MemorySide {
    /// A side from its values and its codes, slab after slab.
    ///
    /// # Panics
    ///
    /// If there are not as many codes as the material has positions, or a code is beyond the values.
    pub fn new(id: TableId, side: Color, values: Vec<Value>, codes: Vec<u16>) -> MemorySide {
        let layout = Layout::new(id.material);
        assert_eq!(codes.len() as u64, layout.slabs() as u64 * layout.slab_len(), "a code for each position");
        assert!(codes.iter().all(|&code| usize::from(code) < values.len()), "codes are places in the list");
        MemorySide { id, layout, side, values, codes }
    }

    /// The codes, slab after slab.
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    fn no_place(&self, problem: String) -> TableError {
        let source = Inconsistent::NoPlace { side: self.side, position: problem };
        TableError::Corrupt { id: self.id, path: PathBuf::from(self.id.to_string()), source: source.into() }
    }
}

impl SideReader for MemorySide {
    fn values(&self) -> &[Value] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let len = self.layout.slab_len() as usize;
        let slab_codes = self.codes.chunks_exact(len).nth(slab).ok_or_else(|| self.no_place(format!("slab {slab}")))?;
        codes.clear();
        codes.extend_from_slice(slab_codes);
        Ok(())
    }

    fn value(&self, position: &Position) -> Result<Value, TableError> {
        match self.layout.number(position) {
            Some((side, number)) if side == self.side => Ok(self.values[usize::from(self.codes[number as usize])]),
            _ => Err(self.no_place(format!("{position:?}"))),
        }
    }

    fn read_cost(&self) -> ReadCost {
        ReadCost::Copy
    }
}
