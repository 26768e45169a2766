//! The outcome of a build.

use makruk_tables::format::ValueList;
use makruk_tables::material::Material;
use makruk_tables::rules::ByColor;
use makruk_tables::value::Metric;

/// A material whose tables were written.
#[derive(Clone, Debug)]
pub struct Built {
    /// The material.
    pub material: Material,
    /// Its tables that were missing before.
    pub tables: Vec<WrittenTable>,
    /// The time that it took, in seconds.
    pub seconds: f64,
}

/// A table that was written.
#[derive(Clone, Debug)]
pub struct WrittenTable {
    /// Its metric.
    pub metric: Metric,
    /// Its length, in bytes.
    pub bytes: u64,
    /// By the side to move: each value, with the number of distinct legal full-board positions that have it.
    pub values: ByColor<ValueList>,
}
