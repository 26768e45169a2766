//! Tables that count their hits.

use std::sync::atomic::{AtomicU64, Ordering};

use makruk_rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Metric, Value};

use makruk_probe::{Distances, TableError, Tablebase, ValueSource};

/// Tables, and the number of values read from them.
#[derive(Debug)]
pub(super) struct CountedTables {
    pub(super) tables: Tablebase,
    hits: AtomicU64,
}

impl CountedTables {
    pub(super) fn new(tables: Tablebase) -> CountedTables {
        CountedTables { tables, hits: AtomicU64::new(0) }
    }

    /// The number of values read so far.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    fn counted<T>(&self, found: Result<T, TableError>) -> Result<T, TableError> {
        self.hits.fetch_add(u64::from(found.is_ok()), Ordering::Relaxed);
        found
    }
}

impl ValueSource for CountedTables {
    fn rules(&self) -> &CountingRules {
        self.tables.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.counted(self.tables.value(position, metric))
    }

    fn bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.counted(self.tables.bounds(position))
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.counted(self.tables.distances(position))
    }
}
