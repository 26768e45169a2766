//! The outcome of solving a material under one metric.

use std::collections::BTreeMap;

use makruk_format::Listed;
use makruk_rules::{ByColor, Color};
use makruk_tables::value::Value;

use super::decision_log::{DecisionLog, LogStore};
use super::geometry::Geometry;

/// The decided positions of a material under one metric, and their numbers.
pub(crate) struct Decisions {
    /// The decided positions with their distances.
    pub log: DecisionLog,
    /// By the side to move: the number of cells of full-board positions of each value.
    counts: ByColor<BTreeMap<Value, u64>>,
}

impl Decisions {
    /// No decision.
    pub(crate) fn none(geometry: &Geometry, store: LogStore) -> Decisions {
        Decisions { log: DecisionLog::new(store, geometry.slabs()), counts: ByColor::default() }
    }

    /// Begins with every legal position drawn.
    pub(crate) fn begin(&mut self, legal: ByColor<u64>) {
        self.counts = legal.map(|positions| BTreeMap::from([(Value::Draw, positions)]));
    }

    /// Whether the legal positions are counted.
    pub(crate) fn have_begun(&self) -> bool {
        self.counts.iter().any(|counts| !counts.is_empty())
    }

    /// Counts positions that a ply decided.
    pub(crate) fn count(&mut self, side: Color, value: Value, positions: u64) {
        if positions > 0 {
            *self.counts[side].entry(value).or_default() += positions;
            *self.counts[side].entry(Value::Draw).or_default() -= positions;
        }
    }

    /// The number of distinct legal positions of the full board that have each value, for a side to move, in the order
    /// of lists.
    pub(crate) fn histogram(&self, geometry: &Geometry, side: Color) -> Vec<(Value, u64)> {
        let cells = geometry.cells_of_a_position();
        let counts = self.counts[side].iter().filter(|&(_, &count)| count > 0);
        let mut histogram: Vec<(Value, u64)> = counts.map(|(&value, &count)| (value, count / cells)).collect();
        histogram.sort_unstable_by_key(|(value, _)| value.number());
        histogram
    }
}
