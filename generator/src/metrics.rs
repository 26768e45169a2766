//! What a set is solved for, and what it has tables of.

use makruk_tables::format::Metric;
use makruk_tables::material::Material;

/// The distances that a set is solved for.
pub fn metrics(set: Material) -> &'static [Metric] {
    if set.is_armed() { &Metric::DISTANCES } else { &[Metric::Dtm] }
}

/// The metrics a set has tables for: distances, and the category that follows from them.
pub fn tables(set: Material) -> &'static [Metric] {
    if set.is_armed() { &Metric::ALL } else { &[Metric::Dtm, Metric::Wdl] }
}
