//! The sides of a tablebase: stored ones, and derived ones that their users share.

use std::sync::{Arc, Weak};

use super::derived_side::DerivedSide;
use super::distances_side::DistancesSide;
use super::error::TableError;
use super::mapped_side::MappedSide;
use super::side::{SideReader, SideSource};
use super::stored_side::StoredSide;
use super::tablebase::{DerivedSides, Tablebase};
use makruk_format::lock;
use makruk_format::material::Material;
use makruk_format::value::{Bounds, Metric, Score, TableValue, Value};
use makruk_format::{AnyValue, Storage, TableId};
use makruk_rules::Color;

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
        self.derived(&self.inner.distances, id, side, Some(table.spec().values[side].values().collect()))
    }

    /// A side to move of a table of distances as its moves make it, whether a file stores it or not.
    ///
    /// # Errors
    ///
    /// The table, or one that the side is derived from, is missing or fails.
    pub fn side_by_moves(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        Ok(Arc::new(DerivedSide::<Value>::new(self, id, side, None)?))
    }

    /// Both distances of a side to move, in the colours of the material's name.
    pub fn distances_side(&self, material: Material, side: Color) -> Result<DistancesSide, TableError> {
        let dtm = self.side(TableId { material, metric: Metric::Dtm }, side)?;
        let dtz_id = TableId { material, metric: Metric::Dtz };
        let dtz = if material.has_dtz() { Some(self.side(dtz_id, side)?) } else { None };
        DistancesSide::new(self, material, side, dtm, dtz)
    }

    /// A side to move of a category table, stored or derived: the latest score that each position may have. It gives
    /// the category for a count that begins now, as [`MovesLeft::category`](crate::value::MovesLeft::category) says.
    pub fn scores_side(&self, material: Material, side: Color) -> Result<Arc<dyn SideReader<Score>>, TableError> {
        let id = TableId { material, metric: Metric::Category };
        if self.table::<Bounds>(id)?.storage(side) != Storage::Absent {
            let stored = StoredSide::<Bounds>::new(self, id, side)?;
            return Ok(Arc::new(MappedSide::new(Arc::new(stored), Bounds::latest)));
        }
        // The classes of the materials that a bare king's captures lead to do not end where his own count begins.
        if !material.has_dtz() {
            let mates = self.side(TableId { material, metric: Metric::Dtm }, side)?;
            return Ok(Arc::new(MappedSide::<Value, Score>::new(mates, Score::from)));
        }
        self.derived(&self.inner.scores, id, side, None)
    }

    /// A derived side. Readers that use the same side at the same time share it. If the table is given, its list has
    /// these values.
    fn derived<V: TableValue + Into<AnyValue> + Ord>(
        &self,
        in_use: &DerivedSides<V>,
        id: TableId,
        side: Color,
        listed: Option<Vec<V>>,
    ) -> Result<Arc<dyn SideReader<V>>, TableError>
    where
        Tablebase: SideSource<V>,
    {
        if let Some(known) = lock(in_use).get(&(id, side)).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let derived = DerivedSide::new(self, id, side, listed)?;
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

impl SideSource<Score> for Tablebase {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader<Score>>, TableError> {
        self.scores_side(id.material, side)
    }
}
