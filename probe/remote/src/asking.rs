//! The values of positions, as far as their bytes are here.

use std::sync::atomic::{AtomicBool, Ordering};

use makruk_probe::{TableError, Tablebase, ValueSource};
use makruk_tables::rules::{Category, CountingRules, Position};
use makruk_tables::value::{Bounds, Distances, Metric, MovesLeft, TableValue, Value};

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

    /// Whether all values were here since this was asked last.
    pub fn take_complete(&self) -> bool {
        self.is_complete.swap(true, Ordering::Relaxed)
    }

    /// Whether all values were here since [`take_complete`](AskingSource::take_complete).
    pub fn is_complete(&self) -> bool {
        self.is_complete.load(Ordering::Relaxed)
    }

    /// Counts as incomplete, whatever was here.
    pub fn mark_incomplete(&self) {
        self.is_complete.store(false, Ordering::Relaxed);
    }

    /// The category of a position for a count that begins now, by its category table as far as that decides it.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::category`].
    pub fn category(&self, position: &Position) -> Result<Category, TableError> {
        let left = MovesLeft::on(position.board(), self.tablebase.rules());
        let bounds = self.tablebase.bounds(position);
        let bounds = self.or_wanted(bounds, position, Tablebase::prefetch_categories, Bounds::DRAW)?;
        match left.category_within(bounds) {
            Some(category) => Ok(category),
            None => Ok(left.category(self.distances(position)?.into())),
        }
    }

    fn or_wanted<T>(
        &self,
        read: Result<T, TableError>,
        position: &Position,
        want: fn(&Tablebase, &[Position]),
        meanwhile: T,
    ) -> Result<T, TableError> {
        match read {
            Err(error) if error.wants_bytes() => {
                want(&self.tablebase, std::slice::from_ref(position));
                self.mark_incomplete();
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
        self.or_wanted(self.tablebase.value(position, metric), position, Tablebase::prefetch, Value::Draw)
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.or_wanted(self.tablebase.distances(position), position, Tablebase::prefetch, Distances::DRAW)
    }
}
