//! The analysis of saves and of baring captures by whole slabs instead of probes.

use std::collections::HashMap;

use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, Fen, Move, Position, Role, Square};
use makruk_tables::tablebase::{SharedSlab, TableId};
use makruk_tables::value::{Metric, MovesLeft, Value, Wdl};

use super::counts::{BaringCaptures, SaveCounts};
use crate::{Cells, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// The cells of a material and of those that captures lead to.
pub(crate) struct FamilyCells<'a, S> {
    prober: &'a Prober<S>,
    material: Material,
    members: HashMap<Material, Member>,
}

struct Member {
    cells: Cells,
    /// Does some loss take all 64 moves of board's honour? A count that began two plies ago is too short for it.
    is_tight: bool,
}

/// A slab of a material with one side to move.
type SlabKey = (Material, Color, usize);

/// The slabs that moves from one slab lead to.
#[derive(Default)]
pub(crate) struct SlabsAtHand(Vec<(SlabKey, SharedSlab<Option<Wdl>>)>);

impl<'a, S: SlabSource> FamilyCells<'a, S> {
    pub(crate) fn open(prober: &'a Prober<S>, material: Material) -> Result<FamilyCells<'a, S>, ProbeError> {
        let tablebase = super::tablebase(prober, material)?;
        let mut members = HashMap::new();
        for member in Material::with_descendants([material]) {
            let cells = Cells::open(prober, member)?;
            let mut is_tight = false;
            if member.is_armed() {
                let left = MovesLeft::of(member, prober.rules()).moves(false).unwrap_or(u32::MAX);
                let spec = tablebase.table(TableId { material: member, metric: Metric::Dtz })?.spec();
                is_tight = Color::ALL.into_iter().flat_map(|side| spec.values[side].entries()).any(|&(value, n)| {
                    n > 0 && matches!(value, Value::Loss(_)) && value.moves().map(u32::from) == Some(left)
                });
            }
            members.insert(member, Member { cells, is_tight });
        }
        Ok(FamilyCells { prober, material, members })
    }

    /// The material's own cells.
    pub(crate) fn cells(&self) -> Option<&Cells> {
        self.members.get(&self.material).map(|member| &member.cells)
    }

    /// The value of a move to the side that made it, from the position after it, if a count begins now or began with the
    /// move.
    fn after(&self, position: &Position, hand: &mut SlabsAtHand) -> Result<Option<Wdl>, ProbeError> {
        let set = Material::of(position.board())?.material;
        let Some(member) = self.members.get(&set) else { return Ok(Some(Wdl::Draw)) };
        let layout = member.cells.layout();
        let Some((side, number)) = layout.number(position) else { return Ok(Some(Wdl::Draw)) };
        let (slab, offset) = ((number / layout.slab_len()) as usize, (number % layout.slab_len()) as usize);
        let key = (set, side, slab);
        let at = match hand.0.iter().position(|(known, _)| *known == key) {
            Some(at) => at,
            None => {
                hand.0.push((key, member.cells.after(self.prober, side, slab)?));
                hand.0.len() - 1
            }
        };
        Ok(hand.0[at].1[offset])
    }

    /// Analyses a save with both sides armed.
    pub(super) fn save(
        &self,
        position: &Position,
        weight: u64,
        hand: &mut SlabsAtHand,
        saves: &mut SaveCounts,
    ) -> Result<(), ProbeError> {
        let defender = position.turn();
        let (mut drawing, mut sacrifices, mut last, mut given) = (0u32, 0u32, false, [false; 4]);
        for mv in position.legal_moves() {
            let after = position.play(mv);
            if self.after(&after, hand)? <= Some(Wdl::Loss) {
                continue;
            }
            drawing += 1;
            let mut is_sacrifice = false;
            for square in after.board().by_color(defender).without(after.king(defender)) {
                if self.wins_but_for_the_count(&after, square, hand)? {
                    is_sacrifice = true;
                    last |= after.board().by_color(defender).len() == 2;
                    let role = after.board().piece_at(square).map(|piece| piece.role);
                    given.iter_mut().zip(Role::PIECES).for_each(|(given, piece)| *given |= role == Some(piece));
                }
            }
            sacrifices += u32::from(is_sacrifice);
        }
        let times = |is: bool| if is { weight } else { 0 };
        saves.looked += weight;
        saves.cells += 1;
        saves.only_move += times(drawing == 1);
        saves.sacrifice += times(sacrifices > 0);
        saves.last_piece += times(last);
        saves.forced += times(sacrifices > 0 && sacrifices == drawing);
        saves.given.iter_mut().zip(given).for_each(|(all, given)| *all += times(given));
        Ok(())
    }

    /// Does a capture on a square, by the side to move, win without the count but not under it?
    fn wins_but_for_the_count(
        &self,
        position: &Position,
        square: Square,
        hand: &mut SlabsAtHand,
    ) -> Result<bool, ProbeError> {
        for after in captures(position, square) {
            let bares = after.board().is_bare(after.turn());
            match self.after(&after, hand)? {
                Some(Wdl::CursedWin) => return Ok(true),
                // One move of board's honour is spent already.
                Some(Wdl::Win) if !bares && self.is_tight(&after)? => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Does the side to move lose in exactly as many moves as board's honour has, begun now?
    fn is_tight(&self, position: &Position) -> Result<bool, ProbeError> {
        let set = Material::of(position.board())?.material;
        if !self.members.get(&set).is_some_and(|member| member.is_tight) {
            return Ok(false);
        }
        let left = MovesLeft::of(set, self.prober.rules()).moves(false);
        Ok(self.prober.value(position, Metric::Dtz)?.moves().map(u32::from) == left)
    }

    /// Analyses a save of a bare king by probes: captures do not change the running count.
    pub(super) fn bare_save(&self, position: Position, weight: u64, saves: &mut SaveCounts) -> Result<(), ProbeError> {
        let moves = self.prober.moves(&Fen::new(position, None))?;
        saves.looked += weight;
        saves.cells += 1;
        if moves.iter().filter(|mv| mv.category.is_drawn()).count() == 1 {
            saves.only_move += weight;
        }
        Ok(())
    }

    /// Computes the moves that the attacker is short in a save.
    pub(super) fn short(&self, position: Position, weight: u64, saves: &mut SaveCounts) -> Result<(), ProbeError> {
        saves.asked += weight;
        saves.asked_cells += 1;
        match self.prober.short_by(&Fen::new(position, None))? {
            Some(short) => *saves.short.entry(short).or_default() += weight,
            None => saves.unknown += weight,
        }
        Ok(())
    }

    /// Searches a position that the side to move wins in time for captures of the last piece.
    pub(crate) fn baring_captures(
        &self,
        position: &Position,
        weight: u64,
        hand: &mut SlabsAtHand,
        found: &mut BaringCaptures,
    ) -> Result<(), ProbeError> {
        found.cells += 1;
        let defender = !position.turn();
        let men = position.board().by_color(defender).without(position.king(defender));
        let Some(square) = men.first().filter(|_| men.len() == 1) else { return Ok(()) };
        let (mut all, mut by_count, mut draws) = (0, 0, 0);
        for after in captures(position, square) {
            all += 1;
            match self.after(&after, hand)? {
                Some(Wdl::Win | Wdl::WinInTimeIfAttackerMoves) => {}
                Some(Wdl::CursedWin) => {
                    by_count += 1;
                    draws += 1;
                }
                _ => draws += 1,
            }
        }
        let times = |is: bool| if is { weight } else { 0 };
        found.positions += times(all > 0);
        found.draws_by_count += times(by_count > 0);
        found.draws += times(draws > 0);
        found.all_draw += times(all > 0 && draws == all);
        Ok(())
    }
}

/// The positions after legal captures on a square.
fn captures(position: &Position, square: Square) -> impl Iterator<Item = Position> + '_ {
    let attacker = position.turn();
    let from: Bitboard = position.board().attackers(square, attacker);
    from.into_iter().filter_map(move |from| {
        let after = position.play(Move { from, to: square, promotion: false });
        (!after.board().is_attacked(attacker)).then_some(after)
    })
}
