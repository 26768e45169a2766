//! Retrograde analysis of one set under one metric.
//!
//! For an attacker A and a defender D the plies alternate. Positions with D to move that were lost last are pulled back
//! into wins of A; these are pulled back into candidates, and a candidate is lost unless D has an escape: a move to a
//! position that is not won for A so far. Each pass writes every slab once, from the sets that the pass before left.

use std::path::Path;

use arrayvec::ArrayVec;
use bitvec::order::Lsb0;
use bitvec::view::BitView;
use makruk_tables::format::{FormatError, Metric, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};
use makruk_tables::tablebase::SideSource;
use pulp::{Arch, WithSimd};
use rayon::prelude::*;

use crate::budget::{GROUP_BYTES, Memory};
use crate::captures::{Capture, Events, Judge, events};
use crate::encode::Encoder;
use crate::error::BuildError;
use crate::geometry::Geometry;
use crate::layers::Rows;
use crate::legality::{RowLegality, disjoint};
use crate::progress::Progress;
use crate::pull::{Row, pull, reached_rows};
use crate::set::PositionSet;
use crate::solved::{Attack, Solved};
use crate::spool::{Chunk, Spool};

/// Where a solver puts what it finds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Room<'a> {
    /// In memory.
    Memory,
    /// In memory as far as the plan allows, the rest in files without names in this folder.
    Folder(&'a Path),
}

impl Room<'_> {
    /// Room of which so many bytes may be in memory.
    fn spool(self, memory: u64) -> Result<Spool, FormatError> {
        match self {
            Room::Memory => Ok(Spool::in_memory()),
            Room::Folder(folder) => Spool::in_folder(folder, memory),
        }
    }
}

/// A set being solved: its shape, and what it was solved to.
pub(crate) struct Solver<'a> {
    geometry: Geometry,
    room: Room<'a>,
    attack: Attack,
    /// By metric; of a set whose layers go to files, only the last.
    solved: Vec<(Metric, Solved)>,
}

impl<'a> Solver<'a> {
    /// Makes room for a set.
    pub(crate) fn new(set: Material, room: Room<'a>) -> Result<Solver<'a>, BuildError> {
        let geometry = Geometry::new(set);
        let attack = Attack::empty(&geometry).map_err(BuildError::NoMemory)?;
        Ok(Solver { geometry, room, attack, solved: Vec::new() })
    }

    /// What the set was solved to under a metric, if it was and there was room to keep it.
    pub(crate) fn solved(&self, metric: Metric) -> Option<Encoder<'_>> {
        let (_, solved) = self.solved.iter().find(|&&(of, _)| of == metric)?;
        Some(Encoder::new(&self.geometry, solved))
    }

    /// Solves the set for both attackers under a metric.
    pub(crate) fn solve(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<Encoder<'_>, BuildError> {
        let memory = Memory::of(&self.geometry);
        if !memory.keeps_layers() {
            self.solved.clear();
        }
        self.solved.retain(|&(of, _)| of != metric);
        self.solved.push((metric, Solved::empty(&self.geometry, self.room.spool(memory.layers)?)));
        if self.geometry.row_words() == 1 {
            self.solve_rows::<1>(metric, rules, children, progress)?;
        } else {
            self.solve_rows::<64>(metric, rules, children, progress)?;
        }
        let (_, solved) = self.solved.last().expect("it was just added");
        Ok(Encoder::new(&self.geometry, solved))
    }

    fn solve_rows<const W: usize>(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn SideSource,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let Solver { geometry, room, attack, solved } = self;
        let (_, solved) = solved.last_mut().expect("there is room for what is solved");
        let mut begun = false;
        for attacker in Color::ALL {
            if geometry.layout().material().side(attacker).is_bare() {
                continue;
            }
            progress.phase(metric, attacker);
            progress.check()?;
            let legal = begin::<W>(geometry, attack, attacker);
            if !begun {
                solved.begin(legal);
                begun = true;
            }
            let judge = Judge { attacker, metric, rules };
            let memory = Memory::of(geometry).events;
            let won_after =
                events::<W>(geometry, !attacker, judge, children, room.spool(memory[!attacker])?, progress)?;
            let lost_after = events::<W>(geometry, attacker, judge, children, room.spool(memory[attacker])?, progress)?;
            let plies = Plies { geometry, attacker, won_after: &won_after, lost_after: &lost_after };
            plies.run::<W>(attack, solved, progress)?;
        }
        Ok(())
    }
}

/// Before an attacker's first ply: all legal positions and captures are undecided. Returns how many legal positions of
/// the full board there are for each side to move, like men told apart. The frontiers are emptied by the first passes.
fn begin<const W: usize>(geometry: &Geometry, attack: &mut Attack, attacker: Color) -> ByColor<u64> {
    let captures = Capture::all(geometry, !attacker);
    let (words, mask_words) = (geometry.slab_words(), geometry.mask_words());
    let (escapes_words, escapes_active) = attack.escapes.parts_mut();
    let (open_words, open_active) = attack.open.parts_mut();
    let escapes = escapes_words.par_chunks_mut(words).zip(escapes_active.par_chunks_mut(mask_words));
    let open = open_words.par_chunks_mut(words).zip(open_active.par_chunks_mut(mask_words));
    let begun = escapes.zip(open).enumerate().map(|(slab, (escapes, open))| {
        let rows = |(words, active)| SlabRows { words, active };
        let (escapes, open) = (rows(escapes), rows(open));
        let captures = &captures;
        let found = Arch::new().dispatch(Beginning::<W> { geometry, attacker, slab, captures, escapes, open });
        found.map(|found| found * geometry.layout().kings().weight(slab))
    });
    let add = |a: ByColor<u64>, b: ByColor<u64>| ByColor::from_fn(|side| a[side] + b[side]);
    begun.reduce(ByColor::default, add)
}

/// A slab before the first ply.
struct Beginning<'a, const W: usize> {
    geometry: &'a Geometry,
    attacker: Color,
    slab: usize,
    /// The defender's.
    captures: &'a [Capture],
    escapes: SlabRows<'a>,
    open: SlabRows<'a>,
}

impl<const W: usize> WithSimd for Beginning<'_, W> {
    /// How many positions are legal, by the side to move.
    type Output = ByColor<u64>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> ByColor<u64> {
        let mut found = ByColor::default();
        for row in 0..self.geometry.rows() {
            let men = self.geometry.row_men(self.slab, row);
            let legality = RowLegality::<W>::new(self.geometry, &men);
            let mut escapes = legality.legal(self.attacker);
            found[self.attacker] += len(&escapes);
            for capture in self.captures {
                let taken = legality.captures(!self.attacker, capture.man());
                escapes.iter_mut().zip(&taken).for_each(|(cells, taken)| *cells |= taken);
            }
            let open = legality.legal(!self.attacker);
            found[!self.attacker] += len(&open);
            self.escapes.set(row, &escapes);
            self.open.set(row, &open);
        }
        found
    }
}

/// One attacker's plies, and what captures are worth to him.
struct Plies<'a> {
    geometry: &'a Geometry,
    attacker: Color,
    /// The defender's captures after which the attacker still wins.
    won_after: &'a Events,
    /// The attacker's captures that win.
    lost_after: &'a Events,
}

/// One ply of an attack: which positions with `side` to move are decided in exactly so many moves.
#[derive(Clone, Copy)]
struct Ply<'a> {
    side: Color,
    moves: u16,
    /// The capture cells that are decided by the smaller sets.
    events: &'a Events,
    /// What the ply before decided, to be pulled back.
    from: &'a PositionSet,
    /// For a defender, where he is not lost yet: what he can reach of it saves him. Nothing saves an attacker from winning.
    escapes: Option<&'a PositionSet>,
}

impl Plies<'_> {
    /// From the mates back to the longest win.
    fn run<const W: usize>(
        &self,
        attack: &mut Attack,
        solved: &mut Solved,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let last_event = self.won_after.last().max(self.lost_after.last());
        let attacker = self.attacker;
        for moves in 0u16.. {
            // Positions with the attacker to move that he wins in exactly so many moves, then those with the defender to
            // move that he loses in so many; without a move made, by mate.
            let Attack { escapes, open, won, lost } = &mut *attack;
            let wins = Ply { side: attacker, moves, events: self.won_after, from: lost, escapes: None };
            let wins = self.pass::<W>(wins, won, escapes, solved, progress)?;
            let losses = Ply { side: !attacker, moves, events: self.lost_after, from: won, escapes: Some(&*escapes) };
            let losses = self.pass::<W>(losses, lost, open, solved, progress)?;
            solved.count(attacker, Value::Win((2 * moves).saturating_sub(1)), wins);
            solved.count(!attacker, Value::Loss(2 * moves), losses);
            progress.decided(moves, wins + losses);
            // A capture that wins after so many moves makes wins of one more.
            if wins == 0 && losses == 0 && moves > last_event {
                break;
            }
        }
        Ok(())
    }

    /// Goes over the slabs in parallel, each with its part of the new set and of the undecided, and keeps what each
    /// decided; returns how many full-board positions these are, like men told apart.
    fn pass<const W: usize>(
        &self,
        ply: Ply<'_>,
        new: &mut PositionSet,
        undecided: &mut PositionSet,
        solved: &mut Solved,
        progress: &dyn Progress,
    ) -> Result<u64, BuildError> {
        let geometry = self.geometry;
        let (words, mask_words) = (geometry.slab_words(), geometry.mask_words());
        let group = (GROUP_BYTES / (words * 8)).max(1);
        let (new_words, new_active) = new.parts_mut();
        let (undecided_words, undecided_active) = undecided.parts_mut();
        let mut decided = 0;
        let groups = new_words
            .chunks_mut(group * words)
            .zip(new_active.chunks_mut(group * mask_words))
            .zip(undecided_words.chunks_mut(group * words).zip(undecided_active.chunks_mut(group * mask_words)));
        for (number, ((new_words, new_active), (undecided_words, undecided_active))) in groups.enumerate() {
            progress.check()?;
            let first = number * group;
            let layers = &solved.layers;
            let found: Vec<(u64, Option<Chunk>)> =
                (new_words.par_chunks_mut(words), new_active.par_chunks_mut(mask_words))
                    .into_par_iter()
                    .zip((undecided_words.par_chunks_mut(words), undecided_active.par_chunks_mut(mask_words)))
                    .enumerate()
                    .map(|(at, ((words, active), (undecided_words, undecided_active)))| {
                        let slab = first + at;
                        let new = SlabRows { words, active };
                        let undecided = SlabRows { words: undecided_words, active: undecided_active };
                        let events = ply.events.at(slab, ply.moves)?;
                        let mut rows = Rows::default();
                        let pass =
                            SlabPass::<W> { geometry, ply, slab, new, undecided, events: &events, rows: &mut rows };
                        let found = Arch::new().dispatch(pass);
                        Ok((found * geometry.layout().kings().weight(slab), layers.put(rows)?))
                    })
                    .collect::<Result<_, FormatError>>()?;
            for (at, (found, chunk)) in found.into_iter().enumerate() {
                decided += found;
                solved.layers.add((self.attacker, ply.side), first + at, ply.moves, chunk);
            }
        }
        Ok(decided)
    }
}

/// A slab's part of a set.
struct SlabRows<'a> {
    words: &'a mut [u64],
    active: &'a mut [u64],
}

impl SlabRows<'_> {
    #[inline(always)]
    fn row<const W: usize>(&mut self, row: usize) -> &mut Row<W> {
        (&mut self.words[row * W..row * W + W]).try_into().expect("a row has W words")
    }

    #[inline(always)]
    fn set_active(&mut self, row: usize, active: bool) {
        if active {
            self.active[row / 64] |= 1 << (row % 64);
        } else {
            self.active[row / 64] &= !(1 << (row % 64));
        }
    }

    /// Sets a row.
    #[inline(always)]
    fn set<const W: usize>(&mut self, row: usize, cells: &Row<W>) {
        *self.row(row) = *cells;
        self.set_active(row, !is_empty(cells));
    }

    /// Empties the slab, touching only rows that hold something.
    #[inline(always)]
    fn clear<const W: usize>(&mut self) {
        for at in 0..self.active.len() {
            let mut rows = std::mem::take(&mut self.active[at]);
            while rows != 0 {
                self.row::<W>(at * 64 + rows.trailing_zeros() as usize).fill(0);
                rows &= rows - 1;
            }
        }
    }

    /// Adds capture cells.
    #[inline(always)]
    fn add<const W: usize>(&mut self, cells: &[u32]) {
        for &cell in cells {
            self.set_active(cell as usize / (W * 64), true);
            self.words.view_bits_mut::<Lsb0>().set(cell as usize, true);
        }
    }

    /// Takes capture cells away.
    #[inline(always)]
    fn remove(&mut self, cells: &[u32]) {
        for &cell in cells {
            self.words.view_bits_mut::<Lsb0>().set(cell as usize, false);
        }
    }
}

#[inline(always)]
fn is_empty<const W: usize>(row: &Row<W>) -> bool {
    row.iter().fold(0, |any, &word| any | word) == 0
}

#[inline(always)]
fn len<const W: usize>(row: &Row<W>) -> u64 {
    row.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// A ply on one slab.
struct SlabPass<'a, const W: usize> {
    geometry: &'a Geometry,
    ply: Ply<'a>,
    slab: usize,
    new: SlabRows<'a>,
    undecided: SlabRows<'a>,
    events: &'a [u32],
    rows: &'a mut Rows,
}

impl<const W: usize> WithSimd for SlabPass<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> u64 {
        let mut found = 0;
        self.new.clear::<W>();
        let mut reached = self.reached();
        for (at, rows) in reached.iter_mut().enumerate() {
            *rows &= self.undecided.active[at];
            while *rows != 0 {
                found += self.row(at * 64 + rows.trailing_zeros() as usize);
                *rows &= *rows - 1;
            }
        }
        self.new.add::<W>(self.events);
        if self.ply.escapes.is_none() {
            // Captures that the attacker wins are no escapes any more.
            self.undecided.remove(self.events);
        }
        found
    }
}

impl<const W: usize> SlabPass<'_, W> {
    /// A mask of the rows from which something that the ply before decided can be reached; before the first, all rows of
    /// the defender.
    #[inline(always)]
    fn reached(&self) -> ArrayVec<u64, 64> {
        let SlabPass { geometry, ply, slab, .. } = *self;
        match (ply.moves, ply.escapes) {
            (0, None) => ArrayVec::new(),
            (0, Some(_)) => self.undecided.active.iter().copied().collect(),
            _ => reached_rows(geometry, ply.side, slab, ply.from.source(geometry)),
        }
    }

    /// Decides what it can of a row; returns how many positions that are.
    #[inline(always)]
    fn row(&mut self, row: usize) -> u64 {
        let SlabPass { geometry, ply, slab, .. } = *self;
        let men = geometry.row_men(slab, row);
        let mut candidates = [0; W];
        match ply.escapes {
            // Mates are among the checks: positions that the attacker's turn would make illegal. Nothing is won yet, so what
            // is legal on his turn is an escape.
            Some(escapes) if ply.moves == 0 => {
                let safe = escapes.source(geometry).row::<W>(slab, row);
                candidates.iter_mut().zip(safe).for_each(|(candidates, &safe)| *candidates = !safe);
            }
            _ => pull(geometry, ply.side, (slab, row), &men, ply.from.source(geometry), None, &mut candidates),
        }
        for (candidates, undecided) in candidates.iter_mut().zip(self.undecided.row::<W>(row).iter()) {
            *candidates &= undecided;
        }
        if is_empty(&candidates) {
            return 0;
        }
        match ply.escapes {
            // The attacker's undecided positions are kept with the defender's captures.
            None => {
                let legal = disjoint::<W>(&men);
                candidates.iter_mut().zip(&legal).for_each(|(candidates, legal)| *candidates &= legal);
            }
            Some(escapes) => {
                let mut saved = [0; W];
                let escapes = escapes.source(geometry);
                pull(geometry, ply.side, (slab, row), &men, escapes, Some(&candidates), &mut saved);
                candidates.iter_mut().zip(&saved).for_each(|(candidates, saved)| *candidates &= !saved);
            }
        }
        decide(&candidates, row, &mut self.undecided, &mut self.new, self.rows)
    }
}

/// Takes what of `candidates` is undecided in a row over into the new set; returns how many that are.
#[inline(always)]
fn decide<const W: usize>(
    candidates: &Row<W>,
    row: usize,
    undecided: &mut SlabRows<'_>,
    new: &mut SlabRows<'_>,
    rows: &mut Rows,
) -> u64 {
    let open = undecided.row::<W>(row);
    let mut decided = *candidates;
    for (decided, open) in decided.iter_mut().zip(open.iter_mut()) {
        *decided &= *open;
        *open &= !*decided;
    }
    if is_empty(&decided) {
        return 0;
    }
    if is_empty(open) {
        undecided.set_active(row, false);
    }
    rows.push(row, &decided);
    *new.row::<W>(row) = decided;
    new.set_active(row, true);
    len(&decided)
}
