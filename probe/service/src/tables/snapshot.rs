//! The snapshot of the tables that answers come from.

use std::path::PathBuf;
use std::sync::Arc;

use arc_swap::ArcSwap;
use makruk_probe::{Access, CacheCounts, Distances, Prober, SlabSource, TableError, TableId, Tablebase, ValueSource};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Metric, Value};

use crate::backend::save_search::SEARCH_MIB;
use crate::metrics::Metrics;

/// A source of values that is not a folder of tables.
pub type SharedValueSource = Arc<dyn ValueSource + Send + Sync>;

/// A prober as jobs hold it.
pub(crate) type SnapshotProber = Prober<Arc<TableSnapshot>>;

/// The current snapshot. A job keeps the snapshot with which it began to its end; meanwhile the current one may be
/// exchanged.
pub(crate) struct CurrentTables(ArcSwap<TableSnapshot>);

/// Open tables, or another source of values. Probes are counted.
pub(crate) struct TableSnapshot {
    source: SharedValueSource,
    /// The tables, if they are the source.
    tablebase: Option<Tablebase>,
    metrics: Arc<Metrics>,
}

impl CurrentTables {
    /// The tables of a folder.
    pub(crate) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> CurrentTables {
        let builder = Tablebase::builder().folder(folder).access(watched()).cache_bytes(cache_bytes);
        // All searches together; and the watch notices tables that are added.
        let tablebase = builder.derived_bytes((SEARCH_MIB as u64) << 20).remember_missing(true).build();
        CurrentTables(ArcSwap::from_pointee(TableSnapshot::of(tablebase, metrics)))
    }

    /// Values from another source.
    pub(crate) fn other(source: SharedValueSource, metrics: Arc<Metrics>) -> CurrentTables {
        CurrentTables(ArcSwap::from_pointee(TableSnapshot { source, tablebase: None, metrics }))
    }

    /// A prober of the current snapshot.
    pub(crate) fn prober(&self) -> SnapshotProber {
        Prober::new(self.0.load_full())
    }

    /// Begins a new snapshot, which opens tables again at their next probe. Running jobs end with the snapshot they
    /// have.
    pub(crate) fn reopen(&self) {
        let snapshot = self.0.load();
        if let Some(tablebase) = &snapshot.tablebase {
            snapshot.metrics.reloads.inc();
            self.0.store(Arc::new(TableSnapshot::of(tablebase.reopened(), Arc::clone(&snapshot.metrics))));
        }
    }

    /// Looks again for tables that were missing.
    pub(crate) fn forget_missing(&self) {
        if let Some(tablebase) = &self.0.load().tablebase {
            tablebase.forget_missing();
        }
    }

    /// The use of the cache by the current snapshot.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        self.0.load().tablebase.as_ref().map(Tablebase::cache_counts).unwrap_or_default()
    }
}

impl SlabSource for TableSnapshot {
    fn tablebase(&self) -> Option<&Tablebase> {
        self.tablebase.as_ref()
    }
}

impl TableSnapshot {
    fn of(tablebase: Tablebase, metrics: Arc<Metrics>) -> TableSnapshot {
        TableSnapshot { source: Arc::new(tablebase.clone()), tablebase: Some(tablebase), metrics }
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
        self.source.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.counted(position, metric, self.source.value(position, metric))
    }

    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.counted(position, Metric::Category, self.source.bounds(position))
    }

    fn prefetch(&self, positions: &[Position]) {
        self.source.prefetch(positions);
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let distances = self.source.distances(position);
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
