//! The outcome of a build.

use makruk_tables::format::MaterialTotals;
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

/// A material whose tables were written.
#[derive(Clone, Debug)]
pub struct Built {
    /// The material.
    pub material: Material,
    /// Its tables that were missing before.
    pub tables: Vec<WrittenTable>,
    /// Its totals.
    pub totals: MaterialTotals,
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
    /// The longest win, whoever moves, in plies; `None` if its values are not distances.
    pub longest_win: Option<u16>,
}
