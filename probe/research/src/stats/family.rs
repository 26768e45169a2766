//! The analysis of saves and of baring captures by whole slabs instead of probes.

use std::collections::HashMap;

use makruk_probe::{Category, ProbeError, Prober, SacrificeKind, ValueSource};
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, Fen, Move, Position, Square, ToMove};
use makruk_tables::tablebase::{SharedSlab, TableId};
use makruk_tables::value::{Metric, MovesLeft, Value};

use super::counts::{BaringCaptures, ByProperty, SaveCounts, SaveProperty};
use crate::cells::Cells;

/// The cells of a material and of those that captures and promotions lead to.
pub(crate) struct FamilyCells<'a, S> {
    prober: &'a Prober<S>,
    material: Material,
    members: HashMap<Material, Member>,
}

struct Member {
    cells: Cells,
    /// Whether some loss takes all 64 moves of board's honour. A count that began two plies ago is too short for it.
    is_tight: bool,
}

/// A slab of a material with one side to move.
type SlabKey = (Material, Color, usize);

/// The slabs that moves from one slab lead to.
#[derive(Default)]
pub(crate) struct SlabsAtHand(Vec<(SlabKey, SharedSlab<Option<Category>>)>);

impl<'a, S: ValueSource> FamilyCells<'a, S> {
    pub(crate) fn open(prober: &'a Prober<S>, material: Material) -> Result<FamilyCells<'a, S>, ProbeError> {
        let tablebase = super::tablebase(prober, material)?;
        let mut members = HashMap::new();
        for member in Material::with_descendants([material]) {
            let cells = Cells::open(prober, member)?;
            let mut is_tight = false;
            if member.is_armed() {
                let left = MovesLeft::of(member, prober.rules()).moves(ToMove::Defender).unwrap_or(u32::MAX);
                let spec = tablebase.table::<Value>(TableId { material: member, metric: Metric::Dtz })?.spec();
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

    /// The value of a move to the side that made it, from the position after it, if a count begins now or began with
    /// the move.
    fn after(&self, position: &Position, hand: &mut SlabsAtHand) -> Result<Option<Category>, ProbeError> {
        let material = Material::of(position.board())?.material;
        let Some(member) = self.members.get(&material) else { return Ok(Some(Category::Draw)) };
        let layout = member.cells.layout();
        let Some((side, number)) = layout.number(position) else { return Ok(Some(Category::Draw)) };
        let (slab, offset) = ((number / layout.slab_len()) as usize, (number % layout.slab_len()) as usize);
        let key = (material, side, slab);
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
        let (mut drawing, mut sacrifices) = (0u32, 0u32);
        let mut has = ByProperty::<u64>::default();
        let legal = position.legal_moves();
        for &mv in &legal {
            let after = position.play(mv);
            if self.after(&after, hand)? <= Some(Category::Loss) {
                continue;
            }
            drawing += 1;
            let men = after.board().by_color(defender).without(after.king(defender));
            // If the man that moved can be taken, it is the sacrifice; else each man that the move abandons is.
            let mut given: Vec<Move> = Vec::new();
            for square in men {
                given.extend(self.cursed_capture(&after, square, hand)?);
            }
            if given.iter().any(|capture| capture.to == mv.to) {
                given.retain(|capture| capture.to == mv.to);
            }
            for &capture in &given {
                let kind = SacrificeKind::of(position, mv, capture);
                has.count(SaveProperty::of_kind(kind), true, 1);
                has.count(SaveProperty::QuietSacrifice, kind != SacrificeKind::Exchange, 1);
                has.count(SaveProperty::LastPiece, men.len() == 1, 1);
                let role = after.captured(capture).and_then(|man| SaveProperty::given(man.role));
                if let Some(property) = role {
                    has.count(property, true, 1);
                }
            }
            sacrifices += u32::from(!given.is_empty());
        }
        has.count(SaveProperty::Check, position.is_check(), 1);
        has.count(SaveProperty::OnlyMove, drawing == 1, 1);
        has.count(SaveProperty::Sacrifice, sacrifices > 0, 1);
        has.count(SaveProperty::Forced, sacrifices > 0 && sacrifices == drawing, 1);
        saves.looked += weight;
        saves.cells += 1;
        saves.with += &has.map(|times| if times > 0 { weight } else { 0 });
        Ok(())
    }

    /// A capture on a square, by the side to move, that wins without the count but not under it.
    fn cursed_capture(
        &self,
        position: &Position,
        square: Square,
        hand: &mut SlabsAtHand,
    ) -> Result<Option<Move>, ProbeError> {
        for (capture, after) in captures(position, square) {
            let bares = after.board().is_bare(after.turn());
            // From a position with pawns, a count that runs now began with one of the last two moves.
            let spent = !bares && !self.material.has_pawns();
            match self.after(&after, hand)? {
                Some(Category::CursedWin) => return Ok(Some(capture)),
                // One move of board's honour is spent already.
                Some(Category::Win) if spent && self.is_tight(&after)? => return Ok(Some(capture)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether the side to move loses in exactly as many moves as board's honour has, begun now.
    fn is_tight(&self, position: &Position) -> Result<bool, ProbeError> {
        let material = Material::of(position.board())?.material;
        if !self.members.get(&material).is_some_and(|member| member.is_tight) {
            return Ok(false);
        }
        let left = MovesLeft::of(material, self.prober.rules()).moves(ToMove::Defender);
        Ok(self.prober.value(position, Metric::Dtz)?.moves().map(u32::from) == left)
    }

    /// Analyses a save of a bare king. Its captures do not change the running count, so after them the distance to mate
    /// decides, and not the category for a new count.
    pub(super) fn bare_save(
        &self,
        position: &Position,
        weight: u64,
        hand: &mut SlabsAtHand,
        saves: &mut SaveCounts,
    ) -> Result<(), ProbeError> {
        let left = MovesLeft::of(self.material, self.prober.rules());
        let mut drawing = 0u32;
        for mv in position.legal_moves() {
            let after = position.play(mv);
            let draws = if position.captured(mv).is_some() {
                match Material::of(after.board())?.material {
                    material if material == Material::BARE_KINGS => true,
                    _ => !left.suffice(self.prober.value(&after, Metric::Dtm)?, ToMove::Defender),
                }
            } else {
                self.after(&after, hand)? > Some(Category::Loss)
            };
            drawing += u32::from(draws);
        }
        saves.looked += weight;
        saves.cells += 1;
        saves.with.count(SaveProperty::Check, position.is_check(), weight);
        saves.with.count(SaveProperty::OnlyMove, drawing == 1, weight);
        Ok(())
    }

    /// Computes the moves that the attacker is short in a save.
    pub(super) fn short(&self, position: Position, weight: u64, saves: &mut SaveCounts) -> Result<(), ProbeError> {
        saves.asked += weight;
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
        for (_, after) in captures(position, square) {
            all += 1;
            match self.after(&after, hand)? {
                Some(Category::Win) => {}
                Some(Category::CursedWin) => {
                    by_count += 1;
                    draws += 1;
                }
                _ => draws += 1,
            }
        }
        let times = |is: bool| if is { weight } else { 0 };
        found.found_cells += u64::from(all > 0);
        found.positions += times(all > 0);
        found.draws_by_count += times(by_count > 0);
        found.draws += times(draws > 0);
        found.all_draw += times(all > 0 && draws == all);
        Ok(())
    }
}

/// The legal captures on a square, and the positions after them.
fn captures(position: &Position, square: Square) -> impl Iterator<Item = (Move, Position)> + '_ {
    let attacker = position.turn();
    let from: Bitboard = position.board().attackers(square, attacker);
    from.into_iter().filter_map(move |from| {
        let capture = Move { from, to: square, promotion: false };
        let after = position.play(capture);
        (!after.board().is_attacked(attacker)).then_some((capture, after))
    })
}
