//! What a position's moves make its value.

use std::ops::Index;

use makruk_tables::format::{FormatError, Metric, TableFolder, Value};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules, Piece, Position};

use super::values::{Reading, Values};
use crate::plan::metrics;

/// The tables of one set.
struct Tables {
    layout: Layout,
    dtm: Values,
    /// Where one king is bare, DTM.
    dtz: Option<Values>,
}

impl Tables {
    fn read(folder: &TableFolder, set: Material, reading: Reading) -> Result<Tables, FormatError> {
        let layout = Layout::new(set);
        let dtm = Values::read(folder, &layout, Metric::Dtm, reading)?;
        let dtz = match metrics(set).contains(&Metric::Dtz) {
            true => Some(Values::read(folder, &layout, Metric::Dtz, reading)?),
            false => None,
        };
        Ok(Tables { layout, dtm, dtz })
    }

    fn values(&self, metric: Metric) -> &Values {
        match metric {
            Metric::Dtm => &self.dtm,
            Metric::Dtz => self.dtz.as_ref().unwrap_or(&self.dtm),
        }
    }
}

/// A value for each metric.
pub(super) struct ByMetric {
    dtm: Value,
    dtz: Value,
}

impl Index<Metric> for ByMetric {
    type Output = Value;

    fn index(&self, metric: Metric) -> &Value {
        match metric {
            Metric::Dtm => &self.dtm,
            Metric::Dtz => &self.dtz,
        }
    }
}

/// A set's tables, and those that captures lead to.
pub(super) struct Minimax<'a> {
    own: Tables,
    children: Vec<Tables>,
    rules: &'a CountingRules,
}

impl<'a> Minimax<'a> {
    pub(super) fn new(
        folder: &TableFolder,
        set: Material,
        rules: &'a CountingRules,
        reading: Reading,
    ) -> Result<Minimax<'a>, FormatError> {
        let read = |set| Tables::read(folder, set, reading);
        let children = set.children().into_iter().map(read).collect::<Result<_, _>>()?;
        Ok(Minimax { own: read(set)?, children, rules })
    }

    /// How many numbers a side to move has.
    pub(super) fn numbers(&self) -> u64 {
        self.own.layout.slabs() as u64 * self.own.layout.slab_len()
    }

    /// How many positions of the full board the position at a number stands for.
    pub(super) fn weight(&self, number: u64) -> u64 {
        self.own.layout.kings().weight((number / self.own.layout.slab_len()) as usize)
    }

    /// The values that a table of the set lists for a side to move.
    pub(super) fn list(&self, metric: Metric, side: Color) -> &[(Value, u64)] {
        self.own.values(metric).list(side)
    }

    /// What a table of the set has at a number: the place in its list, and the value.
    pub(super) fn found(&self, metric: Metric, side: Color, number: u64) -> Result<(usize, Value), FormatError> {
        self.own.values(metric).get(side, number)
    }

    /// The legal position at a number, if there is one, and what its moves make of it.
    pub(super) fn expected(&self, side: Color, number: u64) -> Result<Option<(Position, ByMetric)>, FormatError> {
        let Some(position) = self.own.layout.position_at(side, number) else { return Ok(None) };
        let moves = position.legal_moves();
        if moves.is_empty() {
            let value = if position.is_check() { Value::Loss(0) } else { Value::Draw };
            return Ok(Some((position, ByMetric { dtm: value, dtz: value })));
        }
        let mut dtm = Best::default();
        let mut dtz = Best::default();
        for mv in moves {
            let child = position.play(mv);
            let (of_mate, of_event) = match position.captured(mv) {
                None => self.quiet(&child)?,
                Some(_) => self.capture(&child)?,
            };
            dtm.or(of_mate);
            dtz.or(of_event);
        }
        Ok(Some((position, ByMetric { dtm: dtm.value(), dtz: dtz.value() })))
    }

    /// What a move that leads to this position of the same set is worth to the side that makes it, in DTM and DTZ.
    fn quiet(&self, child: &Position) -> Result<(Value, Value), FormatError> {
        let place = self.own.layout.place(child.board(), false).expect("a quiet move keeps the set");
        let (slab, offset) = self.own.layout.locate(&place).expect("a legal position's kings are apart");
        let number = slab as u64 * self.own.layout.slab_len() + offset;
        let value = |metric| Ok(before(self.own.values(metric).get(child.turn(), number)?.1));
        Ok((value(Metric::Dtm)?, value(Metric::Dtz)?))
    }

    /// The same for a capture.
    fn capture(&self, child: &Position) -> Result<(Value, Value), FormatError> {
        let board = child.board();
        let found = self.children.iter().find_map(|tables| Some((tables, tables.layout.index(child)?)));
        let Some((tables, (side, number))) = found else {
            assert_eq!(board.men(), 2, "{child:?}: a capture leads to a child or to bare kings");
            return Ok((Value::Draw, Value::Draw));
        };
        let dtm = tables.dtm.get(side, number)?.1;
        let dtz = if board.is_bare(child.turn()) && self.own.dtz.is_some() {
            // The capture starts the count of the side that is to move now: an event if there is time for the mate.
            let attacker = |role| board.by_piece(Piece::new(!child.turn(), role)).len();
            let moves_left = self.rules.moves_after_baring(board.men(), attacker);
            match dtm {
                Value::Loss(0) => Value::Win(1),
                Value::Loss(plies) if u32::from(plies / 2) <= moves_left => Value::Win(1),
                _ => Value::Draw,
            }
        } else {
            before(tables.values(Metric::Dtz).get(side, number)?.1)
        };
        Ok((before(dtm), dtz))
    }
}

/// A move's worth to the side that makes it, from the value of the position after it.
const fn before(after: Value) -> Value {
    match after {
        Value::Draw => Value::Draw,
        Value::Win(plies) => Value::Loss(plies + 1),
        Value::Loss(plies) => Value::Win(plies + 1),
    }
}

/// The best of some moves: the fastest win, else a draw, else the slowest loss.
#[derive(Default)]
struct Best(Option<Value>);

impl Best {
    fn or(&mut self, value: Value) {
        let better = match (self.0, value) {
            (None, _) => true,
            (Some(Value::Win(best)), Value::Win(plies)) => plies < best,
            (Some(Value::Loss(best)), Value::Loss(plies)) => plies > best,
            (Some(best), value) => rank(value) > rank(best),
        };
        if better {
            self.0 = Some(value);
        }
    }

    fn value(self) -> Value {
        self.0.expect("there was a move")
    }
}

const fn rank(value: Value) -> u8 {
    match value {
        Value::Loss(_) => 0,
        Value::Draw => 1,
        Value::Win(_) => 2,
    }
}
