//! The values that a position's moves give.
//!
//! A position is its number in the material's index. Its successors are found with the rules' attack tables; those of quiet
//! moves are looked up in the material's own tables, those of captures in the tables of smaller materials.

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Bitboard, Color, CountingRules, Position, Role, attacks, king_attacks, leaper_attacks};
use makruk_tables::tablebase::{TableError, TableId, Tablebase};
use makruk_tables::value::{Metric, MovesLeft, Score, Value};

use super::captures::Capture;
use super::setup::{Setup, Shape};
use super::values::{Codes, Reading, Values};
use crate::error::BuildError;

/// The tables of one material.
pub(super) struct Tables<'a> {
    layout: Layout,
    dtm: Values<'a>,
    /// It is DTM if one king is bare.
    dtz: Option<Values<'a>>,
}

impl<'a> Tables<'a> {
    fn read(stored: &'a Tablebase, material: Material, reading: Reading) -> Result<Tables<'a>, BuildError> {
        let layout = Layout::new(material);
        let dtm = Values::read(stored, &layout, Metric::Dtm, reading)?;
        let dtz = match material.is_armed() {
            true => Some(Values::read(stored, &layout, Metric::Dtz, reading)?),
            false => None,
        };
        Ok(Tables { layout, dtm, dtz })
    }

    /// The values under DTZ: without a table of its own, those under DTM.
    fn dtz_or_dtm(&self) -> &Values<'a> {
        self.dtz.as_ref().unwrap_or(&self.dtm)
    }
}

/// The scores of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) dtm: Score,
    pub(super) dtz: Score,
}

impl Expected {
    const fn both(worth: Score) -> Expected {
        Expected { dtm: worth, dtz: worth }
    }

    /// The better of both, metric by metric.
    fn or(self, other: Expected) -> Expected {
        Expected { dtm: self.dtm.max(other.dtm), dtz: self.dtz.max(other.dtz) }
    }
}

/// A material's tables, and those that captures lead to.
pub(super) struct Minimax<'a> {
    shape: Shape,
    own: Tables<'a>,
    wdl: Option<Values<'a>>,
    search: Option<Values<'a>>,
    left: MovesLeft,
    children: Vec<Tables<'a>>,
    /// By the man that is taken.
    captures: Vec<Option<Capture>>,
    rules: &'a CountingRules,
}

impl<'a> Minimax<'a> {
    pub(super) fn new(
        stored: &'a Tablebase,
        material: Material,
        rules: &'a CountingRules,
        reading: Reading,
    ) -> Result<Minimax<'a>, BuildError> {
        let read = |material| Tables::read(stored, material, reading);
        let children: Vec<Tables<'a>> = material.children().into_iter().map(read).collect::<Result<_, _>>()?;
        let own = read(material)?;
        let optional = |metric| match stored.open(TableId { material, metric }) {
            Err(TableError::Missing { .. }) => Ok(None),
            _ => Values::read(stored, &own.layout, metric, reading).map(Some),
        };
        let (wdl, search) = (optional(Metric::Wdl)?, optional(Metric::Search)?);
        let left = MovesLeft::of(material, rules);
        let layouts: Vec<&Layout> = children.iter().map(|tables| &tables.layout).collect();
        let men = own.layout.men().count();
        let captures = (0..men).map(|man| Capture::new(&own.layout, man, &layouts)).collect();
        Ok(Minimax { shape: Shape::new(own.layout.clone()), own, wdl, search, left, children, captures, rules })
    }

    /// Gives a side that is not stored the values that its moves make, so that the other side can be compared with them.
    pub(super) fn set(&mut self, metric: Metric, side: Color, codes: Codes) {
        let values = match metric {
            Metric::Dtm => Some(&mut self.own.dtm),
            Metric::Dtz => self.own.dtz.as_mut(),
            Metric::Wdl => self.wdl.as_mut(),
            Metric::Search => self.search.as_mut(),
        };
        if let Some(values) = values {
            values.set(side, codes);
        }
    }

    /// The count of numbers of a side to move.
    pub(super) fn numbers(&self) -> u64 {
        self.own.layout.slabs() as u64 * self.own.layout.slab_len()
    }

    /// The number of full-board positions that the position at a number stands for.
    pub(super) fn weight(&self, number: u64) -> u64 {
        self.own.layout.kings().weight((number / self.own.layout.slab_len()) as usize)
    }

    /// The values under a metric.
    fn values(&self, metric: Metric) -> &Values<'a> {
        match metric {
            Metric::Dtm => &self.own.dtm,
            Metric::Dtz => self.own.dtz_or_dtm(),
            Metric::Wdl => self.wdl.as_ref().unwrap_or(&self.own.dtm),
            Metric::Search => self.search.as_ref().unwrap_or(&self.own.dtm),
        }
    }

    /// Is there a table of the material?
    pub(super) fn knows(&self, metric: Metric) -> bool {
        match metric {
            Metric::Dtm | Metric::Dtz => true,
            Metric::Wdl => self.wdl.is_some(),
            Metric::Search => self.search.is_some(),
        }
    }

    /// The value that a table of the material should have for a position with these scores.
    pub(super) fn value(&self, metric: Metric, side: Color, expected: Expected) -> Value {
        let (dtm, dtz) = (expected.dtm.value(), expected.dtz.value());
        match metric {
            Metric::Dtm => dtm,
            Metric::Dtz => dtz,
            Metric::Wdl => self.left.wdl(dtm, dtz).to_value(),
            Metric::Search => self.values(metric).class_of(side, dtm, dtz),
        }
    }

    /// Are the values of a side to move neither in a table of the material nor derived?
    pub(super) fn lacks(&self, metric: Metric, side: Color) -> bool {
        self.values(metric).lacks(side)
    }

    /// The place of a value in the list of a table of the material, if it is there.
    pub(super) fn code_of(&self, metric: Metric, side: Color, value: Value) -> Option<usize> {
        self.values(metric).code_of(side, value)
    }

    /// The values that a table of the material lists for a side to move.
    pub(super) fn list(&self, metric: Metric, side: Color) -> &[(Value, u64)] {
        self.values(metric).list(side)
    }

    /// The value that a table of the material has for the position at a number: its place in the list, and the value.
    pub(super) fn found(&self, metric: Metric, side: Color, number: u64) -> Result<(usize, Value), BuildError> {
        self.values(metric).found(side, number)
    }

    /// The position at a number, for a message.
    pub(super) fn position(&self, side: Color, number: u64) -> Position {
        self.own.layout.position_at(side, number).expect("a legal position was looked at")
    }

    /// If the position at a number is legal: the number at which it is looked up, and the scores that its moves give.
    pub(super) fn expected(&self, side: Color, number: u64) -> Result<Option<(u64, Expected)>, BuildError> {
        let Some(setup) = Setup::at(&self.shape, number) else { return Ok(None) };
        let occupied = setup.occupied();
        if setup.attack(side, setup.kings[!side], occupied, None) {
            return Ok(None);
        }
        let king = setup.kings[side];
        let own = setup.by_color(side);
        let check = setup.attack(!side, king, occupied, None);
        let mut best: Option<Expected> = None;
        let mut consider = |found: Expected| best = Some(best.map_or(found, |best| best.or(found)));
        for to in king_attacks(king) - own - king_attacks(setup.kings[!side]) {
            let taken = setup.man_on(!side, to);
            if !setup.attack(!side, to, occupied.without(king), taken) {
                let after = setup.with_king(side, to);
                consider(match taken {
                    None => self.quiet(!side, after.number())?,
                    Some(man) => self.capture(!side, &after, man)?,
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
            for to in attacks(side, piece.role, from, occupied) - own {
                let taken = setup.man_on(!side, to);
                if exposed.contains(from) && setup.attack(!side, king, occupied.without(from).with(to), taken) {
                    continue;
                }
                consider(match taken {
                    None => self.quiet(!side, setup.number_with_man(number, man, to))?,
                    Some(taken) => self.capture(!side, &setup.with_man(man, to), taken)?,
                });
            }
        }
        let stuck = if check { Score::MATED } else { Score::DRAW };
        let home = if setup.is_twofold() { setup.number() } else { number };
        Ok(Some((home, best.unwrap_or(Expected::both(stuck)))))
    }

    /// The scores of a move to a number of the same material with `turn` to move.
    #[inline]
    fn quiet(&self, turn: Color, number: u64) -> Result<Expected, BuildError> {
        let dtm = self.own.dtm.before(turn, number)?;
        let dtz = match &self.own.dtz {
            Some(dtz) => dtz.before(turn, number)?,
            None => dtm,
        };
        Ok(Expected { dtm, dtz })
    }

    /// The same for the capture of a man, who is still in the setup.
    fn capture(&self, turn: Color, after: &Setup<'_>, taken: usize) -> Result<Expected, BuildError> {
        let Some(capture) = &self.captures[taken] else { return Ok(Expected::both(Score::DRAW)) };
        let child = &self.children[capture.child()];
        let (turn_there, number) = capture.number(&child.layout, after, turn);
        let dtm = child.dtm.before(turn_there, number)?;
        let men = |color| after.pieces().iter().filter(move |piece| piece.color == color);
        let dtz = if men(turn).count() == 1 && self.own.dtz.is_some() {
            // The capture starts the count of the side that is to move now: a conversion if there is time for the mate.
            let attackers = |role| men(!turn).filter(|piece| piece.role == role).count() as u32;
            dtm.if_within(self.rules.moves_after_baring(after.pieces().len() as u32 + 1, attackers))
        } else {
            child.dtz_or_dtm().before(turn_there, number)?
        };
        Ok(Expected { dtm, dtz })
    }
}
