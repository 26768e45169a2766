//! The tables of a folder, opened when they are needed.

use std::path::{Path, PathBuf};

use makruk_tables::format::{FormatError, Metric, Storage, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::successors::{metric_for, minimax_one_ply};
use thiserror::Error;

use crate::access::Access;
use crate::cache::BoardCache;
pub use crate::cache::CacheCounts;
use crate::open_table::OpenTable;
use crate::opened::Opened;
use crate::{Distances, ProbeError, TableError, ValueSource};

/// Decoded boards kept in memory unless another size is asked for, in bytes: 64 MiB.
pub const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// The tables of a folder. Each is opened when a value of it is first asked for; one that is missing or damaged is looked
/// for again the next time, and concerns no other. Share one among threads: none waits for another but to open a table.
#[derive(Debug)]
pub struct Tables {
    path: PathBuf,
    /// Folders that are looked into where the first lacks a table.
    others: Vec<PathBuf>,
    access: Access,
    open: Opened<OpenTable>,
    cache: BoardCache,
}

/// A sound table that is not what its set needs.
#[derive(Debug, Error)]
#[error("{}: {field}: expected {expected}, found {found}; delete the file and build it again", .path.display())]
struct Unfit {
    path: PathBuf,
    field: &'static str,
    expected: String,
    found: String,
}

impl Tables {
    /// The tables in a folder, which is not looked at before the first probe.
    pub fn new(folder: impl Into<PathBuf>) -> Tables {
        Tables::with_cache_bytes(folder, DEFAULT_CACHE_BYTES)
    }

    /// As [`Tables::new`], with at most so many bytes of decoded boards kept; 0 keeps none.
    pub fn with_cache_bytes(folder: impl Into<PathBuf>, cache_bytes: usize) -> Tables {
        Tables::with_access(folder, cache_bytes, Access::Mapped)
    }

    /// As [`Tables::with_cache_bytes`], the files read in another way.
    pub fn with_access(folder: impl Into<PathBuf>, cache_bytes: usize, access: Access) -> Tables {
        Tables {
            path: folder.into(),
            others: Vec::new(),
            access,
            open: Opened::new(),
            cache: BoardCache::new(cache_bytes),
        }
    }

    /// As [`Tables::with_access`], with more folders behind the first: a table is taken from the first that has it. Both of
    /// a set's tables must be in the same folder.
    #[must_use]
    pub fn and_folders(mut self, others: impl IntoIterator<Item = PathBuf>) -> Tables {
        self.others.extend(others);
        self
    }

    /// Opens a table, so that probes need not.
    ///
    /// # Errors
    ///
    /// If it is missing or damaged.
    pub fn open(&self, material: Material, metric: Metric, rules: &CountingRules) -> Result<(), TableError> {
        self.table(material, metric, rules).map(|_| ())
    }

    /// The folder that has a table, or the first.
    fn folder_of(&self, material: Material, metric: Metric) -> &Path {
        let name = format!("{material}.{metric}");
        let mut folders = std::iter::once(&self.path).chain(&self.others);
        match self.others.is_empty() {
            true => &self.path,
            false => folders.find(|folder| folder.join(&name).is_file()).unwrap_or(&self.path),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
    pub fn table(&self, material: Material, metric: Metric, rules: &CountingRules) -> Result<&OpenTable, TableError> {
        let open = self.open.get_or_open(material, metric, |number| {
            self.open_table(material, metric, number).map_err(|source| self.table_error(material, metric, source))
        })?;
        // DTM knows no count, so its tables serve under all rules.
        if metric != Metric::Dtm && open.rules() != rules.name() {
            return Err(self.unfit(open, material, metric, rules));
        }
        Ok(open)
    }

    fn open_table(&self, material: Material, metric: Metric, number: u16) -> Result<OpenTable, FormatError> {
        let layout = Layout::new(material);
        let folder = TableFolder::open_existing(self.folder_of(material, metric))?;
        OpenTable::open(&folder, layout, metric, self.access, number)
    }

    #[cold]
    fn unfit(&self, open: &OpenTable, material: Material, metric: Metric, rules: &CountingRules) -> TableError {
        TableError::Missing {
            material,
            metric,
            folder: self.path.clone(),
            source: Some(Box::new(Unfit {
                path: self.path.join(format!("{material}.{metric}")),
                field: "counting rules",
                expected: rules.name().to_owned(),
                found: open.rules().to_owned(),
            })),
        }
    }

    #[cold]
    pub fn table_error(&self, material: Material, metric: Metric, source: FormatError) -> TableError {
        TableError::of(material, metric, self.path.clone(), source)
    }

    #[cold]
    fn no_place(material: Material, metric: Metric, position: &Position) -> TableError {
        TableError::Corrupt { material, metric, source: format!("{position:?} has no place in it").into() }
    }

    /// Any position's value, whichever set it is of.
    fn value(&self, position: &Position, metric: Metric, rules: &CountingRules) -> Result<Value, ProbeError> {
        let oriented = Material::of(position.board())?;
        let material = oriented.material;
        if material == Material::BARE_KINGS {
            return Ok(Value::Draw);
        }
        let metric = metric_for(material, metric);
        self.value_of_set(position, oriented, metric, rules)
    }

    fn value_of_set(
        &self,
        position: &Position,
        Oriented { material, orientation }: Oriented,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        let open = self.table(material, metric, rules)?;
        let side = orientation.color(position.turn());
        if open.storage(side) == Storage::Absent {
            return minimax_one_ply(position, metric, rules, |after, metric| self.value(after, metric, rules));
        }
        let place = open.place(position, orientation).ok_or_else(|| Tables::no_place(material, metric, position))?;
        open.value(&self.cache, &place).map_err(|source| self.table_error(material, metric, source).into())
    }
}

impl ValueSource for Tables {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        let orientation = material.orientation_of(position.board());
        self.value_of_set(position, Oriented { material, orientation }, metric, rules)
    }

    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        let orientation = material.orientation_of(position.board());
        let (side, of_set) = (orientation.color(position.turn()), Oriented { material, orientation });
        let open = self.table(material, Metric::Dtm, rules)?;
        if open.storage(side) == Storage::Absent {
            let value = |metric| self.value_of_set(position, of_set, metric, rules);
            return Ok(match value(Metric::Dtm)? {
                dtm if dtm == Value::Draw || !material.is_armed() => Distances::bare(dtm),
                dtm => Distances { dtm, dtz: value(Metric::Dtz)? },
            });
        }
        let no_place = || Tables::no_place(material, Metric::Dtm, position);
        let place = open.place(position, orientation).ok_or_else(no_place)?;
        let error = |metric| move |source| self.table_error(material, metric, source);
        if !material.is_armed() {
            return Ok(Distances::bare(open.value(&self.cache, &place).map_err(error(Metric::Dtm))?));
        }
        // A missing DTZ table is no matter where nobody wins.
        let dtz = match self.table(material, Metric::Dtz, rules) {
            Ok(dtz) if dtz.refers_in_blocks(side) => dtz,
            other => {
                let dtm = open.value(&self.cache, &place).map_err(error(Metric::Dtm))?;
                if dtm == Value::Draw {
                    return Ok(Distances::DRAW);
                }
                let dtz = other?;
                let dtz = match dtz.storage(side) {
                    Storage::Absent => self.value_of_set(position, of_set, Metric::Dtz, rules)?,
                    _ => dtz.value(&self.cache, &place).map_err(error(Metric::Dtz))?,
                };
                return Ok(Distances { dtm, dtz });
            }
        };
        match dtz.pair(open, &self.cache, &place) {
            Ok((dtm, dtz)) => Ok(Distances { dtm, dtz }),
            Err(source) => {
                // Both were read: which of them is damaged, DTM says by itself.
                open.value(&self.cache, &place).map_err(error(Metric::Dtm))?;
                Err(error(Metric::Dtz)(source).into())
            }
        }
    }
}

impl Tables {
    /// How the cache of decoded boards has been used so far.
    pub fn cache_counts(&self) -> CacheCounts {
        self.cache.counts()
    }
}
