//! The values that a position's moves give.
//!
//! A position is its number in the material's index. Its successors are found with the rules' attack tables. Those of
//! quiet moves are looked up in the material's own tables, those of captures and promotions in the tables of other
//! materials.

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, CountingRules, Position, Role, attacks, king_attacks, leaper_attacks};
use makruk_tables::tablebase::Tablebase;
use makruk_tables::value::{Bounds, Distances, Metric, Value};

use super::exits::{Exits, Reached};
use super::setup::{Setup, Shape};
use super::values::{CheckedTable, Codes, Reading, Values};
use crate::error::BuildError;
use crate::progress::Progress;

/// The tables of one material.
pub(super) struct Tables<'a> {
    layout: Layout,
    dtm: Values<'a, Value>,
    /// It is DTM under pieces' honour.
    dtz: Option<Values<'a, Value>>,
}

impl<'a> Tables<'a> {
    fn read(
        stored: &'a Tablebase,
        material: Material,
        reading: Reading,
        progress: &dyn Progress,
    ) -> Result<Tables<'a>, BuildError> {
        let layout = Layout::new(material);
        progress.check()?;
        let dtm = Values::read(stored, &layout, Metric::Dtm, reading)?;
        progress.check()?;
        let dtz = match material.has_dtz() {
            true => Some(Values::read(stored, &layout, Metric::Dtz, reading)?),
            false => None,
        };
        Ok(Tables { layout, dtm, dtz })
    }

    /// The order of the material's positions.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether the values of a side are neither in the files nor derived yet.
    pub(super) fn omits(&self, side: Color) -> bool {
        self.dtm.omits(side)
    }

    /// DTM and, if the material has it, DTZ.
    pub(super) fn distances(&self) -> impl Iterator<Item = &Values<'a, Value>> {
        std::iter::once(&self.dtm).chain(&self.dtz)
    }

    /// Sets the derived codes of a side, in the order of [`Tables::distances`].
    pub(super) fn set(&mut self, side: Color, codes: Vec<Codes>) {
        let tables = std::iter::once(&mut self.dtm).chain(&mut self.dtz);
        tables.zip(codes).for_each(|(table, codes)| table.set(side, codes));
    }

    /// The values under DTZ or, without a separate table, those under DTM.
    fn dtz_or_dtm(&self) -> &Values<'a, Value> {
        self.dtz.as_ref().unwrap_or(&self.dtm)
    }
}

/// The better of both, metric by metric.
fn better(one: Distances, other: Distances) -> Distances {
    Distances { dtm: one.dtm.max(other.dtm), dtz: one.dtz.max(other.dtz) }
}

/// A material's tables, and those that exits lead to.
pub(super) struct Minimax<'a> {
    shape: Shape,
    own: Tables<'a>,
    /// `None` if distances alone are derived.
    category: Option<Values<'a, Bounds>>,
    children: Vec<Tables<'a>>,
    exits: Exits,
}

impl<'a> Minimax<'a> {
    /// The minimax over distances. [`Minimax::read_category`] adds the other table of the material.
    pub(super) fn new(
        stored: &'a Tablebase,
        material: Material,
        rules: &CountingRules,
        reading: Reading,
        progress: &dyn Progress,
    ) -> Result<Minimax<'a>, BuildError> {
        Minimax::of(stored, Tables::read(stored, material, reading, progress)?, rules, |_| reading, progress)
    }

    /// Replaces the tables of each child; `replace` is called with the positions of it that exits lead to.
    pub(super) fn replace_children(
        &mut self,
        replace: impl Fn(Tables<'a>, Reached) -> Result<Tables<'a>, BuildError>,
    ) -> Result<(), BuildError> {
        let children = std::mem::take(&mut self.children).into_iter().enumerate();
        let replaced = children.map(|(child, tables)| replace(tables, self.exits.reached(child)));
        self.children = replaced.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Reads the category table of the material.
    pub(super) fn read_category(&mut self, stored: &'a Tablebase, reading: Reading) -> Result<(), BuildError> {
        self.category = Some(Values::read(stored, &self.own.layout, Metric::Category, reading)?);
        Ok(())
    }

    /// The minimax that derives the values of a side that the tables of a child omit. Few moves of that side lead to
    /// materials of as many men, so their values are read one by one.
    pub(super) fn of_child(
        stored: &'a Tablebase,
        own: Tables<'a>,
        rules: &CountingRules,
        progress: &dyn Progress,
    ) -> Result<Minimax<'a>, BuildError> {
        let men = own.layout.material().men();
        let reading = |child: Material| if child.men() < men { Reading::Whole } else { Reading::Single };
        Minimax::of(stored, own, rules, reading, progress)
    }

    /// Distances only.
    fn of(
        stored: &'a Tablebase,
        own: Tables<'a>,
        rules: &CountingRules,
        reading: impl Fn(Material) -> Reading,
        progress: &dyn Progress,
    ) -> Result<Minimax<'a>, BuildError> {
        let materials = own.layout.material().children();
        let read = |material| Tables::read(stored, material, reading(material), progress);
        let children: Vec<Tables<'a>> = materials.into_iter().map(read).collect::<Result<_, _>>()?;
        let layouts: Vec<&Layout> = children.iter().map(|tables| &tables.layout).collect();
        let exits = Exits::new(&own.layout, &layouts, rules);
        Ok(Minimax { shape: Shape::new(own.layout.clone()), own, category: None, children, exits })
    }

    /// The tables of the material.
    pub(super) fn own(&self) -> &Tables<'a> {
        &self.own
    }

    /// The same, the rest being dropped.
    pub(super) fn into_own(self) -> Tables<'a> {
        self.own
    }

    /// The men and strides that are the same in all positions.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The count of numbers of a side to move.
    pub(super) fn numbers(&self) -> u64 {
        self.own.layout.slabs() as u64 * self.own.layout.slab_len()
    }

    /// The number of full-board positions that the position at a number stands for.
    pub(super) fn weight(&self, number: u64) -> u64 {
        self.own.layout.kings().weight((number / self.own.layout.slab_len()) as usize)
    }

    /// The table of the material under a metric, if there is one.
    pub(super) fn table(&self, metric: Metric) -> Option<&dyn CheckedTable> {
        match metric {
            Metric::Dtm => Some(&self.own.dtm),
            Metric::Dtz => self.own.dtz.as_ref().map(|table| table as &dyn CheckedTable),
            Metric::Category => self.category.as_ref().map(|table| table as &dyn CheckedTable),
        }
    }

    /// The same, to be given the values that the moves of an omitted side make, so that the other side can be compared
    /// with them.
    pub(super) fn table_mut(&mut self, metric: Metric) -> Option<&mut dyn CheckedTable> {
        match metric {
            Metric::Dtm => Some(&mut self.own.dtm),
            Metric::Dtz => self.own.dtz.as_mut().map(|table| table as &mut dyn CheckedTable),
            Metric::Category => self.category.as_mut().map(|table| table as &mut dyn CheckedTable),
        }
    }

    /// The position at a number, for a message.
    pub(super) fn position(&self, side: Color, number: u64) -> Position {
        self.own.layout.position_at(side, number).expect("a legal position was looked at")
    }

    /// If the position at a number is legal: the number at which it is looked up, and the distances that its moves
    /// give.
    pub(super) fn expected(&self, side: Color, number: u64) -> Result<Option<(u64, Distances)>, BuildError> {
        let Some(setup) = Setup::at(&self.shape, number) else { return Ok(None) };
        let occupied = setup.occupied();
        if setup.attack(side, setup.kings[!side], occupied, None) {
            return Ok(None);
        }
        let king = setup.kings[side];
        let own = setup.by_color(side);
        let check = setup.attack(!side, king, occupied, None);
        let mut best: Option<Distances> = None;
        let mut consider = |found: Distances| best = Some(best.map_or(found, |best| better(best, found)));
        for to in king_attacks(king) - own - king_attacks(setup.kings[!side]) {
            let taken = setup.man_on(!side, to);
            if !setup.attack(!side, to, occupied.without(king), taken) {
                let after = setup.with_king(side, to);
                consider(match taken {
                    None => self.quiet(!side, after.number())?,
                    Some(man) => self.exit(!side, &after, (Some(man), None))?,
                });
            }
        }
        // A move of another man leaves the king in check only if it was in check, or if a rook's line is opened.
        let exposed = match (check, setup.has_rooks(!side)) {
            (true, _) => Bitboard::FULL,
            (false, true) => leaper_attacks(side, Role::Rook, king),
            (false, false) => Bitboard::EMPTY,
        };
        for (man, piece) in setup.pieces().iter().enumerate().filter(|(_, piece)| piece.color == side) {
            let from = setup.squares[man];
            let attacked = attacks(side, piece.role, from, occupied);
            let targets = if piece.role == Role::Pawn {
                let ahead = from.offset(0, side.forward()).map_or(Bitboard::EMPTY, Bitboard::of);
                (attacked & setup.by_color(!side).without(setup.kings[!side])) | (ahead - occupied)
            } else {
                attacked - own
            };
            for to in targets {
                let taken = setup.man_on(!side, to);
                if exposed.contains(from) && setup.attack(!side, king, occupied.without(from).with(to), taken) {
                    continue;
                }
                let is_promotion = piece.role == Role::Pawn && to.rank() == side.promotion_rank();
                consider(match (taken, is_promotion.then_some(man)) {
                    (None, None) => self.quiet(!side, setup.number_with_man(number, man, to))?,
                    exit => self.exit(!side, &setup.with_man(man, to), exit)?,
                });
            }
        }
        let stuck = if check { Distances::MATED } else { Distances::DRAW };
        let home = if setup.is_twofold() { setup.number() } else { number };
        Ok(Some((home, best.unwrap_or(stuck))))
    }

    /// The distances of a move to a number of the same material with `turn` to move.
    #[inline]
    fn quiet(&self, turn: Color, number: u64) -> Result<Distances, BuildError> {
        let dtm = self.own.dtm.value(turn, number)?.one_ply_earlier();
        let dtz = match &self.own.dtz {
            Some(dtz) => dtz.value(turn, number)?.one_ply_earlier(),
            None => dtm,
        };
        Ok(Distances { dtm, dtz })
    }

    /// The same for the exit of these men: the man that is taken, who is still in the setup, and the pawn that is
    /// promoted.
    fn exit(
        &self,
        turn: Color,
        after: &Setup<'_>,
        men: (Option<usize>, Option<usize>),
    ) -> Result<Distances, BuildError> {
        let exit = self.exits.of(men);
        // Two bare kings draw.
        let Some(child) = exit.child() else { return Ok(Distances::DRAW) };
        let child = &self.children[child];
        let (turn_there, number) = exit.number(&child.layout, after, turn);
        let dtm = child.dtm.value(turn_there, number)?.one_ply_earlier();
        let dtz = match (&self.own.dtz, &child.dtz) {
            (None, _) => dtm,
            (Some(_), None) if !exit.begins_count() => dtm,
            (Some(_), _) => exit.value(child.dtz_or_dtm().value(turn_there, number)?),
        };
        Ok(Distances { dtm, dtz })
    }
}
