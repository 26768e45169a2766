//! Both distances of a side, read together.

use std::sync::Arc;

use super::error::TableError;
use super::position_reader::PositionReader;
use super::side::{ReadCost, SideReader};
use crate::format::TableId;
use crate::material::Material;
use crate::rules::{Color, Position};
use crate::value::{Metric, MovesLeft, Value, Wdl};

/// One side to move of a material under both distances, read by whole slabs.
#[derive(Clone, Debug)]
pub struct DistancesSide {
    reader: PositionReader,
    material: Material,
    side: Color,
    dtm: Arc<dyn SideReader>,
    /// `None` where a king is bare: there DTM serves as DTZ.
    dtz: Option<Arc<dyn SideReader>>,
    /// Is DTM decoded on the way to DTZ?
    are_joint: bool,
}

impl DistancesSide {
    /// The side with these readers of DTM and, unless a king is bare, of DTZ.
    pub(super) fn new(
        reader: &PositionReader,
        material: Material,
        side: Color,
        dtm: Arc<dyn SideReader>,
        dtz: Option<Arc<dyn SideReader>>,
    ) -> Result<DistancesSide, TableError> {
        let dtz_id = TableId { material, metric: Metric::Dtz };
        let are_joint = dtz.is_some() && reader.table(dtz_id)?.refers_in_blocks(side);
        Ok(DistancesSide { reader: reader.clone(), material, side, dtm, dtz, are_joint })
    }

    /// The values that occur in DTM, ascending.
    pub fn dtm_values(&self) -> &[Value] {
        self.dtm.values()
    }

    /// The values that occur in DTZ, ascending: those of DTM where a king is bare.
    pub fn dtz_values(&self) -> &[Value] {
        self.dtz.as_ref().map_or_else(|| self.dtm.values(), |dtz| dtz.values())
    }

    /// The codes of a slab under both distances, as [`SideReader::slab`] gives them.
    ///
    /// # Errors
    ///
    /// A table, or one that it is derived from, fails.
    pub fn slab(&self, slab: usize, dtm: &mut Vec<u16>, dtz: &mut Vec<u16>) -> Result<(), TableError> {
        match &self.dtz {
            Some(_) if self.are_joint => {
                let id = TableId { material: self.material, metric: Metric::Dtz };
                let pairs = self.reader.table(id)?.slab_code_pairs(self.side, slab, dtm, dtz);
                pairs.map_err(|source| self.reader.error(id, source))
            }
            Some(dtz_side) => {
                self.dtm.slab(slab, dtm)?;
                dtz_side.slab(slab, dtz)
            }
            None => {
                self.dtm.slab(slab, dtm)?;
                dtz.clone_from(dtm);
                Ok(())
            }
        }
    }
}

/// The WDL values of a side whose material has no WDL table, by its distances.
#[derive(Debug)]
pub(super) struct WdlOfDistances {
    distances: DistancesSide,
    left: MovesLeft,
    values: Vec<Value>,
    /// By DTM code, then DTZ code.
    codes: Vec<u16>,
}

impl WdlOfDistances {
    pub(super) fn new(distances: DistancesSide, left: MovesLeft) -> WdlOfDistances {
        let values = wdl_values();
        let code = |wdl: Wdl| values.iter().position(|&value| value == wdl.to_value()).unwrap_or_default() as u16;
        let row = |&dtm: &Value| distances.dtz_values().iter().map(move |&dtz| (dtm, dtz));
        let pairs = distances.dtm_values().iter().flat_map(row);
        let codes = pairs.map(|(dtm, dtz)| code(left.wdl(dtm, dtz))).collect();
        WdlOfDistances { left, values, codes, distances }
    }
}

/// All values of WDL tables, ascending.
pub(super) fn wdl_values() -> Vec<Value> {
    let mut values: Vec<Value> = Wdl::ALL.map(Wdl::to_value).into();
    values.sort_unstable();
    values
}

impl SideReader for WdlOfDistances {
    fn values(&self) -> &[Value] {
        &self.values
    }

    fn slab(&self, slab: usize, codes: &mut Vec<u16>) -> Result<(), TableError> {
        let mut dtz = Vec::new();
        self.distances.slab(slab, codes, &mut dtz)?;
        let row = self.distances.dtz_values().len();
        for (code, dtz) in codes.iter_mut().zip(dtz) {
            *code = self.codes[usize::from(*code) * row + usize::from(dtz)];
        }
        Ok(())
    }

    fn value(&self, position: &Position) -> Result<Value, TableError> {
        let dtm = self.distances.dtm.value(position)?;
        let dtz = match &self.distances.dtz {
            Some(dtz) if dtm != Value::Draw => dtz.value(position)?,
            _ => dtm,
        };
        Ok(self.left.wdl(dtm, dtz).to_value())
    }

    fn read_cost(&self) -> ReadCost {
        let dtz = self.distances.dtz.as_ref().map_or(ReadCost::Copy, |dtz| dtz.read_cost());
        self.distances.dtm.read_cost().max(dtz)
    }
}
