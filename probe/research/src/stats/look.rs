//! The analysis of saves and of baring captures by whole slabs instead of probes.

use std::collections::{BTreeMap, HashMap};

use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, Fen, Move, Position, Role, Square};
use makruk_tables::tablebase::{SharedSlab, TableId};
use makruk_tables::value::{Metric, MovesLeft, Value};

use crate::{Cell, Cells, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// The properties of a defender's saves, in positions of the full board unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveCounts {
    /// The saves that were analysed: all, or those of sampled cells.
    pub looked: u64,
    /// The cells of these.
    pub cells: u64,
    /// Saves with a single drawing move.
    pub only_move: u64,
    /// Saves with a drawing sacrifice of any man.
    pub sacrifice: u64,
    /// Saves with a drawing sacrifice of the defender's last piece.
    pub last_piece: u64,
    /// Saves in which every drawing move is a sacrifice.
    pub forced: u64,
    /// Saves with a drawing sacrifice of a rook, knight, khon, met.
    pub given: [u64; 4],
    /// The saves for which the moves that the attacker is short were computed.
    pub asked: u64,
    /// The cells of these.
    pub asked_cells: u64,
    /// These saves by the moves that the attacker is short.
    pub short: BTreeMap<u32, u64>,
    /// Those for which the number is unknown.
    pub unknown: u64,
}

/// Captures of the last piece in positions that the attacker, to move, wins under the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaringCaptures {
    /// The cells that were searched.
    pub cells: u64,
    /// Positions with such a capture.
    pub positions: u64,
    /// Positions in which such a capture draws by the count that it starts.
    pub draws_by_count: u64,
    /// Positions in which such a capture draws, by the count or without it.
    pub draws: u64,
    /// Positions in which every such capture draws: the attacker wins only by declining.
    pub all_draw: u64,
}

impl SaveCounts {
    pub(super) fn add(&mut self, other: &SaveCounts) {
        self.looked += other.looked;
        self.cells += other.cells;
        self.only_move += other.only_move;
        self.sacrifice += other.sacrifice;
        self.last_piece += other.last_piece;
        self.forced += other.forced;
        self.given.iter_mut().zip(other.given).for_each(|(given, more)| *given += more);
        self.asked += other.asked;
        self.asked_cells += other.asked_cells;
        for (&short, positions) in &other.short {
            *self.short.entry(short).or_default() += positions;
        }
        self.unknown += other.unknown;
    }
}

impl BaringCaptures {
    pub(super) fn add(&mut self, other: &BaringCaptures) {
        self.cells += other.cells;
        self.positions += other.positions;
        self.draws_by_count += other.draws_by_count;
        self.draws += other.draws;
        self.all_draw += other.all_draw;
    }
}

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

/// The slabs that moves from one slab lead to.
#[derive(Default)]
pub(crate) struct SlabsAtHand(Vec<((Material, Color, usize), SharedSlab<Cell>)>);

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
    fn after(&self, position: &Position, hand: &mut SlabsAtHand) -> Result<Cell, ProbeError> {
        let set = Material::of(position.board())?.material;
        let Some(member) = self.members.get(&set) else { return Ok(Cell::Draw) };
        let layout = member.cells.layout();
        let Some((side, number)) = layout.number(position) else { return Ok(Cell::Draw) };
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
            if self.after(&after, hand)? <= Cell::Loss {
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
                Cell::CursedWin => return Ok(true),
                // One move of board's honour is spent already.
                Cell::Win if !bares && self.is_tight(&after)? => return Ok(true),
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
                Cell::Win | Cell::WinJustInTime => {}
                Cell::CursedWin => {
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
