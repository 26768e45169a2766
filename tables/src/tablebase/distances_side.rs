//! Both distances of a side, read together.

use std::sync::Arc;

use super::error::TableError;
use super::side::{ReadCost, SideReader};
use super::tablebase::Tablebase;
use crate::format::TableId;
use crate::material::Material;
use crate::rules::{Color, Position};
use crate::value::{Distances, Metric, MovesLeft, Value, Wdl};

/// One side to move of a material under both distances, read by whole slabs.
#[derive(Clone, Debug)]
pub struct DistancesSide {
    tablebase: Tablebase,
    material: Material,
    side: Color,
    dtm: Arc<dyn SideReader>,
    /// `None` where a king is bare: there DTM serves as DTZ.
    dtz: Option<Arc<dyn SideReader>>,
    /// Whether DTM is decoded on the way to DTZ.
    are_joint: bool,
}

impl DistancesSide {
    /// The side with these readers of DTM and, unless a king is bare, of DTZ.
    pub(super) fn new(
        tablebase: &Tablebase,
        material: Material,
        side: Color,
        dtm: Arc<dyn SideReader>,
        dtz: Option<Arc<dyn SideReader>>,
    ) -> Result<DistancesSide, TableError> {
        let dtz_id = TableId { material, metric: Metric::Dtz };
        let are_joint = dtz.is_some() && tablebase.table::<Value>(dtz_id)?.refers_in_blocks(side);
        Ok(DistancesSide { tablebase: tablebase.clone(), material, side, dtm, dtz, are_joint })
    }

    /// The values that occur in DTM.
    pub fn dtm_values(&self) -> &[Value] {
        self.dtm.values()
    }

    /// The values that occur in DTZ: those of DTM where a king is bare.
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
                let pairs = self.tablebase.table::<Value>(id)?.slab_code_pairs(self.side, slab, dtm, dtz);
                pairs.map_err(|source| self.tablebase.error(id, source))
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
    /// By DTM code, then DTZ code.
    codes: Vec<u16>,
}

impl WdlOfDistances {
    pub(super) fn new(distances: DistancesSide, left: MovesLeft) -> WdlOfDistances {
        let row = |&dtm: &Value| distances.dtz_values().iter().map(move |&dtz| Distances { dtm, dtz });
        let pairs = distances.dtm_values().iter().flat_map(row);
        let codes = pairs.map(|distances| left.wdl(distances.into()) as u16).collect();
        WdlOfDistances { left, codes, distances }
    }
}

/// A category's code is its place among all.
impl SideReader<Wdl> for WdlOfDistances {
    fn values(&self) -> &[Wdl] {
        &Wdl::ALL
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

    fn value(&self, position: &Position) -> Result<Wdl, TableError> {
        let dtm = self.distances.dtm.value(position)?;
        let dtz = match &self.distances.dtz {
            Some(dtz) if dtm != Value::Draw => dtz.value(position)?,
            _ => dtm,
        };
        Ok(self.left.wdl(Distances { dtm, dtz }.into()))
    }

    fn read_cost(&self) -> ReadCost {
        let dtz = self.distances.dtz.as_ref().map_or(ReadCost::Copy, |dtz| dtz.read_cost());
        self.distances.dtm.read_cost().max(dtz)
    }
}
