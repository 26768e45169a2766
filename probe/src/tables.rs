//! The tables of a folder, opened when they are needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use makruk_tables::format::{FormatError, MappedTable, Metric, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};
use thiserror::Error;

pub use crate::cache::CacheCounts;
use crate::cache::{BlockCache, BlockKey};
use crate::{ProbeError, TableError, ValueSource};

/// Decoded blocks kept in memory unless another size is asked for, in bytes: 64 MiB.
pub const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// The tables of a folder. Each is opened when a value of it is first asked for; one that is missing or damaged is looked
/// for again the next time, and concerns no other. Share one among threads.
#[derive(Debug)]
pub struct Tables {
    path: PathBuf,
    open: RwLock<HashMap<(Material, Metric), Arc<OpenTable>>>,
    cache: BlockCache,
    next_number: AtomicU32,
}

#[derive(Debug)]
struct OpenTable {
    table: MappedTable,
    layout: Layout,
    number: u32,
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

    /// As [`Tables::new`], with at most so many bytes of decoded blocks kept; 0 keeps none.
    pub fn with_cache_bytes(folder: impl Into<PathBuf>, cache_bytes: usize) -> Tables {
        Tables {
            path: folder.into(),
            open: RwLock::default(),
            cache: BlockCache::new(cache_bytes),
            next_number: AtomicU32::new(0),
        }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn table(&self, material: Material, metric: Metric, rules: &CountingRules) -> Result<Arc<OpenTable>, TableError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner).get(&(material, metric)).cloned();
        let table = match open {
            Some(table) => table,
            None => self.open_table(material, metric)?,
        };
        // DTM knows no count, so its tables serve under all rules.
        let made_for = &table.table.spec().rules;
        if metric == Metric::Dtz && made_for != rules.name() {
            return Err(TableError::Missing {
                material,
                metric,
                folder: self.path.clone(),
                source: Some(Box::new(Unfit {
                    path: table.table.path().to_owned(),
                    field: "counting rules",
                    expected: rules.name().to_owned(),
                    found: made_for.clone(),
                })),
            });
        }
        Ok(table)
    }

    fn open_table(&self, material: Material, metric: Metric) -> Result<Arc<OpenTable>, TableError> {
        let layout = Layout::new(material);
        let table = TableFolder::open_existing(&self.path)
            .and_then(|folder| folder.open_set(&layout, metric))
            .map_err(|source| self.table_error(material, metric, source))?;
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let entry = open.entry((material, metric)).or_insert_with(|| {
            let number = self.next_number.fetch_add(1, Ordering::Relaxed);
            Arc::new(OpenTable { table, layout, number })
        });
        Ok(Arc::clone(entry))
    }

    fn table_error(&self, material: Material, metric: Metric, source: FormatError) -> TableError {
        TableError::of(material, metric, self.path.clone(), source)
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
        let open = self.table(material, metric, rules)?;
        let table = &open.table;
        let damaged = |source| self.table_error(material, metric, source);
        let (side, number) = open.layout.index(position).ok_or_else(|| TableError::Corrupt {
            material,
            metric,
            source: format!("{position:?} has no place in it").into(),
        })?;
        if let Some(value) = table.constant(side) {
            return Ok(value);
        }
        let (block, place) = table.block_of(number);
        let key = BlockKey { table: open.number, side, block };
        let codes = self
            .cache
            .get_or_decode(key, || {
                let mut codes = Vec::new();
                table.decode_block(side, block, &mut codes).map(|()| codes)
            })
            .map_err(damaged)?;
        Ok(table.value_in(side, block, &codes, place).map_err(damaged)?)
    }
}

impl Tables {
    /// How the cache of decoded blocks has been used so far.
    pub fn cache_counts(&self) -> CacheCounts {
        self.cache.counts()
    }
}
