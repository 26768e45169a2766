//! Retrograde analysis of one material under one metric.
//!
//! From the bottom up: [`geometry`] lays out the positions of a material, [`bitset`] holds sets of them, [`legality`] finds
//! the legal ones, [`mod@capture_seeds`] those that captures decide, [`predecessors`] those with a move into a set,
//! [`slab_pass`] decides the positions of one slab at one ply, [`attack`] runs one attacker's plies, and [`Solver`] both
//! attackers'. Decisions go to a [`decision_log`], whose blobs a [`spill_store`] keeps, and come back in the order of files
//! ([`file_order`]).

pub(crate) mod attack;
pub(crate) mod bitset;
pub(crate) mod capture_seeds;
pub(crate) mod decision_log;
pub(crate) mod file_order;
pub(crate) mod geometry;
pub(crate) mod legality;
pub(crate) mod predecessors;
mod slab_pass;
pub(crate) mod solution;
pub(crate) mod spill_store;
#[cfg(test)]
mod tests;

use std::path::Path;

use makruk_tables::format::FormatError;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tables::tablebase::SideSource;
use makruk_tables::value::Metric;

use crate::budget::Budget;
use crate::error::BuildError;
use crate::memory_plan::MemoryPlan;
use crate::progress::Progress;
use attack::{Attack, AttackPlies};
use capture_seeds::{CaptureRule, capture_seeds};
use file_order::Encoder;
use geometry::Geometry;
use solution::Decisions;
use spill_store::SpillStore;

/// The memory that decisions and capture seeds may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemoryLimit<'a> {
    /// As much as there is.
    None,
    /// As much as the plan foresees; the rest spills into files without names in this folder.
    Plan(&'a Path),
}

impl MemoryLimit<'_> {
    /// A store of so many bytes in memory.
    fn store(self, memory: u64) -> Result<SpillStore, FormatError> {
        match self {
            MemoryLimit::None => Ok(SpillStore::in_memory()),
            MemoryLimit::Plan(folder) => SpillStore::in_folder(folder, memory),
        }
    }
}

/// The outcome of solving a material under a metric.
pub(crate) struct Solved<'a> {
    /// The solution.
    pub solution: Encoder<'a>,
    /// The solution under DTM, if it is in memory.
    pub dtm: Option<Encoder<'a>>,
}

/// A material being solved: its shape, and the decisions so far.
pub(crate) struct Solver<'a> {
    geometry: Geometry,
    plan: MemoryPlan,
    limit: MemoryLimit<'a>,
    group_slabs: usize,
    attack: Attack,
    /// By metric; only the last, if the plan does not keep decisions in memory.
    decisions: Vec<(Metric, Decisions)>,
}

impl<'a> Solver<'a> {
    /// Allocates the sets of positions of a material.
    ///
    /// # Errors
    ///
    /// The system has no memory for them.
    pub(crate) fn new(material: Material, limit: MemoryLimit<'a>, budget: &Budget) -> Result<Solver<'a>, BuildError> {
        Solver::with_geometry(Geometry::new(material), limit, budget)
    }

    fn with_geometry(geometry: Geometry, limit: MemoryLimit<'a>, budget: &Budget) -> Result<Solver<'a>, BuildError> {
        let attack = Attack::empty(&geometry).map_err(BuildError::NoMemory)?;
        let plan = MemoryPlan::of(&geometry, budget);
        let group_slabs = (budget.group_bytes / (geometry.slab_words() * size_of::<u64>())).max(1);
        Ok(Solver { geometry, plan, limit, group_slabs, attack, decisions: Vec::new() })
    }

    /// The solution under a metric, if it was solved and is kept.
    pub(crate) fn solved(&self, metric: Metric) -> Option<Encoder<'_>> {
        let (_, decisions) = self.decisions.iter().find(|&&(of, _)| of == metric)?;
        Some(Encoder::new(&self.geometry, decisions))
    }

    /// Solves the material for both attackers under a metric.
    pub(crate) fn solve(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<Solved<'_>, BuildError> {
        if !self.plan.keeps_decisions() {
            self.decisions.clear();
        }
        self.decisions.retain(|&(of, _)| of != metric);
        let store = self.limit.store(self.plan.decisions)?;
        let mut decisions = Decisions::none(&self.geometry, store);
        if self.geometry.row_words() == 1 {
            self.solve_rows::<1>(metric, &mut decisions, rules, children, progress)?;
        } else {
            self.solve_rows::<64>(metric, &mut decisions, rules, children, progress)?;
        }
        let last = self.decisions.len();
        self.decisions.push((metric, decisions));
        Ok(Solved { solution: Encoder::new(&self.geometry, &self.decisions[last].1), dtm: self.solved(Metric::Dtm) })
    }

    fn solve_rows<const W: usize>(
        &mut self,
        metric: Metric,
        decisions: &mut Decisions,
        rules: &CountingRules,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let Solver { geometry, plan, limit, group_slabs, attack, .. } = self;
        let mut begun = false;
        for attacker in Color::ALL {
            if geometry.layout().material().side(attacker).is_bare() {
                continue;
            }
            progress.phase(metric, attacker);
            progress.check()?;
            let legal = attack.begin::<W>(geometry, attacker);
            if !begun {
                decisions.begin(legal);
                begun = true;
            }
            let rule = CaptureRule { attacker, metric, rules };
            let seeds_of = |mover| {
                let store = limit.store(plan.seeds[mover])?;
                capture_seeds::<W>(geometry, mover, rule, children, store, progress)
            };
            let (defender_captures, attacker_captures) = (seeds_of(!attacker)?, seeds_of(attacker)?);
            let plies = AttackPlies {
                geometry,
                attacker,
                defender_captures: &defender_captures,
                attacker_captures: &attacker_captures,
                group_slabs: *group_slabs,
            };
            plies.run::<W>(attack, decisions, progress)?;
        }
        Ok(())
    }
}
