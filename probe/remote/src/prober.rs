//! Questions to tables whose bytes may not be here.

use std::cell::Cell;

use makruk_probe::{Attempt, Prober, TableError, Tablebase, ValueSource};
use makruk_rules::{CountingRules, Position};
use makruk_tables::value::{Bounds, Distances, Metric, TableValue, Value};

/// A prober of a tablebase over a store that may lack bytes. A question wants as many of them as it can at a time.
#[derive(Clone, Debug)]
pub struct RemoteProber {
    tablebase: Tablebase,
}

impl RemoteProber {
    /// A prober of these tables.
    pub const fn new(tablebase: Tablebase) -> RemoteProber {
        RemoteProber { tablebase }
    }
}

impl Attempt for RemoteProber {
    type Source = AttemptSource;

    fn attempt<T>(&self, ask: impl FnOnce(&Prober<AttemptSource>) -> T) -> Option<T> {
        let source = AttemptSource { tablebase: self.tablebase.clone(), is_complete: Cell::new(true) };
        let prober = Prober::new(source);
        let answer = ask(&prober);
        prober.source().is_complete.get().then_some(answer)
    }
}

/// The values that one attempt reads. One that wants bytes is a draw here, so that the question continues; its answer
/// is dropped.
#[derive(Debug)]
pub struct AttemptSource {
    tablebase: Tablebase,
    is_complete: Cell<bool>,
}

impl AttemptSource {
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
                self.is_complete.set(false);
                Ok(meanwhile)
            }
            read => read,
        }
    }
}

/// Bounds are the exact distances, so that an answer about both reads no category table besides.
impl ValueSource for AttemptSource {
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
}
