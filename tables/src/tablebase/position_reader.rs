//! The values of single positions, from the tables of some folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Inconsistent, OtherRules, TableError};
use super::handle::TableHandle;
use super::missing_tables::MissingTables;
use super::registry::Registry;
use super::slow_read::is_slow;
use super::store::TableStore;
use super::stripe_cache::{CacheCounts, StripeCache};
use crate::format::{Access, FileTable, FormatError, Storage, TableFolder, TableId};
use crate::index::Layout;
use crate::material::{Material, Oriented};
use crate::minimax::{minimax_dtm, minimax_dtz, minimax_search, minimax_wdl};
use crate::rules::{Color, CountingRules, Position};
use crate::value::{Distances, Metric, SearchValue, Value, Wdl};

/// The open tables of some folders and the cache of their stripes. Clones share both.
#[derive(Clone, Debug)]
pub(super) struct PositionReader {
    inner: Arc<Inner>,
}

/// Where tables are, and how they are read.
#[derive(Clone, Debug)]
pub(super) struct TablePlace {
    pub(super) folders: Vec<PathBuf>,
    pub(super) access: Access,
    /// Takes the folders' place.
    pub(super) store: Option<Arc<dyn TableStore>>,
}

#[derive(Debug)]
struct Inner {
    place: TablePlace,
    rules: CountingRules,
    registry: Registry<TableHandle>,
    cache: StripeCache,
    /// The tables that are not looked for again, if any are remembered.
    missing: Option<MissingTables>,
}

impl PositionReader {
    pub(super) fn new(
        place: TablePlace,
        cache_bytes: usize,
        rules: CountingRules,
        remembers_missing: bool,
    ) -> PositionReader {
        let (registry, cache) = (Registry::new(), StripeCache::new(cache_bytes));
        let missing = remembers_missing.then(MissingTables::default);
        PositionReader { inner: Arc::new(Inner { place, rules, registry, cache, missing }) }
    }

    /// A reader of the same folders, with nothing open and nothing cached.
    pub(super) fn reopened(&self) -> PositionReader {
        let Inner { place, rules, cache, missing, .. } = &*self.inner;
        PositionReader::new(place.clone(), cache.max_bytes(), rules.clone(), missing.is_some())
    }

    /// Looks again for tables that were missing.
    pub(super) fn forget_missing(&self) {
        if let Some(missing) = &self.inner.missing {
            missing.forget();
        }
    }

    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.inner.place.folders
    }

    pub(super) fn store(&self) -> Option<&dyn TableStore> {
        self.inner.place.store.as_deref()
    }

    pub(super) fn rules(&self) -> &CountingRules {
        &self.inner.rules
    }

    pub(super) fn cache_counts(&self) -> CacheCounts {
        self.inner.cache.counts()
    }

    /// Opens a table, so that probes need not.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub(super) fn open(&self, id: TableId) -> Result<(), TableError> {
        self.handle(id).map(|_| ())
    }

    /// A table itself: its header, with the numbers of positions by value.
    ///
    /// # Errors
    ///
    /// The table is missing or fails.
    pub(super) fn table(&self, id: TableId) -> Result<&FileTable, TableError> {
        self.handle(id).map(|handle| &handle.table)
    }

    /// The value of a position, from the side to move; no count. Two bare kings draw. Where a king is bare, DTZ is DTM. Under
    /// WDL it is the [`to_value`](Wdl::to_value) of what [`PositionReader::wdl`] returns.
    ///
    /// # Errors
    ///
    /// No table can have the position; its table, or one that its value is derived from, is missing or fails; the metric is
    /// that of search tables, which have bounds instead of values.
    #[inline]
    pub(super) fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        if metric == Metric::Search {
            return Err(self.only_bounds(position));
        }
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
    /// As [`PositionReader::value`].
    #[inline]
    pub(super) fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        let value = self.value(position, Metric::Wdl)?;
        Wdl::from_value(value).ok_or_else(|| self.no_category(position, value))
    }

    /// The value of a position in its search table, from the side to move.
    ///
    /// # Errors
    ///
    /// As [`PositionReader::value`].
    pub(super) fn search(&self, position: &Position) -> Result<SearchValue, TableError> {
        let Oriented { material, orientation } = Material::of(position.board())?;
        if material == Material::BARE_KINGS {
            return Ok(SearchValue::Draw);
        }
        let id = TableId { material, metric: Metric::Search };
        let handle = self.handle(id)?;
        let side = orientation.color(position.turn());
        if handle.table.storage(side) == Storage::Absent {
            return minimax_search(position, &self.inner.rules, |after| self.search(after));
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.search_value(&self.inner.cache, &place).map_err(|source| self.error(id, source))
    }

    /// Both distances of a position, from the side to move; no count. DTZ is not read where neither side wins.
    ///
    /// # Errors
    ///
    /// As [`PositionReader::value`].
    pub(super) fn distances(&self, position: &Position) -> Result<Distances, TableError> {
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
        let cache = &self.inner.cache;
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
    pub(super) fn value_in(
        &self,
        position: &Position,
        oriented: Oriented,
        metric: Metric,
    ) -> Result<Value, TableError> {
        let Oriented { material, orientation } = oriented;
        let id = TableId { material, metric };
        let handle = self.handle(id)?;
        let side = orientation.color(position.turn());
        if handle.table.storage(side) == Storage::Absent {
            return self.derived_value(position, id, side);
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.value(&self.inner.cache, &place).map_err(|source| self.error(id, source))
    }

    /// Was everything that the value of a position needs read before?
    pub(super) fn was_read(&self, position: &Position, metric: Metric) -> Result<bool, TableError> {
        let Oriented { material, orientation } = Material::of(position.board())?;
        if material == Material::BARE_KINGS {
            return Ok(true);
        }
        let id = TableId { material, metric: material.table_metric(metric) };
        let handle = self.handle(id)?;
        let side = orientation.color(position.turn());
        if handle.table.storage(side) == Storage::Absent {
            for mv in position.legal_moves() {
                if !self.was_read(&position.play(mv), id.metric)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let place = handle.place(position, orientation).ok_or_else(|| self.no_place(id, side, position))?;
        handle.was_read(&self.inner.cache, &place).map_err(|source| self.error(id, source))
    }

    /// The value of a position of a side that a table omits.
    #[inline(never)]
    fn derived_value(&self, position: &Position, id: TableId, side: Color) -> Result<Value, TableError> {
        let mut is_first = true;
        let mut value_after = |after: &Position, metric: Metric| {
            if !is_first {
                return self.value(after, metric);
            }
            is_first = false;
            let (value, is_slow) = is_slow(|| self.value(after, metric));
            if is_slow {
                let afters: Vec<Position> = position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
                self.prefetch(&afters, &Metric::DISTANCES);
            }
            value
        };
        let value = match id.metric {
            Metric::Dtm => minimax_dtm(position, |after| value_after(after, Metric::Dtm))?,
            Metric::Dtz => minimax_dtz(position, &self.inner.rules, value_after)?,
            Metric::Wdl => minimax_wdl(position, |after| self.wdl(after))?.to_value(),
            Metric::Search => return Err(self.only_bounds(position)),
        };
        match self.table(id)?.spec().values[side].code(value) {
            Some(_) => Ok(value),
            None => Err(self.corrupt(id, Inconsistent::NotListed { side, value })),
        }
    }

    #[inline]
    pub(super) fn handle(&self, id: TableId) -> Result<&TableHandle, TableError> {
        let handle = match self.inner.registry.get(id) {
            Some(handle) => handle,
            None => self.open_handle(id)?,
        };
        // DTM knows no count, so its tables serve under all rules.
        if id.metric != Metric::Dtm && handle.table.spec().rules != self.inner.rules.name() {
            return Err(self.other_rules(id, &handle.table));
        }
        Ok(handle)
    }

    /// Opens a table, unless it is remembered as missing.
    #[cold]
    fn open_handle(&self, id: TableId) -> Result<&TableHandle, TableError> {
        let open = || self.inner.registry.get_or_open(id, |number| self.open_table(id, number));
        // WDL and search tables are optional; a scan looks for them once.
        let remembered = self.inner.missing.as_ref().filter(|_| id.metric.is_distance());
        let Some(missing) = remembered else { return open() };
        let Some(era) = missing.era_to_look(id) else {
            let folder = self.folders().first().map_or(Path::new(""), PathBuf::as_path);
            return Err(TableError::Missing { id, path: folder.join(id.to_string()), source: None });
        };
        let opened = open();
        // A folder that does not exist now may exist at the next probe.
        if let Err(TableError::Missing { source: None, .. }) = &opened {
            missing.remember(id, era);
        }
        opened
    }

    fn open_table(&self, id: TableId, number: u16) -> Result<TableHandle, TableError> {
        let layout = Layout::new(id.material);
        let open = |folder: &Path| {
            TableFolder::open_existing(folder)?.with_access(self.inner.place.access).open_layout(&layout, id.metric)
        };
        let opened = match self.store() {
            Some(store) => FileTable::elsewhere(id, |id| store.open(id)),
            None => open(self.folder_of(id)),
        };
        let table = opened.map_err(|source| self.error(id, source))?;
        if Color::ALL.into_iter().all(|side| table.storage(side) == Storage::Absent) {
            return Err(self.corrupt(id, Inconsistent::NoSideStored));
        }
        Ok(TableHandle::new(table, layout, number))
    }

    /// The folder that has a table, or the first.
    fn folder_of(&self, id: TableId) -> &Path {
        let folders = self.folders();
        let first = folders.first().map_or(Path::new(""), PathBuf::as_path);
        if folders.len() < 2 {
            return first;
        }
        let name = id.to_string();
        folders.iter().find(|folder| folder.join(&name).is_file()).map_or(first, PathBuf::as_path)
    }

    pub(super) fn path_of(&self, id: TableId) -> PathBuf {
        self.folder_of(id).join(id.to_string())
    }

    /// Classifies an error of a table's file.
    #[cold]
    pub(super) fn error(&self, id: TableId, source: FormatError) -> TableError {
        TableError::of(id, self.path_of(id), source)
    }

    #[cold]
    fn corrupt(&self, id: TableId, problem: Inconsistent) -> TableError {
        TableError::Corrupt { id, path: self.path_of(id), source: problem.into() }
    }

    #[cold]
    pub(super) fn no_place(&self, id: TableId, side: Color, position: &Position) -> TableError {
        self.corrupt(id, Inconsistent::NoPlace { side, position: format!("{position:?}") })
    }

    /// The refusal of a value of a search table.
    #[cold]
    fn only_bounds(&self, position: &Position) -> TableError {
        match Material::of(position.board()) {
            Ok(Oriented { material, .. }) => {
                let id = TableId { material, metric: Metric::Search };
                TableError::Unsupported { id, path: self.path_of(id), source: Inconsistent::OnlyBounds.into() }
            }
            Err(error) => error.into(),
        }
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
        let (expected, found) = (self.inner.rules.name().to_owned(), table.spec().rules.clone());
        let path = table.path().to_owned();
        TableError::Unsupported { id, path: path.clone(), source: OtherRules { path, expected, found }.into() }
    }
}
