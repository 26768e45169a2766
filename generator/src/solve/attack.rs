//! One attack: the plies from the mates back to the longest win.
//!
//! For an attacker A and a defender D the plies alternate. The positions with D to move that the last ply decided have
//! predecessors: wins of A. The predecessors of these are candidates with D to move, and a candidate is lost unless D has a
//! refutation: a move to a position that A does not win so far. Each pass writes every slab once, and reads only sets that
//! the pass before finished.

use std::io;

use makruk_tables::format::FormatError;
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::value::Value;
use pulp::{Arch, WithSimd};
use rayon::prelude::*;

use super::bitset::{PositionSet, SlabRows, len};
use super::decision_log::SlabDecisions;
use super::geometry::Geometry;
use super::legality::RowLegality;
use super::slab_pass::{Ply, SlabPass};
use super::solution::Decisions;
use crate::error::BuildError;
use crate::progress::Progress;
use crate::solve::capture_seeds::{Capture, CaptureSeeds};

/// The sets that an attack works on.
pub(crate) struct Attack {
    /// The moves that save the defender so far: legal positions with the attacker to move that he does not win so far, and
    /// captures by the defender after which the attacker does not win so far.
    refutations: PositionSet,
    /// Legal positions with the defender to move that are not lost so far.
    undecided: PositionSet,
    /// The frontier with the attacker to move: the positions that the last pass decided, and such captures by the defender.
    won: PositionSet,
    /// The frontier with the defender to move: the positions that the last pass decided, and such captures by the attacker.
    lost: PositionSet,
}

impl Attack {
    /// The number of sets of positions.
    pub(crate) const SETS: u64 = 4;

    /// Empty sets.
    ///
    /// # Errors
    ///
    /// The system has no memory for them.
    pub(crate) fn empty(geometry: &Geometry) -> io::Result<Attack> {
        let empty = || PositionSet::empty(geometry);
        Ok(Attack { refutations: empty()?, undecided: empty()?, won: empty()?, lost: empty()? })
    }

    /// Prepares the sets for an attacker's first ply: all legal positions and captures are undecided. The first passes empty
    /// the frontiers. Returns the number of legal positions of the full board for each side to move, like men told apart.
    pub(crate) fn begin<const W: usize>(&mut self, geometry: &Geometry, attacker: Color) -> ByColor<u64> {
        let captures = Capture::all(geometry, !attacker);
        let slabs = 0..geometry.slabs();
        let sets = self.refutations.slabs_mut(slabs.clone()).zip(self.undecided.slabs_mut(slabs));
        let begun = sets.enumerate().map(|(slab, (refutations, undecided))| {
            let captures = &captures;
            let beginning = Beginning::<W> { geometry, attacker, slab, captures, refutations, undecided };
            Arch::new().dispatch(beginning).map(|legal| legal * geometry.layout().kings().weight(slab))
        });
        begun.reduce(ByColor::default, |a, b| ByColor::from_fn(|side| a[side] + b[side]))
    }
}

/// A slab before the first ply.
struct Beginning<'a, const W: usize> {
    geometry: &'a Geometry,
    attacker: Color,
    slab: usize,
    /// The defender's.
    captures: &'a [Capture],
    refutations: SlabRows<'a>,
    undecided: SlabRows<'a>,
}

impl<const W: usize> WithSimd for Beginning<'_, W> {
    /// The number of legal positions, by the side to move.
    type Output = ByColor<u64>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> ByColor<u64> {
        let mut legal = ByColor::default();
        for row in 0..self.geometry.rows() {
            let men = self.geometry.row_men(self.slab, row);
            let legality = RowLegality::<W>::new(self.geometry, &men);
            let mut refutations = legality.legal(self.attacker);
            legal[self.attacker] += len(&refutations);
            for capture in self.captures {
                let taken = legality.captures(!self.attacker, capture.man());
                refutations.iter_mut().zip(&taken).for_each(|(bits, taken)| *bits |= taken);
            }
            let undecided = legality.legal(!self.attacker);
            legal[!self.attacker] += len(&undecided);
            self.refutations.set_row(row, &refutations);
            self.undecided.set_row(row, &undecided);
        }
        legal
    }
}

/// One attacker's plies, and the captures that they begin from.
pub(crate) struct AttackPlies<'a> {
    pub geometry: &'a Geometry,
    pub attacker: Color,
    /// The defender's captures after which the attacker still wins.
    pub defender_captures: &'a CaptureSeeds,
    /// The attacker's captures that win.
    pub attacker_captures: &'a CaptureSeeds,
    /// The number of slabs between two calls of `progress`.
    pub group_slabs: usize,
}

impl AttackPlies<'_> {
    /// Runs from the mates back to the longest win.
    ///
    /// # Errors
    ///
    /// A working file cannot be written or read, or `progress` stops the build.
    pub(crate) fn run<const W: usize>(
        &self,
        attack: &mut Attack,
        decisions: &mut Decisions,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let longest_capture = self.defender_captures.longest().max(self.attacker_captures.longest());
        let attacker = self.attacker;
        for moves in 0u16.. {
            // First the positions with the attacker to move that he wins in exactly so many moves, then those with the
            // defender to move that he loses in so many; without a move made, by mate.
            let Attack { refutations, undecided, won, lost } = &mut *attack;
            let wins = Ply { side: attacker, moves, seeds: self.defender_captures, frontier: lost, refutations: None };
            let wins = self.pass::<W>(wins, won, refutations, decisions, progress)?;
            let losses = Ply {
                side: !attacker,
                moves,
                seeds: self.attacker_captures,
                frontier: won,
                refutations: Some(&*refutations),
            };
            let losses = self.pass::<W>(losses, lost, undecided, decisions, progress)?;
            decisions.count(attacker, Value::Win((2 * moves).saturating_sub(1)), wins);
            decisions.count(!attacker, Value::Loss(2 * moves), losses);
            progress.decided(moves, wins + losses);
            // A capture that wins after so many moves makes wins of one more.
            if wins == 0 && losses == 0 && moves > longest_capture {
                break;
            }
        }
        Ok(())
    }

    /// Goes through the slabs in parallel and logs the decisions of each; returns the number of full-board positions that
    /// were decided, like men told apart.
    fn pass<const W: usize>(
        &self,
        ply: Ply<'_>,
        decided: &mut PositionSet,
        undecided: &mut PositionSet,
        decisions: &mut Decisions,
        progress: &dyn Progress,
    ) -> Result<u64, BuildError> {
        let geometry = self.geometry;
        let mut total = 0;
        for first in (0..geometry.slabs()).step_by(self.group_slabs) {
            progress.check()?;
            let group = first..geometry.slabs().min(first + self.group_slabs);
            let log = &decisions.log;
            let slabs = decided.slabs_mut(group.clone()).zip(undecided.slabs_mut(group.clone())).zip(group);
            let passed = slabs.map(|((decided, undecided), slab)| {
                let seeds = ply.seeds.at(slab, ply.moves)?;
                let mut found = SlabDecisions::default();
                let pass =
                    SlabPass::<W> { geometry, ply, slab, decided, undecided, seeds: &seeds, decisions: &mut found };
                let positions = Arch::new().dispatch(pass) * geometry.layout().kings().weight(slab);
                Ok((slab, positions, log.store(found)?))
            });
            for (slab, positions, blob) in passed.collect::<Result<Vec<_>, FormatError>>()? {
                total += positions;
                decisions.log.append((self.attacker, ply.side), slab, ply.moves, blob);
            }
        }
        Ok(total)
    }
}
