//! The snapshot of the tables that answers come from.

use std::path::PathBuf;
use std::sync::Arc;

use makruk_format::survive_truncated_tables;
use makruk_probe::{Access, Distances, Prober, TableError, TableId, Tablebase, ValueSource};
use makruk_rules::{CountingRules, Position};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::value::{Bounds, Metric, Value};

use crate::admission::limits::SEARCH_MIB;
use crate::metrics::Metrics;

/// A prober as jobs hold it.
pub(crate) type SnapshotProber = Prober<Arc<TableSnapshot>>;

/// Open tables, whose probes are counted. A job keeps the snapshot with which it began to its end; meanwhile another
/// may take its place.
pub(crate) struct TableSnapshot {
    pub(crate) tables: Tablebase,
    metrics: Arc<Metrics>,
}

impl TableSnapshot {
    /// The tables of a folder.
    pub(crate) fn folder(folder: impl Into<PathBuf>, cache_bytes: usize, metrics: Arc<Metrics>) -> TableSnapshot {
        let builder = Tablebase::builder().folders([folder]).access(watched()).cache_bytes(cache_bytes);
        // All searches together.
        let tables = builder.derived_bytes((SEARCH_MIB as u64) << 20).build();
        TableSnapshot { tables, metrics }
    }

    /// A new snapshot, which opens tables again at their next probe.
    pub(crate) fn reopened(&self) -> TableSnapshot {
        self.metrics.reloads.inc();
        TableSnapshot { tables: self.tables.reopened(), metrics: Arc::clone(&self.metrics) }
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

    fn tablebase(&self) -> Option<&Tablebase> {
        Some(&self.tables)
    }

    /// Counts the probes of both tables.
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

/// Access through watched maps: an operator may replace files in place by mistake. The process survives that, as far as
/// its system allows.
pub(crate) fn watched() -> Access {
    Access::watched(survive_truncated_tables().ok())
}
