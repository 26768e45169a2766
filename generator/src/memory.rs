//! Tables kept in memory instead of files.

use std::collections::HashMap;
use std::sync::Arc;

use makruk_tables::format::FormatError;
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};
use makruk_tables::tablebase::{MemorySide, SideReader, SideSource, TableError, TableId};
use makruk_tables::value::{Metric, Value};

use crate::child::cached;
use crate::error::BuildError;
use crate::memory_plan::MemoryPlan;
use crate::options::Budget;
use crate::progress::Progress;
use crate::solve::file_order::Encoder;
use crate::solve::geometry::Geometry;
use crate::solve::{MemoryLimit, Solver, SolverRoom};

/// One table: the values of both sides to move, in the file's order.
#[derive(Clone, Debug)]
pub struct MemoryTable {
    sides: ByColor<Arc<MemorySide>>,
    histograms: ByColor<Histogram>,
}

impl MemoryTable {
    fn new(id: TableId, layout: &Layout, encoder: &Encoder<'_>) -> Result<MemoryTable, FormatError> {
        let histograms = ByColor::from_fn(|side| encoder.histogram(side).to_vec());
        let side = |side| {
            let (mut codes, mut of_slab, mut room) = (Vec::new(), Vec::new(), Vec::new());
            for slab in 0..layout.slabs() {
                encoder.slab(side, slab, &mut of_slab, &mut room)?;
                codes.append(&mut of_slab);
            }
            let values = encoder.histogram(side).iter().map(|entry| entry.0).collect();
            Ok::<_, FormatError>(Arc::new(MemorySide::new(id, side, values, codes)))
        };
        Ok(MemoryTable { sides: ByColor { white: side(Color::White)?, black: side(Color::Black)? }, histograms })
    }

    /// A side to move.
    pub fn side(&self, side: Color) -> &Arc<MemorySide> {
        &self.sides[side]
    }

    /// The number of distinct legal full-board positions that have each value.
    pub fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }
}

/// Tables of several materials.
#[derive(Clone, Debug, Default)]
pub struct MemoryTables {
    tables: HashMap<TableId, MemoryTable>,
}

impl MemoryTables {
    /// Adds a table.
    pub fn insert(&mut self, id: TableId, table: MemoryTable) {
        self.tables.insert(id, table);
    }

    /// A table.
    pub fn get(&self, id: TableId) -> Option<&MemoryTable> {
        self.tables.get(&id)
    }
}

impl SideSource for MemoryTables {
    fn side(&self, id: TableId, side: Color) -> Result<Arc<dyn SideReader>, TableError> {
        let missing = || TableError::Missing { id, path: id.to_string().into(), source: None };
        Ok(Arc::clone(self.get(id).ok_or_else(missing)?.side(side)) as Arc<dyn SideReader>)
    }
}

/// The values of one side to move that occur, in the order of lists, with the number of distinct legal full-board
/// positions of each.
pub type Histogram = Vec<(Value, u64)>;

/// Solves a material under every metric it has, in memory.
///
/// # Errors
///
/// If the material has too many men, a child is missing, or `progress` stops it.
pub fn solve_in_memory(
    material: Material,
    rules: &CountingRules,
    children: &dyn SideSource,
    progress: &dyn Progress,
) -> Result<Vec<(Metric, MemoryTable)>, BuildError> {
    solve_each(material, rules, children, progress, |metric, layout, encoder| {
        MemoryTable::new(TableId { material, metric }, layout, encoder)
    })
}

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
    solve_each(material, rules, children, progress, |_, _, encoder| {
        Ok(ByColor::from_fn(|side| encoder.histogram(side).to_vec()))
    })
}

fn solve_each<T>(
    material: Material,
    rules: &CountingRules,
    children: &dyn SideSource,
    progress: &dyn Progress,
    keep: impl Fn(Metric, &Layout, &Encoder<'_>) -> Result<T, FormatError>,
) -> Result<Vec<(Metric, T)>, BuildError> {
    BuildError::check_men(material)?;
    let layout = Layout::new(material);
    let budget = Budget::default();
    let geometry = Geometry::within(material, &budget);
    let plan = MemoryPlan::of(&geometry, &budget);
    let children = &cached(children, plan.children_cache());
    let mut room = SolverRoom::new(geometry, plan, MemoryLimit::None, &budget)?;
    let mut solver = Solver::new(&mut room)?;
    let mut kept = Vec::new();
    for &metric in material.distance_metrics() {
        solver.solve(metric, rules, children, progress)?;
        if let Some(encoder) = solver.solved(metric) {
            kept.push((metric, keep(metric, &layout, &encoder)?));
        }
    }
    Ok(kept)
}
