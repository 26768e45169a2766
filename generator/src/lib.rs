//! Set-wise retrograde analysis of pawnless Makruk endings.

mod captures;
mod child;
mod distances;
mod encode;
mod error;
mod geometry;
mod legality;
mod memory;
mod progress;
mod pull;
mod set;
mod solve;
mod solved;

pub use child::Children;
pub use error::BuildError;
pub use memory::{MemoryTable, MemoryTables};
pub use progress::{Progress, Silent};

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

/// The most men, kings included, of a set that can be solved.
pub const MOST_MEN: usize = 5;

/// Solves a set under every metric it has, in memory.
///
/// # Errors
///
/// If the set has too many men, a child is missing, or `progress` stops it.
pub fn solve_in_memory(
    set: Material,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
) -> Result<Vec<(Metric, MemoryTable)>, BuildError> {
    let geometry = geometry::Geometry::new(set);
    let legality = solve::legality(&geometry);
    let metrics = if set.is_armed() { &Metric::ALL[..] } else { &[Metric::Dtm] };
    metrics
        .iter()
        .map(|&metric| {
            let solved = solve::solve(&geometry, &legality, metric, rules, children, progress)?;
            let encoder = encode::Encoder::new(&geometry, &legality, &solved);
            Ok((metric, MemoryTable::new(geometry.layout(), &encoder)))
        })
        .collect()
}
