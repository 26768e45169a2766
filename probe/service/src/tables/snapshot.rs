//! The snapshot of the tables that answers come from.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};

use crate::metrics::Metrics;
use makruk_probe::{Access, CacheCounts, Distances, ProbeError, Prober, TableError, Tables, ValueSource};
use makruk_research::SlabSource;

/// A source of values that is not a folder of tables.
pub type SharedValueSource = Arc<dyn ValueSource + Send + Sync>;

/// The current snapshot. A job keeps the snapshot with which it began to its end; meanwhile the current one may be exchanged.
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
    Folder { tables: Arc<Tables>, cache_bytes: usize },
    Other(SharedValueSource),
}

impl SnapshotSource {
    fn values(&self) -> &dyn ValueSource {
        match self {
            SnapshotSource::Folder { tables, .. } => &**tables,
            SnapshotSource::Other(source) => &**source,
        }
    }
}

impl CurrentTables {
    /// The tables of a folder.
    pub(crate) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> CurrentTables {
        let tables = Arc::new(Tables::with_access(folder, cache_bytes, Access::Watched));
        CurrentTables::new(SnapshotSource::Folder { tables, cache_bytes }, metrics)
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
    pub(crate) fn prober(&self) -> Prober<Arc<TableSnapshot>> {
        Prober::with_rules(self.snapshot.load_full(), self.rules.clone())
    }

    /// The counting rules.
    pub(crate) fn rules(&self) -> &CountingRules {
        &self.rules
    }

    /// Begins a new snapshot, which opens tables anew at their next probe. Running jobs end with the snapshot they have.
    pub(crate) fn reopen(&self) {
        let SnapshotSource::Folder { tables, cache_bytes } = &self.snapshot.load().source else { return };
        let fresh = Arc::new(Tables::with_access(tables.path(), *cache_bytes, Access::Watched));
        let CacheCounts { hits, misses, .. } = tables.cache_counts();
        {
            let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
            retired.hits += hits;
            retired.misses += misses;
        }
        let source = SnapshotSource::Folder { tables: fresh, cache_bytes: *cache_bytes };
        self.snapshot.store(Arc::new(TableSnapshot { source, metrics: Arc::clone(&self.metrics) }));
        self.metrics.reloads.inc();
    }

    /// The use of the caches since the start.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        let current = match &self.snapshot.load().source {
            SnapshotSource::Folder { tables, .. } => tables.cache_counts(),
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
    fn tables(&self) -> Option<&Tables> {
        match &self.source {
            SnapshotSource::Folder { tables, .. } => Some(tables),
            SnapshotSource::Other(_) => None,
        }
    }
}

impl ValueSource for TableSnapshot {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        let value = self.source.values().table_value(position, material, metric, rules);
        self.metrics.table_probed(material, metric, &value);
        value
    }

    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        let distances = self.source.values().table_distances(position, material, rules);
        // DTM is read first: where DTZ fails, DTM had a value.
        let dtz_fails = matches!(
            &distances,
            Err(ProbeError::Table(
                TableError::Missing { metric: Metric::Dtz, .. } | TableError::Corrupt { metric: Metric::Dtz, .. }
            ))
        );
        if dtz_fails {
            self.metrics.table_probed(material, Metric::Dtm, &Ok(()));
        } else {
            self.metrics.table_probed(material, Metric::Dtm, &distances);
        }
        if dtz_fails || material.is_armed() && distances.as_ref().is_ok_and(|distances| distances.dtm != Value::Draw) {
            self.metrics.table_probed(material, Metric::Dtz, &distances);
        }
        distances
    }
}
