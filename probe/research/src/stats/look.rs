//! A close look at saves, and at captures that bare the king, by whole slabs instead of probes.

use std::collections::{BTreeMap, HashMap};

use makruk_tables::format::{Metric, MovesLeft, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, Fen, Move, Position, Role, Square};
use makruk_tables::tablebase::{SharedSlab, TableId};

use crate::{Cell, Cells, SlabSource};
use makruk_probe::{ProbeError, Prober};

/// What the saves of a defender are like. Positions, unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saves {
    /// How many were looked at: all, or those of evenly spaced cells.
    pub looked: u64,
    /// Of these, the cells: positions that are no images of each other, but for those on the long diagonal.
    pub cells: u64,
    /// Those with one drawing move only.
    pub only_move: u64,
    /// Those with a drawing move that is a sacrifice, of any man.
    pub sacrifice: u64,
    /// The same, of the defender's last piece.
    pub last_piece: u64,
    /// Those in which every drawing move is a sacrifice.
    pub forced: u64,
    /// Those with a sacrifice of a rook, knight, khon, met.
    pub given: [u64; 4],
    /// How many were asked how much the attacker is short.
    pub asked: u64,
    /// Of these, the cells.
    pub asked_cells: u64,
    /// The moves that the attacker is short, and how often.
    pub short: BTreeMap<u32, u64>,
    /// Those where it can't be told.
    pub unknown: u64,
}

/// Positions that an attacker, to move, wins within the count, and in which he can take the last piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trades {
    /// The cells that were looked at, of all in which the attacker wins in time.
    pub cells: u64,
    /// Positions with such a capture.
    pub positions: u64,
    /// Those in which one of these captures draws, by the count that it starts.
    pub draws_by_count: u64,
    /// Those in which one draws, by the count or for good.
    pub draws: u64,
    /// Those in which all of them draw: the attacker wins only by leaving the piece alone.
    pub refuse: u64,
}

impl Saves {
    pub(super) fn add(&mut self, other: &Saves) {
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

impl Trades {
    pub(super) fn add(&mut self, other: &Trades) {
        self.cells += other.cells;
        self.positions += other.positions;
        self.draws_by_count += other.draws_by_count;
        self.draws += other.draws;
        self.refuse += other.refuse;
    }
}

/// The cells of a set and of those that captures lead to.
pub(crate) struct Family<'a, S> {
    prober: &'a Prober<S>,
    set: Material,
    members: HashMap<Material, Member>,
}

struct Member {
    cells: Cells,
    /// Whether some loss takes all 64 moves of board's honour: begun two plies ago, that count is too short.
    is_tight: bool,
}

/// Slabs at hand: those that moves from one slab lead to.
#[derive(Default)]
pub(crate) struct AtHand(Vec<((Material, Color, usize), SharedSlab<Cell>)>);

impl<'a, S: SlabSource> Family<'a, S> {
    pub(crate) fn open(prober: &'a Prober<S>, set: Material) -> Result<Family<'a, S>, ProbeError> {
        let tablebase = super::tablebase(prober, set)?;
        let mut members = HashMap::new();
        for member in Material::with_descendants([set]) {
            let cells = Cells::open(prober, member)?;
            let mut is_tight = false;
            if member.is_armed() {
                let left = MovesLeft::of(member, prober.rules()).moves(false).unwrap_or(u32::MAX);
                let events = tablebase.table(TableId { material: member, metric: Metric::Dtz })?.spec();
                is_tight = Color::ALL.into_iter().flat_map(|side| events.values[side].entries()).any(|&(value, n)| {
                    n > 0 && matches!(value, Value::Loss(_)) && value.moves().map(u32::from) == Some(left)
                });
            }
            members.insert(member, Member { cells, is_tight });
        }
        Ok(Family { prober, set, members })
    }

    /// The set's own cells.
    pub(crate) fn cells(&self) -> Option<&Cells> {
        self.members.get(&self.set).map(|member| &member.cells)
    }

    /// What a move is worth to the side that made it, from the position after it, if a count begins now or has begun with
    /// the move.
    fn after(&self, position: &Position, hand: &mut AtHand) -> Result<Cell, ProbeError> {
        let set = Material::of(position.board())?.material;
        let Some(member) = self.members.get(&set) else { return Ok(Cell::Draw) };
        let layout = member.cells.layout();
        let Some((side, number)) = layout.index(position) else { return Ok(Cell::Draw) };
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

    /// Looks at a save: its defender is to move, both sides are armed.
    pub(super) fn save(
        &self,
        position: &Position,
        weight: u64,
        hand: &mut AtHand,
        saves: &mut Saves,
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

    /// Does a capture on a square, by the side to move, win without the count but not with it?
    fn wins_but_for_the_count(
        &self,
        position: &Position,
        square: Square,
        hand: &mut AtHand,
    ) -> Result<bool, ProbeError> {
        for after in captures(position, square) {
            let bares = after.board().is_bare(after.turn());
            match self.after(&after, hand)? {
                Cell::CursedWin => return Ok(true),
                // A move of board's honour is gone already.
                Cell::Win if !bares && self.is_tight(&after)? => return Ok(true),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Does the side to move lose in just so many moves as board's honour has, begun now?
    fn is_tight(&self, position: &Position) -> Result<bool, ProbeError> {
        let set = Material::of(position.board())?.material;
        if !self.members.get(&set).is_some_and(|member| member.is_tight) {
            return Ok(false);
        }
        let left = MovesLeft::of(set, self.prober.rules()).moves(false);
        Ok(self.prober.value(position, Metric::Dtz)?.moves().map(u32::from) == left)
    }

    /// Looks at a save against a bare king, by probes: no capture there changes the count that runs.
    pub(super) fn bare_save(&self, position: Position, weight: u64, saves: &mut Saves) -> Result<(), ProbeError> {
        let moves = self.prober.moves(&Fen::new(position, None))?;
        saves.looked += weight;
        saves.cells += 1;
        if moves.iter().filter(|mv| mv.category.is_drawn()).count() == 1 {
            saves.only_move += weight;
        }
        Ok(())
    }

    /// Asks how much the attacker is short in a save.
    pub(super) fn short(&self, position: Position, weight: u64, saves: &mut Saves) -> Result<(), ProbeError> {
        saves.asked += weight;
        saves.asked_cells += 1;
        match self.prober.short_by(&Fen::new(position, None))? {
            Some(short) => *saves.short.entry(short).or_default() += weight,
            None => saves.unknown += weight,
        }
        Ok(())
    }

    /// Looks at a position that the side to move wins in time.
    pub(crate) fn trade(
        &self,
        position: &Position,
        weight: u64,
        hand: &mut AtHand,
        trades: &mut Trades,
    ) -> Result<(), ProbeError> {
        trades.cells += 1;
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
        trades.positions += times(all > 0);
        trades.draws_by_count += times(by_count > 0);
        trades.draws += times(draws > 0);
        trades.refuse += times(all > 0 && draws == all);
        Ok(())
    }
}

/// The positions after legal captures on a square.
fn captures(position: &Position, square: Square) -> impl Iterator<Item = Position> + '_ {
    let attacker = position.turn();
    let from: Bitboard = position.board().attackers(square, attacker);
    from.filter_map(move |from| {
        let after = position.play(Move { from, to: square, promotion: false });
        (!after.board().is_attacked(attacker)).then_some(after)
    })
}
