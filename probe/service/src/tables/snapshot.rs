//! The snapshot of the tables that answers come from.

use std::path::PathBuf;
use std::sync::Arc;

use arc_swap::ArcSwap;
use makruk_probe::{Access, CacheCounts, Distances, Prober, SlabSource, TableError, TableId, Tablebase, ValueSource};
use makruk_tables::format::MaterialTotals;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Metric, Value};

use crate::backend::save_search::SEARCH_MIB;
use crate::metrics::Metrics;

/// A prober as jobs hold it.
pub(crate) type SnapshotProber = Prober<Arc<TableSnapshot>>;

/// The current snapshot. A job keeps the snapshot with which it began to its end; meanwhile the current one may be
/// exchanged.
pub(crate) struct CurrentTables(ArcSwap<TableSnapshot>);

/// Open tables, whose probes are counted.
pub(crate) struct TableSnapshot {
    pub(crate) tables: Tablebase,
    metrics: Arc<Metrics>,
}

impl CurrentTables {
    /// The tables of a folder.
    pub(crate) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> CurrentTables {
        let builder = Tablebase::builder().folder(folder).access(watched()).cache_bytes(cache_bytes);
        // All searches together; and the watch notices tables that are added.
        let tables = builder.derived_bytes((SEARCH_MIB as u64) << 20).remember_missing(true).build();
        CurrentTables(ArcSwap::from_pointee(TableSnapshot { tables, metrics }))
    }

    /// A prober of the current snapshot.
    pub(crate) fn prober(&self) -> SnapshotProber {
        Prober::new(self.0.load_full())
    }

    /// Begins a new snapshot, which opens tables again at their next probe. Running jobs end with the snapshot they
    /// have.
    pub(crate) fn reopen(&self) {
        let TableSnapshot { tables, metrics } = &**self.0.load();
        metrics.reloads.inc();
        self.0.store(Arc::new(TableSnapshot { tables: tables.reopened(), metrics: Arc::clone(metrics) }));
    }

    /// Looks again for tables that were missing.
    pub(crate) fn forget_missing(&self) {
        self.0.load().tables.forget_missing();
    }

    /// The use of the cache by the current snapshot.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        self.0.load().tables.cache_counts()
    }
}

impl SlabSource for TableSnapshot {
    fn tablebase(&self) -> Option<&Tablebase> {
        Some(&self.tables)
    }
}

impl TableSnapshot {
    /// The totals of a material, from the headers of its tables.
    pub(crate) fn totals(&self, material: Material) -> Result<MaterialTotals, TableError> {
        let open = |&metric| self.tables.table::<Value>(TableId { material, metric });
        let tables = material.distance_metrics().iter().map(open).collect::<Result<Vec<_>, _>>()?;
        Ok(MaterialTotals::of(&tables, material, self.rules()))
    }

    /// Counts a probe of a position's table.
    fn counted<T>(&self, position: &Position, metric: Metric, outcome: Result<T, TableError>) -> Result<T, TableError> {
        if let Ok(Oriented { material, .. }) = Material::of(position.board()) {
            self.metrics.table_probed(TableId::of(material, metric), &outcome);
        }
        outcome
    }
}

impl ValueSource for TableSnapshot {
    fn rules(&self) -> &CountingRules {
        self.tables.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.counted(position, metric, self.tables.value(position, metric))
    }

    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.counted(position, Metric::Category, self.tables.bounds(position))
    }

    fn prefetch(&self, positions: &[Position]) {
        self.tables.prefetch(positions);
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let distances = self.tables.distances(position);
        let Ok(Oriented { material, .. }) = Material::of(position.board()) else { return distances };
        let id = |metric| TableId { material, metric };
        match &distances {
            Ok(Distances { dtm, .. }) => {
                self.metrics.table_probed(id(Metric::Dtm), &distances);
                if material.has_dtz() && *dtm != Value::Draw {
                    self.metrics.table_probed(id(Metric::Dtz), &distances);
                }
            }
            Err(error) => self.metrics.table_probed(error.id().unwrap_or(id(Metric::Dtm)), &distances),
        }
        distances
    }
}

/// Access through watched maps: an operator may replace files in place by mistake.
#[allow(unsafe_code)]
pub(crate) fn watched() -> Access {
    // SAFETY: programs that serve survive SIGBUS, by `survive_truncated_tables` before they open a table.
    unsafe { Access::watched() }
}
