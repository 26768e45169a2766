//! Tables kept in memory: what solves and tests use in place of files.

use std::collections::HashMap;

use makruk_tables::format::{FormatError, Metric, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};

use crate::child::Children;
use crate::encode::Encoder;
use crate::error::BuildError;
use crate::plan::metrics;
use crate::progress::Progress;
use crate::solve::{Room, Solver};

/// One table: the values of both sides to move, in the file's order.
#[derive(Clone, Debug)]
pub struct MemoryTable {
    slab_len: usize,
    values: ByColor<Vec<Value>>,
    histograms: ByColor<Histogram>,
}

impl MemoryTable {
    pub(crate) fn new(layout: &Layout, encoder: &Encoder<'_>) -> Result<MemoryTable, FormatError> {
        let mut values = ByColor::<Vec<Value>>::default();
        for side in Color::ALL {
            let list = encoder.histogram(side);
            for slab in 0..layout.slabs() {
                let codes = encoder.slab(side, slab)?;
                values[side].extend(codes.into_iter().map(|code| list[usize::from(code)].0));
            }
        }
        let histograms = ByColor::from_fn(|side| encoder.histogram(side).to_vec());
        Ok(MemoryTable { slab_len: layout.slab_len() as usize, values, histograms })
    }

    /// The value at a number of [`Layout::index`]. That of an illegal position means nothing.
    pub fn value(&self, side: Color, number: u64) -> Value {
        self.values[side][number as usize]
    }

    /// How many distinct legal full-board positions have each value.
    pub fn histogram(&self, side: Color) -> &[(Value, u64)] {
        &self.histograms[side]
    }
}

/// Tables of several sets.
#[derive(Clone, Debug, Default)]
pub struct MemoryTables {
    tables: HashMap<(Material, Metric), MemoryTable>,
}

impl MemoryTables {
    /// Adds a table.
    pub fn insert(&mut self, set: Material, metric: Metric, table: MemoryTable) {
        self.tables.insert((set, metric), table);
    }

    /// A set's table.
    pub fn get(&self, set: Material, metric: Metric) -> Option<&MemoryTable> {
        self.tables.get(&(set, metric))
    }
}

impl Children for MemoryTables {
    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        values: &mut Vec<Value>,
    ) -> Result<(), BuildError> {
        let table = self.get(child, metric).ok_or(BuildError::MissingChild { child, metric })?;
        values.clear();
        values.extend_from_slice(&table.values[side][slab * table.slab_len..][..table.slab_len]);
        Ok(())
    }
}

/// The values of one side to move that occur, ascending, with the number of distinct legal full-board positions of each.
pub type Histogram = Vec<(Value, u64)>;

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
    solve_each(set, rules, children, progress, MemoryTable::new)
}

/// Solves a set under every metric it has and keeps the totals only: what solving costs without files.
///
/// # Errors
///
/// If the set has too many men, a child is missing, or `progress` stops it.
pub fn solve_totals(
    set: Material,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
) -> Result<Vec<(Metric, ByColor<Histogram>)>, BuildError> {
    solve_each(set, rules, children, progress, |_, encoder| {
        Ok(ByColor::from_fn(|side| encoder.histogram(side).to_vec()))
    })
}

fn solve_each<T>(
    set: Material,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
    keep: impl Fn(&Layout, &Encoder<'_>) -> Result<T, FormatError>,
) -> Result<Vec<(Metric, T)>, BuildError> {
    crate::check_men(set)?;
    let layout = Layout::new(set);
    let mut solver = Solver::new(set, Room::Memory)?;
    metrics(set)
        .iter()
        .map(|&metric| Ok((metric, keep(&layout, &solver.solve(metric, rules, children, progress)?)?)))
        .collect()
}
