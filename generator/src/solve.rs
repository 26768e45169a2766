//! Retrograde analysis of one set under one metric.
//!
//! For an attacker A and a defender D the plies alternate. Positions with D to move that were lost last are pulled back
//! into wins of A; these are pulled back into candidates, and a candidate is lost unless D has an escape: a move to a
//! position that is not won for A so far. Each pass writes every slab once, from the sets that the pass before left.

use makruk_tables::format::Metric;
use makruk_tables::rules::{Color, CountingRules};
use pulp::{Arch, WithSimd};
use rayon::prelude::*;

use crate::captures::{Capture, Events, Judge, events};
use crate::child::Children;
use crate::distances::Planes;
use crate::error::BuildError;
use crate::geometry::Geometry;
use crate::legality::{RowLegality, disjoint};
use crate::progress::Progress;
use crate::pull::{Row, is_slab_reached, pull};
use crate::set::PositionSet;
use crate::solved::{Attack, Legality, Solved};

/// Solves a set for both attackers.
pub(crate) fn solve(
    geometry: &Geometry,
    legality: &Legality,
    metric: Metric,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
) -> Result<Solved, BuildError> {
    if geometry.row_words() == 1 {
        solve_rows::<1>(geometry, legality, metric, rules, children, progress)
    } else {
        solve_rows::<64>(geometry, legality, metric, rules, children, progress)
    }
}

/// Works out the legal positions and capture cells of a set.
pub(crate) fn legality(geometry: &Geometry) -> Legality {
    if geometry.row_words() == 1 { legality_rows::<1>(geometry) } else { legality_rows::<64>(geometry) }
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

fn solve_rows<const W: usize>(
    geometry: &Geometry,
    legality: &Legality,
    metric: Metric,
    rules: &CountingRules,
    children: &dyn Children,
    progress: &dyn Progress,
) -> Result<Solved, BuildError> {
    let mut solved = Solved::new(geometry, legality);
    for attacker in Color::ALL {
        if geometry.layout().material().side(attacker).is_bare() {
            continue;
        }
        progress.phase(metric, attacker);
        let judge = Judge { attacker, metric, rules };
        let won_after = events::<W>(geometry, !attacker, judge, children)?;
        let lost_after = events::<W>(geometry, attacker, judge, children)?;
        let mut attack = Attack::new(legality, attacker);
        run::<W>(geometry, attacker, &mut attack, &won_after, &lost_after, &mut solved, progress)?;
        solved.finish(legality, attacker, attack);
    }
    Ok(solved)
}

/// The plies of one attacker, from the mates back to the longest win.
fn run<const W: usize>(
    geometry: &Geometry,
    attacker: Color,
    attack: &mut Attack,
    won_after: &[Events],
    lost_after: &[Events],
    solved: &mut Solved,
    progress: &dyn Progress,
) -> Result<(), BuildError> {
    let last_event = won_after.iter().chain(lost_after).filter_map(Events::last).max().unwrap_or(0);
    let mut won = PositionSet::empty(geometry);
    let mut lost = PositionSet::empty(geometry);
    let mut planes = std::mem::take(&mut solved.planes);
    let mut moves = 0u16;
    let outcome = loop {
        if let Err(stopped) = progress.check() {
            break Err(stopped);
        }
        // Positions with the attacker to move that he wins in exactly so many moves.
        let new_wins = if moves == 0 {
            0
        } else {
            let step = Step { geometry, mover: attacker, moves, events: won_after };
            step.wins::<W>(&lost, &mut won, &mut attack.escapes, &mut planes[attacker])
        };
        // Positions with the defender to move that he loses in exactly so many moves; without a move made, by mate.
        let step = Step { geometry, mover: !attacker, moves, events: lost_after };
        let new_losses = step.losses::<W>(
            &won,
            &mut lost,
            &attack.escapes,
            &mut attack.open,
            &attack.checked,
            &mut planes[!attacker],
        );
        solved.count(attacker, moves, new_wins, new_losses);
        progress.decided(moves, new_wins + new_losses);
        if moves > 0 && new_wins == 0 && new_losses == 0 && moves >= last_event {
            break Ok(());
        }
        moves += 1;
    };
    solved.planes = planes;
    outcome
}

/// One pass over the slabs.
struct Step<'a> {
    geometry: &'a Geometry,
    mover: Color,
    moves: u16,
    events: &'a [Events],
}

impl Step<'_> {
    /// Pulls the losses of one move less into wins; returns how many full-board positions they are, like men told apart.
    fn wins<const W: usize>(
        &self,
        lost: &PositionSet,
        won: &mut PositionSet,
        escapes: &mut PositionSet,
        planes: &mut [Planes],
    ) -> u64 {
        let geometry = self.geometry;
        let (words, mask_words) = (geometry.slab_words(), geometry.mask_words());
        let (won_words, won_active) = won.parts_mut();
        let (escape_words, escape_active) = escapes.parts_mut();
        let arch = Arch::new();
        (won_words.par_chunks_mut(words), won_active.par_chunks_mut(mask_words))
            .into_par_iter()
            .zip((escape_words.par_chunks_mut(words), escape_active.par_chunks_mut(mask_words)))
            .zip(planes)
            .enumerate()
            .map(|(slab, (((won, won_active), (escapes, escape_active)), planes))| {
                let weight = geometry.layout().kings().weight(slab);
                let new = arch.dispatch(Wins::<W> {
                    step: self,
                    slab,
                    lost,
                    new: SlabRows { words: won, active: won_active },
                    escapes: SlabRows { words: escapes, active: escape_active },
                    planes,
                });
                new * weight
            })
            .sum()
    }

    /// Pulls new wins into candidates and keeps those without an escape; returns how many full-board positions they are.
    fn losses<const W: usize>(
        &self,
        won: &PositionSet,
        lost: &mut PositionSet,
        escapes: &PositionSet,
        open: &mut PositionSet,
        checked: &PositionSet,
        planes: &mut [Planes],
    ) -> u64 {
        let geometry = self.geometry;
        let (words, mask_words) = (geometry.slab_words(), geometry.mask_words());
        let (lost_words, lost_active) = lost.parts_mut();
        let (open_words, open_active) = open.parts_mut();
        let arch = Arch::new();
        (lost_words.par_chunks_mut(words), lost_active.par_chunks_mut(mask_words))
            .into_par_iter()
            .zip((open_words.par_chunks_mut(words), open_active.par_chunks_mut(mask_words)))
            .zip(planes)
            .enumerate()
            .map(|(slab, (((lost, lost_active), (open, open_active)), planes))| {
                let weight = geometry.layout().kings().weight(slab);
                let new = arch.dispatch(Losses::<W> {
                    step: self,
                    slab,
                    won,
                    escapes,
                    checked,
                    new: SlabRows { words: lost, active: lost_active },
                    open: SlabRows { words: open, active: open_active },
                    planes,
                });
                new * weight
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
    step: &'a Step<'a>,
    slab: usize,
    lost: &'a PositionSet,
    new: SlabRows<'a>,
    escapes: SlabRows<'a>,
    planes: &'a mut Planes,
}

impl<const W: usize> WithSimd for Wins<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> u64 {
        let Step { geometry, mover, moves, events } = *self.step;
        let mut found = 0;
        self.new.clear::<W>();
        let lost = self.lost.source(geometry);
        if is_slab_reached(geometry, mover, self.slab, lost) {
            for row in 0..geometry.rows() {
                if !self.escapes.is_active(row) {
                    continue;
                }
                let men = geometry.row_men(self.slab, row);
                let mut new = [0; W];
                pull(geometry, mover, (self.slab, row), &men, lost, None, &mut new);
                if is_empty(&new) {
                    continue;
                }
                let legal = disjoint::<W>(&men);
                let escapes = self.escapes.row::<W>(row);
                for w in 0..W {
                    new[w] &= escapes[w] & legal[w];
                    escapes[w] &= !new[w];
                }
                if is_empty(&new) {
                    continue;
                }
                if is_empty(escapes) {
                    self.escapes.set_active(row, false);
                }
                found += len(&new);
                self.planes.record(moves, row * W, &new, geometry.slab_words());
                *self.new.row::<W>(row) = new;
                self.new.set_active(row, true);
            }
        }
        let decided = events[self.slab].at(moves);
        self.new.add::<W>(decided);
        for &cell in decided {
            self.escapes.words[cell as usize / 64] &= !(1 << (cell % 64));
        }
        found
    }
}

/// The pass that finds losses, on one slab.
struct Losses<'a, const W: usize> {
    step: &'a Step<'a>,
    slab: usize,
    won: &'a PositionSet,
    escapes: &'a PositionSet,
    checked: &'a PositionSet,
    new: SlabRows<'a>,
    open: SlabRows<'a>,
    planes: &'a mut Planes,
}

impl<const W: usize> WithSimd for Losses<'_, W> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> u64 {
        let Step { geometry, mover, moves, events } = *self.step;
        let mut found = 0;
        self.new.clear::<W>();
        let won = self.won.source(geometry);
        let escapes = self.escapes.source(geometry);
        let checked = self.checked.source(geometry);
        if moves == 0 || is_slab_reached(geometry, mover, self.slab, won) {
            for row in 0..geometry.rows() {
                if !self.open.is_active(row) {
                    continue;
                }
                let men = geometry.row_men(self.slab, row);
                let mut new = [0; W];
                if moves == 0 {
                    // Mated: in check, and no move at all.
                    new = *checked.row::<W>(self.slab, row);
                } else {
                    pull(geometry, mover, (self.slab, row), &men, won, None, &mut new);
                }
                let open = self.open.row::<W>(row);
                for w in 0..W {
                    new[w] &= open[w];
                }
                if is_empty(&new) {
                    continue;
                }
                let mut escaping = [0; W];
                pull(geometry, mover, (self.slab, row), &men, escapes, Some(&new), &mut escaping);
                for w in 0..W {
                    new[w] &= !escaping[w];
                    open[w] &= !new[w];
                }
                if is_empty(&new) {
                    continue;
                }
                if is_empty(open) {
                    self.open.set_active(row, false);
                }
                found += len(&new);
                self.planes.record(moves, row * W, &new, geometry.slab_words());
                *self.new.row::<W>(row) = new;
                self.new.set_active(row, true);
            }
        }
        self.new.add::<W>(events[self.slab].at(moves));
        found
    }
}
