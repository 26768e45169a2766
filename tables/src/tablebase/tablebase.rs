//! A tablebase: values of positions, and sides of tables.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::derived_side::Derivation;
use super::distances_side::{DistancesSide, WdlOfDistances, wdl_values};
use super::error::TableError;
use super::position_reader::{PositionReader, TablePlace};
use super::side::{SideReader, SideSource};
use super::stored_side::StoredSide;
use super::stripe_cache::CacheCounts;
use crate::format::{FileTable, FormatError, Storage, TableId};
use crate::material::Material;
use crate::rules::{Color, CountingRules, Position};
use crate::value::{Distances, Metric, MovesLeft, SearchValue, Value, Wdl};

/// The tables of one or more folders. Each is opened when it is first needed; one that is missing or fails is tried again the
/// next time, and affects no other. Clones share all that is open and cached. Threads that share one wait for each other
/// only to open a table.
#[derive(Clone, Debug)]
pub struct Tablebase {
    reader: PositionReader,
    derived: Arc<DerivedSides>,
}

/// Derived sides that are in use, for their caches to be shared.
type DerivedSides = Mutex<HashMap<DerivedKey, Weak<dyn SideReader>>>;

/// The identity of a derived side: its table, and whether distances may stand in for missing WDL tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DerivedKey {
    id: TableId,
    side: Color,
    wdl_of_distances: bool,
}

impl Tablebase {
    pub(super) fn assemble(
        place: TablePlace,
        cache_bytes: usize,
        rules: CountingRules,
        remembers_missing: bool,
    ) -> Tablebase {
        let reader = PositionReader::new(place, cache_bytes, rules, remembers_missing);
        Tablebase { reader, derived: Arc::default() }
    }

    /// A tablebase set up as this one, with nothing open and nothing cached.
    #[must_use]
    pub fn reopened(&self) -> Tablebase {
        Tablebase { reader: self.reader.reopened(), derived: Arc::default() }
    }

    /// Looks again for tables that were missing, which a tablebase may [remember](super::TablebaseBuilder::remember_missing).
    pub fn forget_missing(&self) {
        self.reader.forget_missing();
    }

    /// The folders, in the order in which tables are looked for.
    pub fn folders(&self) -> &[PathBuf] {
        self.reader.folders()
    }

    /// The counting rules that DTZ and WDL tables hold for.
    pub fn rules(&self) -> &CountingRules {
        self.reader.rules()
    }

    /// The use of the cache of decoded stripes so far.
    pub fn cache_counts(&self) -> CacheCounts {
        self.reader.cache_counts()
    }

    /// Opens a table, so that probes need not.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn open(&self, id: TableId) -> Result<(), TableError> {
        self.reader.open(id)
    }

    /// A table itself: its header, with the numbers of positions by value.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn table(&self, id: TableId) -> Result<&FileTable, TableError> {
        self.reader.table(id)
    }

    /// The value of a position, from the side to move; no count. Two bare kings draw. Where a king is bare, DTZ is DTM. Under
    /// WDL it is the [`to_value`](Wdl::to_value) of what [`Tablebase::wdl`] returns.
    ///
    /// # Errors
    ///
    /// No table can have the position; its table, or one that its value is derived from, is missing or fails. Search tables have
    /// bounds instead of values: [`Tablebase::search`] returns them.
    #[inline]
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.reader.value(position, metric)
    }

    /// The category of a position for a count that begins now, by WDL tables alone.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        self.reader.wdl(position)
    }

    /// The winner of a position, from the side to move, and bounds of the plies to the conversion, by search tables alone.
    /// They decide most counts that run.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    #[inline]
    pub fn search(&self, position: &Position) -> Result<SearchValue, TableError> {
        self.reader.search(position)
    }

    /// Both distances of a position, from the side to move; no count. DTZ is not read where neither side wins.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.reader.distances(position)
    }

    /// Would the value of a position be found without reading a byte of a file for the first time? Then every byte that it
    /// needs was read and compared before, by [`Tablebase::preload`] or by another probe.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn was_read(&self, position: &Position, metric: Metric) -> Result<bool, TableError> {
        self.reader.was_read(position, metric)
    }

    /// Reads a whole table and compares its checksums, so that probes need not. Returns its number of bytes.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn preload(&self, id: TableId) -> Result<u64, TableError> {
        self.table(id)?.preload().map_err(|source| self.error(id, source))
    }

    /// Advises the system that the distances of positions will be read, so that it reads from the disk for all of them
    /// together. Worth it only where reads wait for the disk, as [`is_slow`](super::is_slow) finds out. Only maps and
    /// [stores](super::TableStore) take advice.
    pub fn prefetch(&self, positions: &[Position]) {
        self.reader.prefetch(positions, &Metric::DISTANCES);
    }

    /// As [`Tablebase::prefetch`], for the WDL tables.
    pub fn prefetch_wdl(&self, positions: &[Position]) {
        self.reader.prefetch(positions, &[Metric::Wdl]);
    }

    /// Classifies an error of a table's file.
    #[cold]
    pub fn error(&self, id: TableId, source: FormatError) -> TableError {
        self.reader.error(id, source)
    }
}

impl Tablebase {
    /// A side to move of a table, stored or derived, in the colours of the material's name. The values of a search table are
    /// the classes of its list; a side that it omits has none.
    ///
    /// # Errors
    ///
    /// The table, or one that the side is derived from, is missing or fails; or it is a side that a search table omits.
    pub fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let table = self.table(id)?;
        if table.storage(side) != Storage::Absent {
            return Ok(Arc::new(StoredSide::new(&self.reader, id, side)?));
        }
        let values = table.spec().values[side].values().collect();
        self.derived(DerivedKey { id, side, wdl_of_distances: false }, values, self)
    }

    /// Both distances of a side to move, in the colours of the material's name.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::side`].
    pub fn distances_side(&self, material: Material, side: Color) -> Result<DistancesSide, TableError> {
        let dtm = self.side(TableId { material, metric: Metric::Dtm }, side)?;
        let dtz_id = TableId { material, metric: Metric::Dtz };
        let dtz = if material.is_armed() { Some(self.side(dtz_id, side)?) } else { None };
        DistancesSide::new(&self.reader, material, side, dtm, dtz)
    }

    /// A side to move under WDL, whichever tables there are: by the WDL table or, if that is missing, by the distances.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::side`].
    pub fn wdl_side(&self, material: Material, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let id = TableId { material, metric: Metric::Wdl };
        let key = DerivedKey { id, side, wdl_of_distances: true };
        match self.table(id) {
            Ok(table) if table.storage(side) != Storage::Absent => {
                Ok(Arc::new(StoredSide::new(&self.reader, id, side)?))
            }
            Ok(table) => self.derived(key, table.spec().values[side].values().collect(), &WdlOfAny(self)),
            Err(TableError::Missing { .. }) => {
                let left = MovesLeft::of(material, self.rules());
                let dtz = self.table(TableId::of(material, Metric::Dtz))?;
                let is_omitted = dtz.storage(side) == Storage::Absent;
                // One ply of minimax over categories takes less than one over each distance.
                if is_omitted && left.follow(material, dtz.spec().values[side].values()) {
                    return self.derived(key, wdl_values(), &WdlOfAny(self));
                }
                Ok(Arc::new(WdlOfDistances::new(self.distances_side(material, side)?, left)))
            }
            Err(error) => Err(error),
        }
    }

    /// A derived side; those who use the same one at the same time share it.
    fn derived(
        &self,
        key: DerivedKey,
        values: Vec<Value>,
        source: &dyn SideSource,
    ) -> Result<Arc<dyn SideReader>, TableError> {
        let sides = || self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sides().get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let DerivedKey { id, side, .. } = key;
        let path = self.reader.path_of(id);
        let derived = Derivation { id, side, values, rules: self.rules(), path }.derive(source)?;
        let mut sides = sides();
        sides.retain(|_, known| known.strong_count() > 0);
        // Another thread may have been quicker.
        if let Some(known) = sides.get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        sides.insert(key, Arc::downgrade(&derived));
        Ok(derived)
    }
}

impl SideSource for Tablebase {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        Tablebase::side(self, id, side)
    }
}

/// A tablebase whose distances stand in for WDL tables that are missing.
struct WdlOfAny<'a>(&'a Tablebase);

impl SideSource for WdlOfAny<'_> {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        match id.metric {
            Metric::Wdl => self.0.wdl_side(id.material, side),
            Metric::Dtm | Metric::Dtz | Metric::Search => self.0.side(id, side),
        }
    }
}
