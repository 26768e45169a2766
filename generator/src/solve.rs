//! Retrograde analysis of one set under one metric.
//!
//! For an attacker A and a defender D the plies alternate. Positions with D to move that were lost last are pulled back
//! into wins of A; these are pulled back into candidates, and a candidate is lost unless D has an escape: a move to a
//! position that is not won for A so far. Each pass writes every slab once, from the sets that the pass before left.

use makruk_tables::format::Metric;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use pulp::{Arch, WithSimd};
use rayon::prelude::*;

use crate::captures::{Capture, Events, Judge, events};
use crate::child::Children;
use crate::distances::Planes;
use crate::encode::Encoder;
use crate::error::BuildError;
use crate::geometry::Geometry;
use crate::legality::{RowLegality, disjoint};
use crate::progress::Progress;
use crate::pull::{Row, is_slab_reached, pull};
use crate::set::PositionSet;
use crate::solved::{Attack, Legality, Solved};

/// A set being solved: its shape, its legal positions, and room for one metric's outcome at a time.
pub(crate) struct Solver {
    geometry: Geometry,
    legality: Legality,
    attack: Attack,
    solved: Solved,
}

impl Solver {
    /// Works out the legal positions of a set.
    pub(crate) fn new(set: Material) -> Solver {
        let geometry = Geometry::new(set);
        let legality =
            if geometry.row_words() == 1 { legality_rows::<1>(&geometry) } else { legality_rows::<64>(&geometry) };
        let (attack, solved) = (Attack::empty(&geometry), Solved::empty(&geometry));
        Solver { geometry, legality, attack, solved }
    }

    /// Solves the set for both attackers under a metric.
    pub(crate) fn solve(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn Children,
        progress: &dyn Progress,
    ) -> Result<Encoder<'_>, BuildError> {
        if self.geometry.row_words() == 1 {
            self.solve_rows::<1>(metric, rules, children, progress)?;
        } else {
            self.solve_rows::<64>(metric, rules, children, progress)?;
        }
        Ok(Encoder::new(&self.geometry, &self.legality, &self.solved))
    }

    fn solve_rows<const W: usize>(
        &mut self,
        metric: Metric,
        rules: &CountingRules,
        children: &dyn Children,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let Solver { geometry, legality, attack, solved } = self;
        solved.begin(geometry, legality);
        for attacker in Color::ALL {
            if geometry.layout().material().side(attacker).is_bare() {
                continue;
            }
            progress.phase(metric, attacker);
            let judge = Judge { attacker, metric, rules };
            let won_after = events::<W>(geometry, !attacker, judge, children)?;
            let lost_after = events::<W>(geometry, attacker, judge, children)?;
            attack.begin(legality, attacker);
            let plies = Plies { geometry, legality, attacker, won_after: &won_after, lost_after: &lost_after };
            plies.run::<W>(attack, solved, progress)?;
            solved.finish(legality, attacker, attack);
        }
        Ok(())
    }
}

fn legality_rows<const W: usize>(geometry: &Geometry) -> Legality {
    let mut found = Legality::empty(geometry);
    let captures = makruk_tables::rules::ByColor::from_fn(|mover| Capture::all(geometry, mover));
    for color in Color::ALL {
        fill::<W>(geometry, &mut found.legal[color], |legality| legality.legal(color));
        fill::<W>(geometry, &mut found.captures[color], |legality| {
            captures[color].iter().fold([0; W], |cells, capture| {
                let taken = legality.captures(color, capture.man());
                std::array::from_fn(|w| cells[w] | taken[w])
            })
        });
    }
    found
}

/// Fills a set row by row with what the rules say of each.
fn fill<const W: usize>(
    geometry: &Geometry,
    set: &mut PositionSet,
    cells: impl Fn(&RowLegality<'_, W>) -> Row<W> + Sync,
) {
    let (words, active) = set.parts_mut();
    let slabs = words.par_chunks_mut(geometry.slab_words()).zip(active.par_chunks_mut(geometry.mask_words()));
    slabs.enumerate().for_each(|(slab, (words, active))| {
        for (row, words) in words.chunks_exact_mut(W).enumerate() {
            let men = geometry.row_men(slab, row);
            let found = cells(&RowLegality::new(geometry, &men));
            words.copy_from_slice(&found);
            if found.iter().any(|&word| word != 0) {
                active[row / 64] |= 1 << (row % 64);
            }
        }
    });
}

/// One attacker's part of a set, and what captures are worth to him.
struct Plies<'a> {
    geometry: &'a Geometry,
    legality: &'a Legality,
    attacker: Color,
    /// The defender's captures after which the attacker still wins.
    won_after: &'a [Events],
    /// The attacker's captures that win.
    lost_after: &'a [Events],
}

impl Plies<'_> {
    /// The plies, from the mates back to the longest win.
    fn run<const W: usize>(
        &self,
        attack: &mut Attack,
        solved: &mut Solved,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let events = self.won_after.iter().chain(self.lost_after);
        let last_event = events.filter_map(Events::last).max().unwrap_or(0);
        let attacker = self.attacker;
        for moves in 0.. {
            progress.check()?;
            // Positions with the attacker to move that he wins in exactly so many moves, then those with the defender to
            // move that he loses in so many; without a move made, by mate.
            let new_wins = self.wins::<W>(moves, attack, &mut solved.planes[attacker]);
            let new_losses = self.losses::<W>(moves, attack, &mut solved.planes[!attacker]);
            solved.count(attacker, moves, new_wins, new_losses);
            progress.decided(moves, new_wins + new_losses);
            if moves > 0 && new_wins == 0 && new_losses == 0 && moves >= last_event {
                break;
            }
        }
        Ok(())
    }

    /// Pulls the losses of one move less into wins; returns how many full-board positions they are, like men told apart.
    fn wins<const W: usize>(&self, moves: u16, attack: &mut Attack, planes: &mut [Planes]) -> u64 {
        let Attack { escapes, won, lost, .. } = attack;
        self.pass(won, escapes, planes, |slab, new, undecided, planes| {
            let events = self.won_after[slab].at(moves);
            Arch::new().dispatch(Wins::<W> { of: self, moves, slab, lost, new, escapes: undecided, events, planes })
        })
    }

    /// Pulls new wins into candidates and keeps those without an escape; returns how many full-board positions they are.
    fn losses<const W: usize>(&self, moves: u16, attack: &mut Attack, planes: &mut [Planes]) -> u64 {
        let Attack { escapes, open, won, lost } = attack;
        self.pass(lost, open, planes, |slab, new, undecided, planes| {
            let events = self.lost_after[slab].at(moves);
            Arch::new().dispatch(Losses::<W> {
                of: self,
                moves,
                slab,
                won,
                escapes,
                new,
                open: undecided,
                events,
                planes,
            })
        })
    }

    /// Goes over the slabs in parallel, each with its part of the new set, of the undecided and of the distances.
    fn pass(
        &self,
        new: &mut PositionSet,
        undecided: &mut PositionSet,
        planes: &mut [Planes],
        slab: impl Fn(usize, SlabRows<'_>, SlabRows<'_>, &mut Planes) -> u64 + Sync,
    ) -> u64 {
        let geometry = self.geometry;
        let (words, mask_words) = (geometry.slab_words(), geometry.mask_words());
        let (new_words, new_active) = new.parts_mut();
        let (undecided_words, undecided_active) = undecided.parts_mut();
        (new_words.par_chunks_mut(words), new_active.par_chunks_mut(mask_words))
            .into_par_iter()
            .zip((undecided_words.par_chunks_mut(words), undecided_active.par_chunks_mut(mask_words)))
            .zip(planes)
            .enumerate()
            .map(|(number, (((words, active), (undecided_words, undecided_active)), planes))| {
                let new = SlabRows { words, active };
                let undecided = SlabRows { words: undecided_words, active: undecided_active };
                slab(number, new, undecided, planes) * geometry.layout().kings().weight(number)
            })
            .sum()
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
    fn is_active(&self, row: usize) -> bool {
        self.active[row / 64] >> (row % 64) & 1 != 0
    }

    #[inline(always)]
    fn set_active(&mut self, row: usize, active: bool) {
        if active {
            self.active[row / 64] |= 1 << (row % 64);
        } else {
            self.active[row / 64] &= !(1 << (row % 64));
        }
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
            let word = cell as usize / 64;
            self.words[word] |= 1 << (cell % 64);
            self.set_active(word / W, true);
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

/// The pass that finds wins, on one slab.
struct Wins<'a, const W: usize> {
    of: &'a Plies<'a>,
    moves: u16,
    slab: usize,
    lost: &'a PositionSet,
    new: SlabRows<'a>,
    escapes: SlabRows<'a>,
    events: &'a [u32],
    planes: &'a mut Planes,
}

impl<const W: usize> WithSimd for Wins<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> u64 {
        let Plies { geometry, attacker, .. } = *self.of;
        let mut found = 0;
        self.new.clear::<W>();
        let lost = self.lost.source(geometry);
        if self.moves > 0 && is_slab_reached(geometry, attacker, self.slab, lost) {
            for row in 0..geometry.rows() {
                if !self.escapes.is_active(row) {
                    continue;
                }
                let men = geometry.row_men(self.slab, row);
                let mut new = [0; W];
                pull(geometry, attacker, (self.slab, row), &men, lost, None, &mut new);
                if is_empty(&new) {
                    continue;
                }
                let legal = disjoint::<W>(&men);
                for (new, legal) in new.iter_mut().zip(&legal) {
                    *new &= legal;
                }
                found += decide(&new, row, self.moves, geometry, &mut self.escapes, &mut self.new, self.planes);
            }
        }
        self.new.add::<W>(self.events);
        for &cell in self.events {
            self.escapes.words[cell as usize / 64] &= !(1 << (cell % 64));
        }
        found
    }
}

/// Takes what of `candidates` is undecided in a row over into the new set; returns how many that are.
#[inline(always)]
fn decide<const W: usize>(
    candidates: &Row<W>,
    row: usize,
    moves: u16,
    geometry: &Geometry,
    undecided: &mut SlabRows<'_>,
    new: &mut SlabRows<'_>,
    planes: &mut Planes,
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
    planes.record(moves, row * W, &decided, geometry.slab_words());
    *new.row::<W>(row) = decided;
    new.set_active(row, true);
    len(&decided)
}

/// The pass that finds losses, on one slab.
struct Losses<'a, const W: usize> {
    of: &'a Plies<'a>,
    moves: u16,
    slab: usize,
    won: &'a PositionSet,
    escapes: &'a PositionSet,
    new: SlabRows<'a>,
    open: SlabRows<'a>,
    events: &'a [u32],
    planes: &'a mut Planes,
}

impl<const W: usize> WithSimd for Losses<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> u64 {
        let Plies { geometry, legality, attacker, .. } = *self.of;
        let defender = !attacker;
        let mut found = 0;
        self.new.clear::<W>();
        let won = self.won.source(geometry);
        let escapes = self.escapes.source(geometry);
        let safe = legality.legal[attacker].source(geometry);
        if self.moves == 0 || is_slab_reached(geometry, defender, self.slab, won) {
            for row in 0..geometry.rows() {
                if !self.open.is_active(row) {
                    continue;
                }
                let men = geometry.row_men(self.slab, row);
                let mut new = [0; W];
                if self.moves == 0 {
                    // Mates are among the checks: positions that only the attacker's turn would make illegal.
                    let safe = safe.row::<W>(self.slab, row);
                    for (new, &safe) in new.iter_mut().zip(safe) {
                        *new = !safe;
                    }
                } else {
                    pull(geometry, defender, (self.slab, row), &men, won, None, &mut new);
                }
                for (new, open) in new.iter_mut().zip(self.open.row::<W>(row).iter()) {
                    *new &= open;
                }
                if is_empty(&new) {
                    continue;
                }
                let mut escaping = [0; W];
                pull(geometry, defender, (self.slab, row), &men, escapes, Some(&new), &mut escaping);
                for (new, escaping) in new.iter_mut().zip(&escaping) {
                    *new &= !escaping;
                }
                found += decide(&new, row, self.moves, geometry, &mut self.open, &mut self.new, self.planes);
            }
        }
        self.new.add::<W>(self.events);
        found
    }
}
