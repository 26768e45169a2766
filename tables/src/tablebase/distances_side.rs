//! Both distances of a side, read together.

use std::sync::Arc;

use super::error::TableError;
use super::side::SideReader;
use super::tablebase::Tablebase;
use makruk_format::TableId;
use makruk_format::material::Material;
use makruk_format::value::{Metric, Value};
use makruk_rules::Color;

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
