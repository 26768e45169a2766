//! One attack: the plies from the mates back to the longest win.
//!
//! For an attacker A and a defender D the plies alternate. The positions with D to move that the last ply decided have
//! predecessors: wins of A. The predecessors of these are candidates with D to move. A candidate is lost unless D has a
//! refutation: a move to a position that A does not win so far. Each pass writes every slab once, and reads only sets
//! that the pass before finished.

use makruk_format::FormatError;
use makruk_rules::{ByColor, Color};
use makruk_tables::value::Value;

use super::bitset::{PositionSet, SlabRows, len};
use super::decision_log::DecisionLog;
use super::geometry::Geometry;
use super::groups::Groups;
use super::kernel::{Kernel, widest};
use super::legality::{ExitMen, RowLegality};
use super::plane_memory::PlaneMemory;
use super::ply_id::PlyId;
use super::slab_decisions::SlabDecisions;
use super::slab_pass::{Ply, SlabPass};
use super::solution::Decisions;
use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;
use crate::solve::exit_seeds::ExitSeeds;

/// The sets that an attack works on.
pub(crate) struct Attack<'m> {
    /// The planes of all sets.
    memory: PlaneMemory<'m>,
    /// The slabs that a pass goes through at a time.
    groups: &'m Groups,
    sets: Sets<'m>,
}

struct Sets<'m> {
    /// The positions whose reach saves the defender so far. They are legal positions with the attacker to move that are
    /// not won so far, and exits by the defender after which the attacker does not win so far.
    refutations: PositionSet<'m>,
    /// Legal positions with the defender to move that are not lost so far.
    undecided: PositionSet<'m>,
    /// The frontier with the attacker to move: the positions that the last pass decided, and such exits by the
    /// defender.
    won: PositionSet<'m>,
    /// The frontier with the defender to move: the positions that the last pass decided, and such exits by the
    /// attacker.
    lost: PositionSet<'m>,
}

impl<'m> Attack<'m> {
    /// The number of sets of positions.
    pub(crate) const SETS: usize = 4;

    /// The planes that `slabs` slabs have in all sets.
    pub(crate) fn planes(geometry: &Geometry, slabs: usize) -> usize {
        Attack::SETS * slabs * geometry.planes()
    }

    /// Empty sets, whose planes are in this memory, and the groups of slabs that passes go through.
    pub(super) fn empty(geometry: &Geometry, memory: PlaneMemory<'m>, groups: &'m Groups) -> Attack<'m> {
        let empty = || PositionSet::empty(geometry, &memory);
        let sets = Sets { refutations: empty(), undecided: empty(), won: empty(), lost: empty() };
        Attack { memory, groups, sets }
    }

    /// Prepares the sets for an attacker's first ply: all legal positions and exits are undecided. The first passes
    /// empty the frontiers. Returns the number of cells of legal positions of the full board for each side to move.
    ///
    /// # Errors
    ///
    /// A working file cannot be written.
    pub(crate) fn begin<const W: usize>(
        &mut self,
        geometry: &Geometry,
        attacker: Color,
    ) -> Result<ByColor<u64>, FormatError> {
        self.give_up(geometry);
        let Attack { memory, groups, sets: Sets { refutations, undecided, .. } } = self;
        let exits = ExitMen::all(geometry, !attacker);
        let mut all = ByColor::default();
        let begin = |slab, [refutations, undecided]: [SlabRows<'_, 'm>; 2]| {
            let beginning = Beginning::<W> { geometry, attacker, slab, exits: &exits, refutations, undecided };
            Ok(widest(beginning).map(|legal| legal * geometry.layout().kings().weight(slab)))
        };
        for group in groups.of(attacker) {
            for legal in write_slabs(group, [&mut *refutations, &mut *undecided], memory, begin)? {
                all = ByColor::from_fn(|side| all[side] + legal[side]);
            }
        }
        Ok(all)
    }

    /// Brings the sets from the attacker's beginning to the end of a ply. The log has the decisions of this ply and of
    /// all plies before it.
    ///
    /// # Errors
    ///
    /// A working file cannot be written or read, or `progress` stops the build.
    fn restore<const W: usize>(
        &mut self,
        plies: &AttackPlies<'_>,
        last: PlyId,
        log: &DecisionLog,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let &AttackPlies { attacker, exits, .. } = plies;
        let Attack { memory, groups, sets: Sets { refutations, undecided, won, lost } } = self;
        // The next ply reads this frontier alone, and empties the other.
        let frontier = if last.side == attacker { won } else { lost };
        let restore = |slab, [mut refutations, mut undecided, mut frontier]: [SlabRows<'_, 'm>; 3]| {
            frontier.clear::<W>();
            let buffer = &mut Vec::new();
            for (side, left) in [(attacker, &mut refutations), (!attacker, &mut undecided)] {
                for entry in log.entries((attacker, side), slab) {
                    let is_last = PlyId { attacker, side, moves: entry.moves } == last;
                    for block in log.blocks(entry, buffer)? {
                        left.remove_words::<W>(block.words());
                        if is_last {
                            frontier.add_words::<W>(block.words());
                        }
                    }
                }
            }
            for moves in 0..=last.moves {
                refutations.remove::<W>(exits[!attacker].at(slab, (attacker, moves), buffer)?);
            }
            frontier.add::<W>(exits[!last.side].at(slab, (attacker, last.moves), buffer)?);
            Ok(())
        };
        for group in groups.of(attacker) {
            progress.check()?;
            write_slabs(group, [&mut *refutations, &mut *undecided, &mut *frontier], memory, restore)?;
        }
        Ok(())
    }

    /// Gives up all planes, unless they stay in memory.
    pub(super) fn give_up(&mut self, geometry: &Geometry) {
        let Sets { refutations, undecided, won, lost } = &mut self.sets;
        for set in [refutations, undecided, won, lost] {
            (0..geometry.slabs()).for_each(|slab| set.give_up(slab, &self.memory));
        }
    }
}

/// Runs `write` on the rows that some sets have in each slab of a group, in parallel; returns its outcomes in the
/// group's order.
fn write_slabs<'m, T: Send, const N: usize>(
    group: &[usize],
    mut sets: [&mut PositionSet<'m>; N],
    memory: &PlaneMemory<'m>,
    write: impl Fn(usize, [SlabRows<'_, 'm>; N]) -> Result<T, FormatError> + Sync,
) -> Result<Vec<T>, FormatError> {
    let slabs: Vec<_> = group.iter().map(|&slab| (slab, sets.each_mut().map(|set| set.take(slab)))).collect();
    let written = try_map(slabs, |(slab, mut contents)| {
        let outcome = write(slab, contents.each_mut().map(|content| content.rows(memory)))?;
        contents.iter_mut().try_for_each(|content| content.after_writing(memory))?;
        Ok((slab, contents, outcome))
    })?;
    let mut outcomes = Vec::with_capacity(group.len());
    for (slab, contents, outcome) in written {
        sets.iter_mut().zip(contents).for_each(|(set, content)| set.put(slab, content));
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// A slab before the first ply.
struct Beginning<'a, 'm, const W: usize> {
    geometry: &'a Geometry,
    attacker: Color,
    slab: usize,
    /// The defender's.
    exits: &'a [ExitMen],
    refutations: SlabRows<'a, 'm>,
    undecided: SlabRows<'a, 'm>,
}

impl<const W: usize> Kernel for Beginning<'_, '_, W> {
    /// The number of legal positions, by the side to move.
    type Output = ByColor<u64>;

    #[inline(always)]
    fn run(mut self) -> ByColor<u64> {
        let mut legal = ByColor::default();
        for row in 0..self.geometry.rows() {
            let men = self.geometry.row_men(self.slab, row);
            if self.geometry.is_void(&men) {
                continue;
            }
            let legality = RowLegality::<W>::new(self.geometry, &men);
            let mut refutations = legality.legal(self.attacker);
            legal[self.attacker] += len(&refutations);
            for exit in self.exits {
                let left = legality.exits(!self.attacker, *exit);
                refutations.iter_mut().zip(&left).for_each(|(bits, left)| *bits |= left);
            }
            let undecided = legality.legal(!self.attacker);
            legal[!self.attacker] += len(&undecided);
            self.refutations.set_row(row, &refutations);
            self.undecided.set_row(row, &undecided);
        }
        legal
    }
}

/// One attacker's plies, and the exits that they begin from.
pub(crate) struct AttackPlies<'a> {
    pub geometry: &'a Geometry,
    pub attacker: Color,
    /// The exits that are decided, by the side that moves.
    pub exits: &'a ByColor<ExitSeeds>,
}

/// The sets that a pass reads, and those that it writes.
struct PassSets<'a, 'm> {
    /// The positions that the ply before decided.
    frontier: &'a mut PositionSet<'m>,
    /// The positions that save a defender who can reach one.
    refutations: Option<&'a mut PositionSet<'m>>,
    /// The new frontier.
    decided: &'a mut PositionSet<'m>,
    /// The positions that are left to decide.
    undecided: &'a mut PositionSet<'m>,
}

impl AttackPlies<'_> {
    /// Runs from the mates back to the longest win. The log has the first plies already, if another build has run them:
    /// the numbers of positions that they decided are in `finished`.
    ///
    /// # Errors
    ///
    /// A working file cannot be written or read, or `progress` stops the build.
    pub(crate) fn run<const W: usize>(
        &self,
        attack: &mut Attack<'_>,
        finished: &[u64],
        decisions: &mut Decisions,
        progress: &dyn Progress,
    ) -> Result<(), BuildError> {
        let attacker = self.attacker;
        let longest_exit = Color::ALL.into_iter().map(|mover| self.exits[mover].longest(attacker)).max().unwrap_or(0);
        if let Some(last) = finished.len().checked_sub(1) {
            attack.restore::<W>(self, PlyId::nth(attacker, last), &decisions.log, progress)?;
        }
        for moves in 0u16.. {
            // First the positions with the attacker to move that he wins in exactly `moves` moves, then those with the
            // defender to move that he loses in as many; without a move made, by mate.
            let number = 2 * usize::from(moves);
            let wins = match finished.get(number) {
                Some(&wins) => wins,
                None => self.ply::<W>(PlyId::nth(attacker, number), attack, decisions, progress)?,
            };
            let losses = match finished.get(number + 1) {
                Some(&losses) => losses,
                None => {
                    let losses = self.ply::<W>(PlyId::nth(attacker, number + 1), attack, decisions, progress)?;
                    let was_finished = finished.len() > number;
                    progress.decided(moves, if was_finished { losses } else { wins + losses });
                    losses
                }
            };
            count_moves(decisions, attacker, moves, wins, losses);
            // An exit that wins after n moves makes wins of n + 1.
            if wins == 0 && losses == 0 && moves > longest_exit {
                break;
            }
        }
        Ok(())
    }

    /// Runs a ply; returns the number of full-board positions that were decided, in cells.
    fn ply<const W: usize>(
        &self,
        ply: PlyId,
        Attack { memory, groups, sets }: &mut Attack<'_>,
        decisions: &mut Decisions,
        progress: &dyn Progress,
    ) -> Result<u64, BuildError> {
        let Sets { refutations, undecided, won, lost } = sets;
        let sets = if ply.side == ply.attacker {
            PassSets { frontier: lost, refutations: None, decided: won, undecided: refutations }
        } else {
            PassSets { frontier: won, refutations: Some(refutations), decided: lost, undecided }
        };
        let positions = self.pass::<W>(ply, sets, (memory, groups), decisions, progress)?;
        decisions.log.end_ply(ply, positions)?;
        Ok(positions)
    }

    /// Goes through the slabs in parallel and logs the decisions of each; returns the number of full-board positions
    /// that were decided, in cells.
    fn pass<'m, const W: usize>(
        &self,
        id: PlyId,
        sets: PassSets<'_, 'm>,
        (memory, groups): (&PlaneMemory<'m>, &Groups),
        decisions: &mut Decisions,
        progress: &dyn Progress,
    ) -> Result<u64, BuildError> {
        let PassSets { frontier, mut refutations, decided, undecided } = sets;
        let (geometry, PlyId { attacker, side, moves }) = (self.geometry, id);
        // The positions after exits have the other side to move.
        let seeds = &self.exits[!side];
        let mut total = 0;
        for group in groups.of(side) {
            progress.check()?;
            let refuting = refutations.as_deref().map(|set| set.view(memory));
            let ply = Ply { side, moves, frontier: frontier.view(memory), refutations: refuting };
            let log = &decisions.log;
            let pass = |slab, [decided, undecided]: [SlabRows<'_, 'm>; 2]| {
                let mut buffer = Vec::new();
                let seeds = seeds.at(slab, (attacker, moves), &mut buffer)?;
                SlabDecisions::with(|found| {
                    let decisions = &mut *found;
                    let pass = SlabPass::<W> { geometry, ply, slab, decided, undecided, seeds, decisions };
                    let positions = widest(pass) * geometry.layout().kings().weight(slab);
                    Ok((positions, log.store(id, slab, found)?))
                })
            };
            let passed = write_slabs(group, [&mut *decided, &mut *undecided], memory, pass)?;
            for (&slab, (positions, blob)) in group.iter().zip(passed) {
                // No other group reads this one's, and the next pass has another frontier.
                frontier.give_up(slab, memory);
                if let Some(refutations) = &mut refutations {
                    refutations.after_reading(slab, memory);
                }
                total += positions;
                if let Some(blob) = blob {
                    decisions.log.append(id, slab, blob);
                }
            }
            memory.check()?;
        }
        Ok(total)
    }
}

/// Counts the positions that an attacker wins in `moves` moves, and those that the defender loses in as many.
pub(super) fn count_moves(decisions: &mut Decisions, attacker: Color, moves: u16, wins: u64, losses: u64) {
    decisions.count(attacker, Value::Win((2 * moves).saturating_sub(1)), wins);
    decisions.count(!attacker, Value::Loss(2 * moves), losses);
}
