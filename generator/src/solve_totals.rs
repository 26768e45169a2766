//! A material solved without files.

use makruk_rules::{ByColor, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::tablebase::SideSource;
use makruk_tables::value::{Metric, Value};

use crate::child::cached;
use crate::error::BuildError;
use crate::memory_plan::MemoryPlan;
use crate::options::Budget;
use crate::progress::Progress;
use crate::solve::file_order::Encoder;
use crate::solve::geometry::Geometry;
use crate::solve::{MemoryLimit, Solver, SolverRoom};

/// The values of one side to move that occur, in the order of lists, with the number of distinct legal full-board
/// positions of each.
pub type Histogram = Vec<(Value, u64)>;

/// Solves a material under every metric it has and keeps the totals only, so that solving can be timed without files.
///
/// # Errors
///
/// If the material has too many men, a child is missing, or `progress` stops it.
pub fn solve_totals(
    material: Material,
    rules: &CountingRules,
    children: &dyn SideSource,
    progress: &dyn Progress,
) -> Result<Vec<(Metric, ByColor<Histogram>)>, BuildError> {
    BuildError::check_men(material)?;
    let budget = Budget::default();
    let geometry = Geometry::within(material, &budget);
    let plan = MemoryPlan::of(&geometry, &budget);
    let children = &cached(children, plan.children_cache());
    let mut room = SolverRoom::new(geometry, plan, MemoryLimit::None, &budget)?;
    let mut solver = Solver::new(&mut room)?;
    let mut totals = Vec::new();
    for &metric in material.distance_metrics() {
        solver.solve(metric, rules, children, progress)?;
        if let Some((_, decisions)) = solver.decisions.last() {
            let encoder = Encoder::new(solver.geometry, decisions);
            totals.push((metric, ByColor::from_fn(|side| encoder.histogram(side).to_vec())));
        }
    }
    Ok(totals)
}
