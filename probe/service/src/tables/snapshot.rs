//! The snapshot of the tables that answers come from.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use makruk_probe::{Access, CacheCounts, Distances, Prober, SlabSource, TableError, TableId, Tablebase, ValueSource};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Metric, Value};

use crate::backend::save_query::SEARCH_MIB;
use crate::metrics::Metrics;

/// A source of values that is not a folder of tables.
pub type SharedValueSource = Arc<dyn ValueSource + Send + Sync>;

/// A prober as jobs hold it.
pub(crate) type SnapshotProber = Prober<Arc<TableSnapshot>>;

/// The current snapshot. A job keeps the snapshot with which it began to its end; meanwhile the current one may be
/// exchanged.
pub(crate) struct CurrentTables {
    snapshot: ArcSwap<TableSnapshot>,
    rules: CountingRules,
    metrics: Arc<Metrics>,
    /// The counts of earlier snapshots' caches.
    retired: Mutex<CacheCounts>,
}

/// Open tables, or another source of values. Probes are counted.
#[derive(Clone)]
pub(crate) struct TableSnapshot {
    source: SnapshotSource,
    metrics: Arc<Metrics>,
}

#[derive(Clone)]
enum SnapshotSource {
    Folder(Tablebase),
    Other(SharedValueSource),
}

impl SnapshotSource {
    fn values(&self) -> &dyn ValueSource {
        match self {
            SnapshotSource::Folder(tablebase) => tablebase,
            SnapshotSource::Other(source) => &**source,
        }
    }
}

impl CurrentTables {
    /// The tables of a folder.
    pub(crate) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> CurrentTables {
        let builder = Tablebase::builder().folder(folder).access(watched()).cache_bytes(cache_bytes);
        // All searches together; and the watch notices tables that are added.
        let tablebase = builder.derived_bytes((SEARCH_MIB as u64) << 20).remember_missing(true).build();
        CurrentTables::new(SnapshotSource::Folder(tablebase), metrics)
    }

    /// Values from another source.
    pub(crate) fn other(source: SharedValueSource, metrics: Arc<Metrics>) -> CurrentTables {
        CurrentTables::new(SnapshotSource::Other(source), metrics)
    }

    fn new(source: SnapshotSource, metrics: Arc<Metrics>) -> CurrentTables {
        let snapshot = TableSnapshot { source, metrics: Arc::clone(&metrics) };
        CurrentTables {
            snapshot: ArcSwap::from_pointee(snapshot),
            rules: CountingRules::MAKRUK,
            metrics,
            retired: Mutex::default(),
        }
    }

    /// A prober of the current snapshot.
    pub(crate) fn prober(&self) -> SnapshotProber {
        Prober::new(self.snapshot.load_full())
    }

    /// The counting rules.
    pub(crate) fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// Begins a new snapshot, which opens tables again at their next probe. Running jobs end with the snapshot they
    /// have.
    pub(crate) fn reopen(&self) {
        let snapshot = self.snapshot.load();
        let SnapshotSource::Folder(tablebase) = &snapshot.source else { return };
        let fresh = tablebase.reopened();
        let CacheCounts { hits, misses, .. } = tablebase.cache_counts();
        {
            let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
            retired.hits += hits;
            retired.misses += misses;
        }
        let source = SnapshotSource::Folder(fresh);
        self.snapshot.store(Arc::new(TableSnapshot { source, metrics: Arc::clone(&self.metrics) }));
        self.metrics.reloads.inc();
    }

    /// Looks again for tables that were missing.
    pub(crate) fn forget_missing(&self) {
        if let SnapshotSource::Folder(tablebase) = &self.snapshot.load().source {
            tablebase.forget_missing();
        }
    }

    /// The use of the caches since the start.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        let current = match &self.snapshot.load().source {
            SnapshotSource::Folder(tablebase) => tablebase.cache_counts(),
            SnapshotSource::Other(_) => CacheCounts::default(),
        };
        let retired = *self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        CacheCounts { hits: current.hits + retired.hits, misses: current.misses + retired.misses, bytes: current.bytes }
    }
}

impl fmt::Debug for CurrentTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

impl SlabSource for TableSnapshot {
    fn tablebase(&self) -> Option<&Tablebase> {
        match &self.source {
            SnapshotSource::Folder(tablebase) => Some(tablebase),
            SnapshotSource::Other(_) => None,
        }
    }
}

impl TableSnapshot {
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
        self.source.values().rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.counted(position, metric, self.source.values().value(position, metric))
    }

    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.counted(position, Metric::Category, self.source.values().bounds(position))
    }

    fn prefetch(&self, positions: &[Position]) {
        self.source.values().prefetch(positions);
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        let distances = self.source.values().distances(position);
        let Ok(Oriented { material, .. }) = Material::of(position.board()) else { return distances };
        let [dtm, dtz] = Metric::DISTANCES.map(|metric| TableId { material, metric });
        // DTM is read first: where DTZ fails, DTM had a value.
        let dtz_fails = distances.as_ref().is_err_and(|error| error.id().is_some_and(|id| id.metric == Metric::Dtz));
        if dtz_fails {
            self.metrics.table_probed(dtm, &Ok(()));
        } else {
            self.metrics.table_probed(dtm, &distances);
        }
        if dtz_fails || material.has_dtz() && distances.as_ref().is_ok_and(|distances| distances.dtm != Value::Draw) {
            self.metrics.table_probed(dtz, &distances);
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
