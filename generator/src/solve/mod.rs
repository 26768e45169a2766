//! Retrograde analysis of one material under one metric.
//!
//! From the bottom up: [`rows`] numbers the placements of the outer men, and [`geometry`] lays out the positions of a
//! material. [`bitset`] holds sets of them in planes that [`plane_memory`] has room for. [`legality`] finds the legal
//! ones, and [`mod@exit_seeds`] those that captures and promotions decide. [`predecessors`] finds those with a move
//! into a set, man by man ([`along`]). In rows of one word it does so by lists of rows ([`word_rows`], [`row_moves`]).
//! [`slab_pass`] decides the positions of one slab at one ply, [`attack`] runs one attacker's plies, and [`Solver`]
//! both attackers'. The [`slab_decisions`] go to a [`decision_log`], whose blobs a [`work_store`] keeps, or a
//! [`checkpoint`] from which a build that was killed goes on. They come back in the order of files ([`file_order`]).
//! Decisions and packed planes share one [`line_code`].

mod along;
pub(crate) mod attack;
pub(crate) mod bitset;
pub(crate) mod checkpoint;
mod compression;
pub(crate) mod decision_log;
pub(crate) mod exit_seeds;
pub(crate) mod file_order;
pub(crate) mod geometry;
pub(crate) mod groups;
mod kernel;
pub(crate) mod legality;
mod line_code;
mod plane;
mod plane_code;
pub(crate) mod plane_memory;
pub(crate) mod ply_id;
pub(crate) mod predecessors;
mod reached_rows;
pub(crate) mod row_moves;
pub(crate) mod rows;
pub(crate) mod slab_decisions;
mod slab_pass;
pub(crate) mod solution;
#[cfg(test)]
mod tests;
pub(crate) mod word_rows;
pub(crate) mod work_store;
mod working_file;

use std::path::Path;

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{SideSource, TableId};
use makruk_tables::value::Metric;

use crate::checkpoint_event::CheckpointEvent;
use crate::error::BuildError;
use crate::memory_plan::MemoryPlan;
use crate::options::Budget;
use crate::progress::{Part, Progress, timed};
use crate::unfinished;
use attack::{Attack, AttackPlies, count_moves};
use bitset::PositionSet;
use checkpoint::{Checkpoint, FinishedPlies, Identity, Recovery};
use decision_log::LogStore;
use exit_seeds::{ExitRule, exit_seeds};
use geometry::Geometry;
use groups::Groups;
use plane_memory::{PlaneArena, PlaneMemory};
use ply_id::PlyId;
use solution::Decisions;
use work_store::WorkStore;

/// The unit of the room that packed planes take in their file, in bytes.
const PLANE_UNIT: usize = 1 << 10;

/// The memory that decisions and exit seeds may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MemoryLimit<'a> {
    /// As much as there is.
    None,
    /// As much as the plan foresees; the rest spills into files without names in this folder.
    Plan(&'a Path),
}

impl MemoryLimit<'_> {
    /// A store that keeps up to `memory` bytes in memory.
    fn store(self, memory: u64, compresses: bool) -> Result<WorkStore, FormatError> {
        match self {
            MemoryLimit::None => Ok(WorkStore::in_memory()),
            MemoryLimit::Plan(folder) => WorkStore::in_folder(folder, memory, 1, compresses),
        }
    }
}

/// The room that a material is solved in: its shape, and the memory for its sets.
pub(crate) struct SolverRoom<'a> {
    pub(crate) geometry: Geometry,
    plan: MemoryPlan,
    limit: MemoryLimit<'a>,
    groups: Groups,
    pub(crate) arena: PlaneArena,
}

impl<'a> SolverRoom<'a> {
    /// The room that a plan foresees.
    ///
    /// # Errors
    ///
    /// The system has no memory for it.
    pub(crate) fn new(
        geometry: Geometry,
        plan: MemoryPlan,
        limit: MemoryLimit<'a>,
        budget: &Budget,
    ) -> Result<SolverRoom<'a>, BuildError> {
        let groups = if plan.packed.is_some() {
            Groups::closed(&geometry)
        } else {
            let slabs = (budget.group_bytes as u64 / PositionSet::slab_bytes(&geometry)).max(1);
            Groups::of_slabs(&geometry, slabs as usize)
        };
        let arena = PlaneArena::new(plan.planes, geometry.plane_words());
        Ok(SolverRoom { geometry, plan, limit, groups, arena: arena.map_err(BuildError::NoMemory)? })
    }
}

/// A material being solved: its shape, and the decisions so far.
pub(crate) struct Solver<'a> {
    pub(crate) geometry: &'a Geometry,
    plan: &'a MemoryPlan,
    limit: MemoryLimit<'a>,
    attack: Attack<'a>,
    /// By metric.
    pub(crate) decisions: Vec<(Metric, Decisions)>,
}

/// Gives up the decisions, and removes the checkpoints of a material whose tables are finished.
pub(crate) fn finish(decisions: Vec<(Metric, Decisions)>, material: Material, folder: &Path) {
    decisions.into_iter().for_each(|(_, decisions)| decisions.log.discard());
    let path = |metric| unfinished::path_of(folder, TableId { material, metric });
    Metric::DISTANCES.into_iter().for_each(|metric| unfinished::remove(&path(metric)));
}

impl<'a> Solver<'a> {
    /// A solver in its room.
    ///
    /// # Errors
    ///
    /// A working file cannot be created.
    pub(crate) fn new(room: &'a mut SolverRoom<'_>) -> Result<Solver<'a>, BuildError> {
        let SolverRoom { geometry, plan, limit, groups, arena } = room;
        let memory = match (plan.packed, *limit) {
            (Some(bytes), MemoryLimit::Plan(folder)) => {
                let have_all_room = plan.planes >= Attack::planes(geometry, geometry.slabs());
                let needed = if have_all_room { 0 } else { Attack::planes(geometry, groups.largest()) };
                PlaneMemory::new(arena, needed, Some(WorkStore::in_folder(folder, bytes, PLANE_UNIT, true)?))
            }
            _ => PlaneMemory::new(arena, 0, None),
        };
        let attack = Attack::empty(geometry, memory, groups);
        Ok(Solver { geometry, plan, limit: *limit, attack, decisions: Vec::new() })
    }

    /// Solves the material for both attackers under a metric.
    pub(crate) fn solve(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let (store, recovery) = self.open_log(metric, rules, progress)?;
        if let Some(event) = self.resumed(&recovery) {
            progress.checkpoint(self.table(metric), &event);
        }
        let Recovery { legal, attacks, decisions: recovered } = recovery;
        let mut decisions = Decisions::none(self.geometry, store);
        recovered.into_iter().for_each(|(ply, slab, blob)| decisions.log.append(ply, slab, blob));
        if let Some(legal) = legal {
            decisions.begin(legal);
        }
        let solve = (metric, rules);
        if self.geometry.row_words() == 1 {
            self.solve_rows::<1>(solve, &mut decisions, &attacks, children, progress)?;
        } else {
            self.solve_rows::<64>(solve, &mut decisions, &attacks, children, progress)?;
        }
        self.attack.give_up(self.geometry);
        self.decisions.push((metric, decisions));
        Ok(())
    }

    fn table(&self, metric: Metric) -> TableId {
        TableId { material: self.geometry.layout().material(), metric }
    }

    /// The store for the decisions under a metric, and those that a build which was killed has left there.
    fn open_log(
        &self,
        metric: Metric,
        rules: &CountingRules,
        progress: &dyn Progress,
    ) -> Result<(LogStore, Recovery), BuildError> {
        if let (MemoryLimit::Plan(folder), true) = (self.limit, self.plan.checkpoints) {
            let table = self.table(metric);
            let identity = Identity::new(table, rules, self.geometry);
            if let Some((checkpoint, recovery)) = Checkpoint::open(folder, table, &identity, self.geometry, progress)? {
                return Ok((LogStore::Checkpoint(checkpoint), recovery));
            }
        }
        // A line of decisions is coded: compressing it saves a hundredth.
        Ok((LogStore::Working(self.limit.store(self.plan.decisions, false)?), Recovery::default()))
    }

    /// The place from which the build continues; `None` if that is the start.
    fn resumed(&self, recovery: &Recovery) -> Option<CheckpointEvent> {
        let plies = recovery.attacks.iter().flat_map(|attack| &attack.positions);
        plies.clone().next()?;
        let positions = plies.sum();
        let attacker = self.attackers().find(|&side| !recovery.attacks[side].all);
        Some(attacker.map_or(CheckpointEvent::Solved { positions }, |attacker| {
            let next = PlyId::nth(attacker, recovery.attacks[attacker].positions.len());
            CheckpointEvent::Resumed { attacker, moves: next.moves, positions }
        }))
    }

    /// The sides that can win, in the order of their attacks.
    fn attackers(&self) -> impl Iterator<Item = Color> + use<> {
        let material = self.geometry.layout().material();
        Color::ALL.into_iter().filter(move |&side| !material.side(side).is_bare())
    }

    fn solve_rows<const W: usize>(
        &mut self,
        (metric, rules): (Metric, &CountingRules),
        decisions: &mut Decisions,
        finished: &ByColor<FinishedPlies>,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let (done, left): (Vec<Color>, Vec<Color>) = self.attackers().partition(|&attacker| finished[attacker].all);
        for attacker in done {
            for (moves, positions) in (0..).zip(finished[attacker].positions.as_chunks().0) {
                let [wins, losses] = *positions;
                count_moves(decisions, attacker, moves, wins, losses);
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        let Solver { geometry, plan, limit, attack, .. } = self;
        let exits = |mover| {
            let store = limit.store(plan.seeds[mover], true)?;
            exit_seeds::<W>(geometry, mover, ExitRule { metric, rules }, children, store, progress)
        };
        let exits = timed(progress, Part::Exits, || ByColor::try_from_fn(exits))?;
        let exits = &exits;
        for attacker in left {
            progress.phase(metric, attacker);
            progress.check()?;
            let legal = attack.begin::<W>(geometry, attacker)?;
            if !decisions.have_begun() {
                decisions.log.begin(legal)?;
                decisions.begin(legal);
            }
            let plies = AttackPlies { geometry, attacker, exits };
            let finished = &finished[attacker].positions;
            timed(progress, Part::Plies, || plies.run::<W>(attack, finished, decisions, progress))?;
            decisions.log.end_attack(attacker)?;
        }
        Ok(())
    }
}
