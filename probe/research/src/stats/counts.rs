//! Counts of saves and of captures that take the last piece.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Index};

use makruk_probe::{Category, ProbeError, Prober, SacrificeKind, ValueSource};
use makruk_rules::{Fen, Position, Role};

use crate::analysis::SaveAnalysis;

/// A property that a save has or lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveProperty {
    /// The defender is in check.
    Check,
    /// A single move draws.
    OnlyMove,
    /// A drawing move sacrifices a man.
    Sacrifice,
    /// A drawing move sacrifices the defender's last piece.
    LastPiece,
    /// Every drawing move is a sacrifice.
    Forced,
    /// A drawing move that captures nothing sacrifices a man: an offer, or a man lost anyway.
    QuietSacrifice,
    /// A drawing move offers a man that another move would keep.
    Offer,
    /// A drawing move exchanges a man.
    Exchange,
    /// A drawing move sacrifices a man that every move loses.
    LostAnyway,
    /// A drawing move sacrifices a rook.
    RookGiven,
    /// A drawing move sacrifices a knight.
    KnightGiven,
    /// A drawing move sacrifices a khon.
    KhonGiven,
    /// A drawing move sacrifices a met.
    MetGiven,
}

impl SaveProperty {
    /// The number of properties.
    pub(super) const COUNT: usize = SaveProperty::MetGiven as usize + 1;

    /// The sacrifice of a man of this role.
    pub(super) const fn given(role: Role) -> Option<SaveProperty> {
        match role {
            Role::Rook => Some(SaveProperty::RookGiven),
            Role::Knight => Some(SaveProperty::KnightGiven),
            Role::Khon => Some(SaveProperty::KhonGiven),
            Role::Met => Some(SaveProperty::MetGiven),
            Role::King | Role::Pawn => None,
        }
    }

    /// A sacrifice of this kind.
    pub(super) const fn of_kind(kind: SacrificeKind) -> SaveProperty {
        match kind {
            SacrificeKind::Offer => SaveProperty::Offer,
            SacrificeKind::Exchange => SaveProperty::Exchange,
            SacrificeKind::LostAnyway => SaveProperty::LostAnyway,
        }
    }
}

/// Numbers of saves, or shares of saves, by property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByProperty<T>([T; SaveProperty::COUNT]);

impl<T: Copy> ByProperty<T> {
    /// The numbers converted.
    pub(super) fn map<U>(self, to: impl FnMut(T) -> U) -> ByProperty<U> {
        ByProperty(self.0.map(to))
    }
}

impl<T> Index<SaveProperty> for ByProperty<T> {
    type Output = T;

    fn index(&self, property: SaveProperty) -> &T {
        &self.0[property as usize]
    }
}

impl<T: Copy + AddAssign> AddAssign<&ByProperty<T>> for ByProperty<T> {
    fn add_assign(&mut self, other: &ByProperty<T>) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
    }
}

/// The properties of a defender's saves, in positions of the full board unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveCounts {
    /// The saves that were analysed: all, or those of sampled cells.
    pub looked: u64,
    /// The cells of these.
    pub cells: u64,
    /// The saves with each property. A bare king has nothing to sacrifice.
    pub with: ByProperty<u64>,
    /// The saves for which the moves that the attacker is short were computed.
    pub asked: u64,
    /// These saves by the moves that the attacker is short.
    pub short: BTreeMap<u32, u64>,
    /// These saves for which the number is unknown.
    pub unknown: u64,
}

/// Captures of the last piece in positions that the attacker, to move, wins under the count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaringCaptures {
    /// The cells that were searched.
    pub cells: u64,
    /// The cells among them with such a capture.
    pub found_cells: u64,
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
    /// Counts the properties of a save.
    pub(super) fn add_properties<S: ValueSource>(
        &mut self,
        save: &SaveAnalysis<'_, S>,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let (drawing, sacrifices) = (save.saving_moves()?.len(), save.sacrifices()?);
        let mut properties = vec![
            (SaveProperty::Check, save.position().is_check()),
            (SaveProperty::OnlyMove, drawing == 1),
            (SaveProperty::Sacrifice, !sacrifices.is_empty()),
            (SaveProperty::Forced, !sacrifices.is_empty() && sacrifices.len() == drawing),
        ];
        for sacrifice in sacrifices {
            let (role, is_last) = save.sacrificed(sacrifice);
            properties.push((SaveProperty::of_kind(sacrifice.kind), true));
            properties.push((SaveProperty::QuietSacrifice, sacrifice.kind != SacrificeKind::Exchange));
            properties.push((SaveProperty::LastPiece, is_last));
            properties.extend(SaveProperty::given(role).map(|property| (property, true)));
        }
        let mut has = ByProperty::<u64>::default();
        properties.iter().filter(|(_, has)| *has).for_each(|&(property, _)| has.0[property as usize] = weight);
        self.looked += weight;
        self.cells += 1;
        self.with += &has;
        Ok(())
    }

    /// Counts a save by the moves that the attacker is short.
    pub(super) fn add_short<S: ValueSource>(
        &mut self,
        save: &SaveAnalysis<'_, S>,
        weight: u64,
    ) -> Result<(), ProbeError> {
        self.asked += weight;
        *save.short_by()?.map_or(&mut self.unknown, |short| self.short.entry(short).or_default()) += weight;
        Ok(())
    }
}

impl BaringCaptures {
    /// Searches a position that the side to move wins in time for captures of the last piece.
    pub(crate) fn add<S: ValueSource>(
        &mut self,
        prober: &Prober<S>,
        position: &Position,
        weight: u64,
    ) -> Result<(), ProbeError> {
        self.cells += 1;
        let (board, attacker) = (position.board(), position.turn());
        let men = board.by_color(!attacker).without(position.king(!attacker));
        let last = men.first().filter(|&man| men.len() == 1 && !board.attackers(man, attacker).is_empty());
        let Some(last) = last else { return Ok(()) };
        let root = prober.resolved(&Fen::new(position.clone(), None));
        let captures = position.legal_moves().into_iter().filter(|mv| mv.to == last);
        let after = captures.map(|mv| prober.move_category(&root, mv)).collect::<Result<Vec<Category>, _>>()?;
        let times = |is: bool| if is { weight } else { 0 };
        let draws = after.iter().filter(|&&category| category != Category::Win).count();
        self.found_cells += u64::from(!after.is_empty());
        self.positions += times(!after.is_empty());
        self.draws_by_count += times(after.contains(&Category::CursedWin));
        self.draws += times(draws > 0);
        self.all_draw += times(draws > 0 && draws == after.len());
        Ok(())
    }
}

impl AddAssign<&SaveCounts> for SaveCounts {
    fn add_assign(&mut self, other: &SaveCounts) {
        self.looked += other.looked;
        self.cells += other.cells;
        self.with += &other.with;
        self.asked += other.asked;
        for (&short, positions) in &other.short {
            *self.short.entry(short).or_default() += positions;
        }
        self.unknown += other.unknown;
    }
}

impl AddAssign<&BaringCaptures> for BaringCaptures {
    fn add_assign(&mut self, other: &BaringCaptures) {
        self.cells += other.cells;
        self.found_cells += other.found_cells;
        self.positions += other.positions;
        self.draws_by_count += other.draws_by_count;
        self.draws += other.draws;
        self.all_draw += other.all_draw;
    }
}
