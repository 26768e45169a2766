//! The outcome of checking a material's tables.

use std::fmt;

use makruk_format::AnyValue;
use makruk_rules::{Color, Position};
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

use crate::numbers::counted;

/// The outcome of checking a material's tables.
#[derive(Clone, Debug)]
pub struct Consistency {
    /// The material.
    pub material: Material,
    /// The number of legal positions that were checked, each under every metric of the material.
    pub positions: u64,
    /// The number of wrong values.
    pub wrong: u64,
    /// The first wrong values, at most ten.
    pub examples: Vec<WrongValue>,
    /// Totals of the header that differ from the values' totals. If only a sample was checked, these are values that
    /// the list of an omitted side lacks.
    pub wrong_totals: Vec<WrongTotal>,
}

/// A value that does not follow from the position's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// The table's metric.
    pub metric: Metric,
    /// The position, in the colours of the material's name.
    pub position: Position,
    /// Its number within its side of the table.
    pub number: u64,
    /// The value in the table.
    pub found: AnyValue,
    /// The value that follows from its successors' values.
    pub expected: AnyValue,
}

/// A number of positions in the header that is not the number of positions in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTotal {
    /// The table's metric.
    pub metric: Metric,
    /// The side to move.
    pub side: Color,
    /// The value that is counted.
    pub value: AnyValue,
    /// The number in the header.
    pub found: u64,
    /// The number of distinct legal full-board positions that have the value.
    pub expected: u64,
}

/// The most wrong values that a report has as examples.
const MOST_EXAMPLES: usize = 10;

impl Consistency {
    pub(super) fn new(material: Material) -> Consistency {
        Consistency { material, positions: 0, wrong: 0, examples: Vec::new(), wrong_totals: Vec::new() }
    }

    pub(super) fn add_wrong(&mut self, wrong: WrongValue) {
        self.wrong += 1;
        if self.examples.len() < MOST_EXAMPLES {
            self.examples.push(wrong);
        }
    }

    /// Adds the outcome for more positions, those of later numbers.
    pub(super) fn merge(&mut self, more: Consistency) {
        self.positions += more.positions;
        self.wrong += more.wrong;
        let room = MOST_EXAMPLES - self.examples.len();
        self.examples.extend(more.examples.into_iter().take(room));
    }

    /// Whether all checked values and totals are right.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.wrong_totals.is_empty()
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Consistency { material, positions, wrong, examples, wrong_totals } = self;
        if self.is_sound() {
            let have = if *positions == 1 {
                "has the value that its moves make"
            } else {
                "have the values that their moves make"
            };
            return write!(f, "{material}: {} {have}", counted(*positions, "position"));
        }
        let (values, are) = (counted(*wrong, "value"), if *wrong == 1 { "is" } else { "are" });
        write!(f, "{material}: {values} of {} {are} wrong: build the material again", counted(*positions, "position"))?;
        examples.iter().try_for_each(|example| write!(f, "\n  {example}"))?;
        wrong_totals.iter().try_for_each(|total| write!(f, "\n  {total}"))
    }
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongValue { metric, position, number, found, expected } = self;
        write!(f, "{metric} of {position:?} (number {number}) is {found:?}: its moves make it {expected:?}")
    }
}

impl fmt::Display for WrongTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongTotal { metric, side, value, found, expected } = self;
        write!(f, "{metric}: the header counts {found} of {value:?} with {side} to move, the table has {expected}")
    }
}
