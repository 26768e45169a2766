//! The values of positions, as far as their bytes are here.

use std::sync::atomic::{AtomicBool, Ordering};

use makruk_probe::{TableError, Tablebase, ValueSource};
use makruk_rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Distances, Metric, TableValue, Value};

/// A tablebase over a store that may lack bytes. A value whose bytes are wanted is a draw here, so that a question
/// continues and wants as much as it can at a time. Its answer counts only if the question was complete.
#[derive(Debug)]
pub struct AskingSource {
    tablebase: Tablebase,
    is_complete: AtomicBool,
}

impl AskingSource {
    /// The values of a tablebase.
    pub fn new(tablebase: Tablebase) -> AskingSource {
        AskingSource { tablebase, is_complete: AtomicBool::new(true) }
    }

    fn or_wanted<T>(
        &self,
        read: Result<T, TableError>,
        position: &Position,
        metrics: &[Metric],
        meanwhile: T,
    ) -> Result<T, TableError> {
        match read {
            Err(error) if error.wants_bytes() => {
                self.tablebase.want(position, metrics);
                self.is_complete.store(false, Ordering::Relaxed);
                Ok(meanwhile)
            }
            read => read,
        }
    }
}

/// Bounds are the exact distances, so that an answer about both reads no category table besides.
impl ValueSource for AskingSource {
    fn rules(&self) -> &CountingRules {
        self.tablebase.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.or_wanted(self.tablebase.value(position, metric), position, &Metric::DISTANCES, Value::Draw)
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.or_wanted(self.tablebase.distances(position), position, &Metric::DISTANCES, Distances::DRAW)
    }

    fn category_bounds(&self, position: &Position) -> Result<Bounds, TableError> {
        self.or_wanted(self.tablebase.bounds(position), position, &[Metric::Category], Bounds::DRAW)
    }

    fn take_complete(&self) -> bool {
        self.is_complete.swap(true, Ordering::Relaxed)
    }
}
