//! One ply on one slab.

use bitvec::order::Lsb0;
use bitvec::view::BitView;
use makruk_rules::Color;

use super::bitset::{Bits, BitsetView, Row, Seed, SlabRows, is_empty, len};
use super::geometry::{Geometry, RowMen};
use super::kernel::Kernel;
use super::legality::{ExitMen, free};
use super::predecessors::add_predecessors;
use super::reached_rows::reached_rows;
use super::slab_decisions::SlabDecisions;
use super::word_rows::{SentWords, can_send};

/// One ply of an attack: the positions with `side` to move that are decided in the same number of moves.
#[derive(Clone, Copy)]
pub(super) struct Ply<'a, 'm> {
    pub side: Color,
    pub moves: u16,
    /// The positions that the ply before decided.
    pub frontier: BitsetView<'a, 'm>,
    /// The positions that save a defender who can reach one. Nothing saves an attacker from winning.
    pub refutations: Option<BitsetView<'a, 'm>>,
}

/// A ply on one slab.
pub(super) struct SlabPass<'a, 'm, const W: usize> {
    pub geometry: &'a Geometry,
    pub ply: Ply<'a, 'm>,
    pub slab: usize,
    /// The new frontier, which the pass fills.
    pub decided: SlabRows<'a, 'm>,
    /// The positions that are left to decide.
    pub undecided: SlabRows<'a, 'm>,
    /// The exits that the children decide at this ply.
    pub seeds: &'a [Seed],
    pub decisions: &'a mut SlabDecisions,
}

impl<const W: usize> Kernel for SlabPass<'_, '_, W> {
    /// The number of positions decided.
    type Output = u64;

    #[inline(always)]
    fn run(mut self) -> u64 {
        let mut positions = 0;
        self.decided.clear::<W>();
        match self.geometry.row_moves() {
            Some(moves) if W == 1 && self.ply.moves > 0 && can_send(self.geometry, moves, self.ply.side) => {
                let SlabPass { geometry, ply, slab, .. } = self;
                SentWords::each_origin((geometry, moves), ply.side, slab, ply.frontier, |row, word| {
                    let candidates = word & self.undecided.read::<W>(row)[0];
                    if candidates != 0 {
                        positions += self.judge(row, &geometry.row_men(slab, row), [candidates; W]);
                    }
                });
            }
            _ => {
                let mut reached = self.reached();
                reached.iter_mut().zip(self.undecided.active_words()).for_each(|(rows, undecided)| *rows &= undecided);
                let reached: &Bits = reached.view_bits::<Lsb0>();
                for row in reached.iter_ones() {
                    positions += self.row(row);
                }
            }
        }
        self.decided.add::<W>(self.seeds);
        if self.ply.refutations.is_none() {
            // Exits after which the attacker wins do not refute any more.
            self.undecided.remove::<W>(self.seeds);
        }
        positions
    }
}

impl<const W: usize> SlabPass<'_, '_, W> {
    /// A mask of the rows from which a position of the frontier can be reached; before the first ply, all rows of the
    /// defender.
    #[inline(always)]
    fn reached(&self) -> Vec<u64> {
        let SlabPass { geometry, ply, slab, .. } = *self;
        match (ply.moves, ply.refutations) {
            (0, None) => Vec::new(),
            (0, Some(_)) => self.undecided.active_words().collect(),
            _ => reached_rows(geometry, ply.side, slab, ply.frontier),
        }
    }

    /// Decides the positions of a row that can be decided; returns their number.
    #[inline(always)]
    fn row(&mut self, row: usize) -> u64 {
        let SlabPass { geometry, ply, slab, .. } = *self;
        let men = geometry.row_men(slab, row);
        let mut candidates = [0; W];
        match ply.refutations {
            // Mates are among the checks: positions that would be illegal with the attacker to move. Nothing is won
            // yet, so every position that is legal with the attacker to move is among the refutations.
            Some(refutations) if ply.moves == 0 => {
                let safe = refutations.row::<W>(slab, row);
                candidates.iter_mut().zip(safe).for_each(|(candidates, &safe)| *candidates = !safe);
            }
            _ => {
                add_predecessors(geometry, ply.side, (slab, row), &men, ply.frontier, None, &mut candidates);
            }
        }
        for (candidates, undecided) in candidates.iter_mut().zip(self.undecided.read::<W>(row)) {
            *candidates &= undecided;
        }
        if is_empty(&candidates) {
            return 0;
        }
        self.judge(row, &men, candidates)
    }

    /// Decides those of a row's candidates that can be decided; returns their number.
    #[inline(always)]
    fn judge(&mut self, row: usize, men: &RowMen, mut candidates: Row<W>) -> u64 {
        let SlabPass { geometry, ply, slab, .. } = *self;
        match ply.refutations {
            // The attacker's undecided positions are kept together with the defender's exits.
            None => {
                let legal: Row<W> = free(geometry, men, ExitMen::NONE);
                candidates.iter_mut().zip(&legal).for_each(|(candidates, legal)| *candidates &= legal);
            }
            Some(refutations) => {
                let mut saved = [0; W];
                add_predecessors(geometry, ply.side, (slab, row), men, refutations, Some(&candidates), &mut saved);
                candidates.iter_mut().zip(&saved).for_each(|(candidates, saved)| *candidates &= !saved);
            }
        }
        self.decide(&candidates, row)
    }

    /// Moves undecided positions to the frontier; returns their number.
    #[inline(always)]
    fn decide(&mut self, decided: &Row<W>, row: usize) -> u64 {
        if is_empty(decided) {
            return 0;
        }
        let undecided = self.undecided.row::<W>(row);
        undecided.iter_mut().zip(decided).for_each(|(undecided, decided)| *undecided &= !decided);
        if is_empty(undecided) {
            self.undecided.set_active(row, false);
        }
        self.decisions.push(row, decided);
        *self.decided.row::<W>(row) = *decided;
        self.decided.set_active(row, true);
        len(decided)
    }
}
