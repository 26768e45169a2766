//! Tables kept in memory: what solves and tests use in place of files.

use std::collections::HashMap;

use makruk_tables::format::{FormatError, Metric, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};

use crate::budget::Budget;
use crate::child::Children;
use crate::error::BuildError;
use crate::kept::KeptChildren;
use crate::metrics::metrics;
use crate::progress::Progress;
use crate::solve::file_order::Encoder;
use crate::solve::{MemoryLimit, Solver};

/// One table: the values of both sides to move, in the file's order.
#[derive(Clone, Debug)]
pub struct MemoryTable {
    slab_len: usize,
    codes: ByColor<Vec<u16>>,
    histograms: ByColor<Histogram>,
}

impl MemoryTable {
    pub(crate) fn new(layout: &Layout, encoder: &Encoder<'_>) -> Result<MemoryTable, FormatError> {
        let mut codes = ByColor::<Vec<u16>>::default();
        for side in Color::ALL {
            for slab in 0..layout.slabs() {
                codes[side].extend(encoder.slab(side, slab)?);
            }
        }
        let histograms = ByColor::from_fn(|side| encoder.histogram(side).to_vec());
        Ok(MemoryTable { slab_len: layout.slab_len() as usize, codes, histograms })
    }

    /// The value at a number of [`Layout::index`]. That of an illegal position means nothing.
    pub fn value(&self, side: Color, number: u64) -> Value {
        self.histograms[side][usize::from(self.codes[side][number as usize])].0
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

impl MemoryTables {
    fn child(&self, child: Material, metric: Metric) -> Result<&MemoryTable, BuildError> {
        self.get(child, metric).ok_or(BuildError::MissingChild { child, metric })
    }
}

impl Children for MemoryTables {
    fn values(&self, child: Material, metric: Metric, side: Color) -> Result<Vec<Value>, BuildError> {
        Ok(self.child(child, metric)?.histogram(side).iter().map(|entry| entry.0).collect())
    }

    fn read_slab(
        &self,
        child: Material,
        metric: Metric,
        side: Color,
        slab: usize,
        codes: &mut Vec<u16>,
    ) -> Result<(), BuildError> {
        let table = self.child(child, metric)?;
        codes.clear();
        codes.extend_from_slice(&table.codes[side][slab * table.slab_len..][..table.slab_len]);
        Ok(())
    }

    fn is_worth_keeping(&self, _: Material, _: Metric, _: Color) -> Result<bool, BuildError> {
        Ok(false)
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
    let children = &KeptChildren::new(children);
    let mut solver = Solver::new(set, MemoryLimit::None, &Budget::default())?;
    metrics(set)
        .iter()
        .map(|&metric| Ok((metric, keep(&layout, &solver.solve(metric, rules, children, progress)?)?)))
        .collect()
}
