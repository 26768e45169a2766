//! The sides of a tablebase: stored ones, and derived ones that their users share.

use std::sync::{Arc, Weak};

use super::derived_side::DerivedSide;
use super::distances_side::{DistancesSide, WdlOfDistances};
use super::error::TableError;
use super::lock::lock;
use super::open_tables::TableKind;
use super::side::{SideReader, SideSource};
use super::stored_side::StoredSide;
use super::tablebase::{DerivedSides, Tablebase};
use crate::format::{Storage, TableId};
use crate::material::Material;
use crate::rules::Color;
use crate::value::{Metric, MovesLeft, Value, Wdl};

impl Tablebase {
    /// A side to move of a table of distances, stored or derived, in the colours of the material's name.
    ///
    /// # Errors
    ///
    /// The table, or one that the side is derived from, is missing or fails.
    pub fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let table = self.table::<Value>(id)?;
        if table.storage(side) != Storage::Absent {
            return Ok(Arc::new(StoredSide::<Value>::new(self, id, side)?));
        }
        self.derived(&self.inner.distances, id, side, table.spec().values[side].values().collect())
    }

    /// Both distances of a side to move, in the colours of the material's name.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::side`].
    pub fn distances_side(&self, material: Material, side: Color) -> Result<DistancesSide, TableError> {
        let dtm = self.side(TableId { material, metric: Metric::Dtm }, side)?;
        let dtz_id = TableId { material, metric: Metric::Dtz };
        let dtz = if material.has_dtz() { Some(self.side(dtz_id, side)?) } else { None };
        DistancesSide::new(self, material, side, dtm, dtz)
    }

    /// A side to move under WDL, whichever tables there are: by the WDL table or, if that is missing, by the distances.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::side`].
    pub fn wdl_side(&self, material: Material, side: Color) -> Result<Arc<dyn SideReader<Wdl>>, TableError> {
        let id = TableId { material, metric: Metric::Wdl };
        let values = match self.table::<Wdl>(id) {
            Ok(table) if table.storage(side) != Storage::Absent => {
                return Ok(Arc::new(StoredSide::<Wdl>::new(self, id, side)?));
            }
            Ok(table) => table.spec().values[side].values().collect(),
            Err(TableError::Missing { .. }) => {
                let left = MovesLeft::of(material, self.rules());
                let dtz = self.table::<Value>(TableId::of(material, Metric::Dtz))?;
                let is_omitted = dtz.storage(side) == Storage::Absent;
                // One ply of minimax over categories takes less than one over each distance.
                if !is_omitted || !left.follow(material, dtz.spec().values[side].values()) {
                    return Ok(Arc::new(WdlOfDistances::new(self.distances_side(material, side)?, left)));
                }
                Wdl::ALL.to_vec()
            }
            Err(error) => return Err(error),
        };
        self.derived(&self.inner.categories, id, side, values)
    }

    /// A derived side with these values; those who use the same one at the same time share it.
    fn derived<V: TableKind + Ord>(
        &self,
        in_use: &DerivedSides<V>,
        id: TableId,
        side: Color,
        values: Vec<V>,
    ) -> Result<Arc<dyn SideReader<V>>, TableError>
    where
        Tablebase: SideSource<V>,
    {
        if let Some(known) = lock(in_use).get(&(id, side)).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let derived = DerivedSide::new(self, id, side, values)?;
        let mut sides = lock(in_use);
        sides.retain(|_, known| known.strong_count() > 0);
        // Another thread may have been quicker.
        if let Some(known) = sides.get(&(id, side)).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let derived: Arc<dyn SideReader<V>> = Arc::new(derived);
        sides.insert((id, side), Arc::downgrade(&derived));
        Ok(derived)
    }
}

impl SideSource for Tablebase {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        Tablebase::side(self, id, side)
    }
}

/// By the WDL tables, and by the distances where these are missing.
impl SideSource<Wdl> for Tablebase {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader<Wdl>>, TableError> {
        self.wdl_side(id.material, side)
    }
}
