//! The values of positions, from tables in folders or in memory.
//!
//! A [`Tablebase`] answers for one position ([`Tablebase::value`], [`Tablebase::distances`], [`Tablebase::wdl`]) or gives a
//! side of a table to be read by whole slabs ([`Tablebase::side`]). It turns colours as the tables' names have them, derives
//! the sides that files omit, and takes DTM for DTZ where a king is bare.
//!
//! ```no_run
//! use makruk_tables::rules::Fen;
//! use makruk_tables::tablebase::Tablebase;
//! use makruk_tables::value::{Metric, Value};
//!
//! let tablebase = Tablebase::new("tables/data");
//! let fen: Fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1".parse()?;
//! assert_eq!(tablebase.value(&fen.position, Metric::Dtm)?, Value::Win(31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod cached_side;
mod derived_side;
mod distances_side;
mod error;
mod handle;
mod id;
mod inventory;
mod memory_side;
mod registry;
mod side;
mod slab_cache;
mod stored_side;
mod stripe_cache;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub use crate::format::Access;
pub use builder::TablebaseBuilder;
pub use cached_side::CachedSides;
pub use derived_side::derived_side_bytes;
pub use distances_side::DistancesSide;
pub use error::{BoxedError, TableError};
pub use id::{ParseTableIdError, TableId};
pub use inventory::Inventory;
pub use memory_side::MemorySide;
pub use side::{ReadCost, SideReader, SideSource};
pub use slab_cache::{SharedSlab, SlabCache};
pub use stripe_cache::CacheCounts;

use crate::format::{FileTable, FormatError, Storage, TableFolder};
use crate::index::Layout;
use crate::material::{Material, Oriented};
use crate::minimax::{minimax_dtm, minimax_dtz, minimax_wdl};
use crate::rules::{Color, CountingRules, Position};
use crate::value::{Distances, Metric, MovesLeft, Value, Wdl};
use derived_side::Derivation;
use distances_side::{WdlOfDistances, wdl_values};
use error::{Inconsistent, OtherRules};
use handle::TableHandle;
use registry::Registry;
use stored_side::StoredSide;
use stripe_cache::StripeCache;

/// The most bytes of decoded stripes that are cached unless set otherwise: 64 MiB.
pub const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// The tables of one or more folders. Each is opened when it is first needed; one that is missing or fails is tried again the
/// next time, and affects no other. Clones share all that is open and cached. Threads that share one wait for each other
/// only to open a table.
#[derive(Clone, Debug)]
pub struct Tablebase {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    folders: Vec<PathBuf>,
    access: Access,
    rules: CountingRules,
    registry: Registry<TableHandle>,
    cache: StripeCache,
    /// Derived sides that are in use, for their caches to be shared.
    derived: Mutex<HashMap<DerivedKey, Weak<dyn SideReader>>>,
}

/// Which derived side: of a table, and whether distances may stand in for WDL tables that are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct DerivedKey {
    id: TableId,
    side: Color,
    wdl_of_distances: bool,
}

impl Tablebase {
    /// The tables of a folder, for Makruk's rules, by positional reads, with the default cache. The folder is not read before
    /// the first probe.
    pub fn new(folder: impl Into<PathBuf>) -> Tablebase {
        Tablebase::builder().folder(folder).build()
    }

    /// Sets up a tablebase.
    pub fn builder() -> TablebaseBuilder {
        TablebaseBuilder::new()
    }

    fn assemble(folders: Vec<PathBuf>, access: Access, cache_bytes: usize, rules: CountingRules) -> Tablebase {
        let (registry, cache) = (Registry::new(), StripeCache::new(cache_bytes));
        Tablebase { shared: Arc::new(Shared { folders, access, rules, registry, cache, derived: Mutex::default() }) }
    }

    /// A tablebase set up as this one, with nothing open and nothing cached.
    #[must_use]
    pub fn reopened(&self) -> Tablebase {
        let Shared { folders, access, rules, cache, .. } = &*self.shared;
        Tablebase::assemble(folders.clone(), *access, cache.max_bytes(), rules.clone())
    }

    /// The folders, in the order in which tables are looked for.
    pub fn folders(&self) -> &[PathBuf] {
        &self.shared.folders
    }

    /// The counting rules that DTZ and WDL tables hold for.
    pub fn rules(&self) -> &CountingRules {
        &self.shared.rules
    }

    /// How the cache of decoded stripes has been used so far.
    pub fn cache_counts(&self) -> CacheCounts {
        self.shared.cache.counts()
    }

    /// Opens a table, so that probes need not.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn open(&self, id: TableId) -> Result<(), TableError> {
        self.handle(id).map(|_| ())
    }

    /// A table itself: its header, with the numbers of positions by value.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub fn table(&self, id: TableId) -> Result<&FileTable, TableError> {
        self.handle(id).map(|handle| &handle.table)
    }

    /// The value of a position, from the side to move; no count. Two bare kings draw. Where a king is bare, DTZ is DTM. Under
    /// WDL it is the [`to_value`](Wdl::to_value) of what [`Tablebase::wdl`] returns.
    ///
    /// # Errors
    ///
    /// No table can have the position; its table, or one that its value is derived from, is missing or fails.
    #[inline]
    pub fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        let oriented = Material::of(position.board())?;
        if oriented.material == Material::BARE_KINGS {
            return Ok(Value::Draw);
        }
        self.value_in(position, oriented, oriented.material.table_metric(metric))
    }

    /// The category of a position for a count that begins now, by WDL tables alone.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        let value = self.value(position, Metric::Wdl)?;
        Wdl::from_value(value).ok_or_else(|| self.no_category(position, value))
    }

    /// Both distances of a position, from the side to move; no count. DTZ is not read where neither side wins.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let oriented = Material::of(position.board())?;
        let Oriented { material, orientation } = oriented;
        if material == Material::BARE_KINGS {
            return Ok(Distances::DRAW);
        }
        let side = orientation.color(position.turn());
        let [dtm_id, dtz_id] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        let dtm = self.handle(dtm_id)?;
        if !material.is_armed() || dtm.table.storage(side) == Storage::Absent {
            let value = self.value_in(position, oriented, Metric::Dtm)?;
            if value == Value::Draw || !material.is_armed() {
                return Ok(Distances::bare(value));
            }
            return Ok(Distances { dtm: value, dtz: self.value_in(position, oriented, Metric::Dtz)? });
        }
        let place = dtm.place(position, orientation).ok_or_else(|| self.no_place(dtm_id, side, position))?;
        let cache = &self.shared.cache;
        let dtz = self.handle(dtz_id);
        if let Ok(dtz) = dtz
            && dtz.table.refers_in_blocks(side)
        {
            return match dtz.value_pair(dtm, cache, &place) {
                Ok((dtm, dtz)) => Ok(Distances { dtm, dtz }),
                Err(source) => {
                    // Both were read. If DTM is the one that is damaged, it fails on its own too.
                    dtm.value(cache, &place).map_err(|source| self.error(dtm_id, source))?;
                    Err(self.error(dtz_id, source))
                }
            };
        }
        let value = dtm.value(cache, &place).map_err(|source| self.error(dtm_id, source))?;
        if value == Value::Draw {
            // A missing DTZ table does not matter here.
            return Ok(Distances::DRAW);
        }
        dtz?;
        Ok(Distances { dtm: value, dtz: self.value_in(position, oriented, Metric::Dtz)? })
    }

    /// The value of a position whose material and orientation are known, under a metric that the material has a table of.
    #[inline]
    fn value_in(&self, position: &Position, oriented: Oriented, metric: Metric) -> Result<Value, TableError> {
        let Oriented { material, orientation } = oriented;
        let id = TableId { material, metric };
        let handle = self.handle(id)?;
        let side = orientation.color(position.turn());
        if handle.table.storage(side) == Storage::Absent {
            return self.derived_value(position, id, side);
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.value(&self.shared.cache, &place).map_err(|source| self.error(id, source))
    }

    /// The value of a position of a side that a table omits.
    #[inline(never)]
    fn derived_value(&self, position: &Position, id: TableId, side: Color) -> Result<Value, TableError> {
        let value = match id.metric {
            Metric::Dtm => minimax_dtm(position, |after| self.value(after, Metric::Dtm))?,
            Metric::Dtz => minimax_dtz(position, self.rules(), |after, metric| self.value(after, metric))?,
            Metric::Wdl => minimax_wdl(position, |after| self.wdl(after))?.to_value(),
        };
        match self.table(id)?.spec().values[side].code(value) {
            Some(_) => Ok(value),
            None => Err(self.corrupt(id, Inconsistent::NotListed { side, value })),
        }
    }

    #[inline]
    fn handle(&self, id: TableId) -> Result<&TableHandle, TableError> {
        let handle = self.shared.registry.get_or_open(id, |number| self.open_table(id, number))?;
        // DTM knows no count, so its tables serve under all rules.
        if id.metric != Metric::Dtm && handle.table.spec().rules != self.shared.rules.name() {
            return Err(self.other_rules(id, &handle.table));
        }
        Ok(handle)
    }

    fn open_table(&self, id: TableId, number: u16) -> Result<TableHandle, TableError> {
        let layout = Layout::new(id.material);
        let open = |folder: &Path| {
            TableFolder::open_existing(folder)?.with_access(self.shared.access).open_set(&layout, id.metric)
        };
        let table = open(self.folder_of(id)).map_err(|source| self.error(id, source))?;
        if Color::ALL.into_iter().all(|side| table.storage(side) == Storage::Absent) {
            return Err(self.corrupt(id, Inconsistent::NoSideStored));
        }
        Ok(TableHandle::new(table, layout, number))
    }

    /// The folder that has a table, or the first.
    fn folder_of(&self, id: TableId) -> &Path {
        let folders = &self.shared.folders;
        let first = folders.first().map_or(Path::new(""), PathBuf::as_path);
        if folders.len() < 2 {
            return first;
        }
        let name = id.to_string();
        folders.iter().find(|folder| folder.join(&name).is_file()).map_or(first, PathBuf::as_path)
    }

    fn path_of(&self, id: TableId) -> PathBuf {
        self.folder_of(id).join(id.to_string())
    }

    /// Classifies an error of a table's file.
    #[cold]
    pub fn error(&self, id: TableId, source: FormatError) -> TableError {
        TableError::of(id, self.path_of(id), source)
    }

    #[cold]
    fn corrupt(&self, id: TableId, problem: Inconsistent) -> TableError {
        TableError::Corrupt { id, path: self.path_of(id), source: problem.into() }
    }

    #[cold]
    fn no_place(&self, id: TableId, side: Color, position: &Position) -> TableError {
        self.corrupt(id, Inconsistent::NoPlace { side, position: format!("{position:?}") })
    }

    #[cold]
    fn no_category(&self, position: &Position, value: Value) -> TableError {
        match Material::of(position.board()) {
            Ok(Oriented { material, orientation }) => {
                let side = orientation.color(position.turn());
                self.corrupt(TableId { material, metric: Metric::Wdl }, Inconsistent::NoCategory { side, value })
            }
            Err(error) => error.into(),
        }
    }

    #[cold]
    fn other_rules(&self, id: TableId, table: &FileTable) -> TableError {
        let (expected, found) = (self.rules().name().to_owned(), table.spec().rules.clone());
        let path = table.path().to_owned();
        TableError::Unsupported { id, path: path.clone(), source: OtherRules { path, expected, found }.into() }
    }
}

impl Tablebase {
    /// A side to move of a table, stored or derived, in the colours of the material's name.
    ///
    /// # Errors
    ///
    /// The table, or one that the side is derived from, is missing or fails.
    pub fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let table = self.table(id)?;
        if table.storage(side) != Storage::Absent {
            return Ok(Arc::new(StoredSide::new(self, id, side)?));
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
        DistancesSide::new(self, material, side)
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
            Ok(table) if table.storage(side) != Storage::Absent => Ok(Arc::new(StoredSide::new(self, id, side)?)),
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
        let sides = || self.shared.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sides().get(&key).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let DerivedKey { id, side, .. } = key;
        let path = self.path_of(id);
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
            Metric::Dtm | Metric::Dtz => self.0.side(id, side),
        }
    }
}
