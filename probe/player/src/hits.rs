//! Tables that count their hits.

use std::sync::atomic::{AtomicU64, Ordering};

use makruk_tables::format::{Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Position};

use makruk_probe::{Distances, ProbeError, Tables, ValueSource};

/// Tables, and the number of values read from them.
#[derive(Debug)]
pub(super) struct CountedTables {
    pub(super) tables: Tables,
    hits: AtomicU64,
}

impl CountedTables {
    pub(super) fn new(tables: Tables) -> CountedTables {
        CountedTables { tables, hits: AtomicU64::new(0) }
    }

    /// The number of values read so far.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    fn counted<T>(&self, found: Result<T, ProbeError>) -> Result<T, ProbeError> {
        self.hits.fetch_add(u64::from(found.is_ok()), Ordering::Relaxed);
        found
    }
}

impl ValueSource for CountedTables {
    fn table_value(
        &self,
        position: &Position,
        material: Material,
        metric: Metric,
        rules: &CountingRules,
    ) -> Result<Value, ProbeError> {
        self.counted(self.tables.table_value(position, material, metric, rules))
    }

    fn table_distances(
        &self,
        position: &Position,
        material: Material,
        rules: &CountingRules,
    ) -> Result<Distances, ProbeError> {
        self.counted(self.tables.table_distances(position, material, rules))
    }
}
