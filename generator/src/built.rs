//! What a build has made.

use makruk_tables::format::{Metric, ValueList};
use makruk_tables::material::Material;
use makruk_tables::rules::ByColor;

/// A set whose tables were written.
#[derive(Clone, Debug)]
pub struct Built {
    /// The set.
    pub set: Material,
    /// Those of its tables that were missing.
    pub tables: Vec<WrittenTable>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// A table that was written.
#[derive(Clone, Debug)]
pub struct WrittenTable {
    /// Its metric.
    pub metric: Metric,
    /// Its length in bytes.
    pub bytes: u64,
    /// By the side to move: each value, with the number of distinct legal full-board positions that have it.
    pub values: ByColor<ValueList>,
}
