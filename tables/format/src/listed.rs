//! The values of lists, and the numbers that files have for them.

use std::fmt::{self, Debug};

use crate::value::{Bounds, Metric, Score, Value};

/// A value as the file has it: the kind in the upper 16 bits, the plies in the lower. The numbers sort as lists do.
type Number = u32;

const DRAW: Number = 0;
pub(super) const WIN: Number = 1 << 16;
pub(super) const LOSS: Number = 2 << 16;
pub(super) const KIND: Number = 0xffff << 16;

/// The wins and the losses of a category table that have no conversion.
const CURSED_WIN: Number = WIN | 0xffff;
const BLESSED_LOSS: Number = LOSS | 0xfffe;

/// A value that lists hold.
pub trait Listed: Copy + PartialEq + Debug + Into<AnyValue> + Send + Sync + 'static {
    /// The metrics of the tables that have such values.
    const METRICS: &'static [Metric];

    /// Its number in the file. Lists are in the order of these.
    fn number(self) -> u32;

    /// The value of a number in a list of a metric's, after the number before it; `None` if there is no such value.
    fn of_number(metric: Metric, number: u32, before: Option<u32>) -> Option<Self>;
}

impl Listed for Value {
    const METRICS: &'static [Metric] = &Metric::DISTANCES;

    #[inline]
    fn number(self) -> Number {
        match self {
            Value::Draw => DRAW,
            Value::Win(plies) => WIN | Number::from(plies),
            Value::Loss(plies) => LOSS | Number::from(plies),
        }
    }

    fn of_number(_: Metric, number: Number, _: Option<Number>) -> Option<Value> {
        match number & KIND {
            DRAW if number == DRAW => Some(Value::Draw),
            WIN => Some(Value::Win(number as u16)),
            LOSS => Some(Value::Loss(number as u16)),
            _ => None,
        }
    }
}

/// A category table lists classes of scores. The file has the score of each class with the most plies; the class begins
/// where the one before it ends.
impl Listed for Bounds {
    const METRICS: &'static [Metric] = &[Metric::Category];

    fn number(self) -> Number {
        match self.latest() {
            Score::CursedWin => CURSED_WIN,
            Score::BlessedLoss => BLESSED_LOSS,
            score => score.distance().number(),
        }
    }

    fn of_number(metric: Metric, number: Number, before: Option<Number>) -> Option<Bounds> {
        let first = |of_kind: Number| {
            before.filter(|before| before & KIND == number & KIND).map_or(of_kind, |before| before + 2)
        };
        Some(match number {
            CURSED_WIN => Bounds::exactly(Score::CursedWin),
            BLESSED_LOSS => Bounds::exactly(Score::BlessedLoss),
            _ => match Value::of_number(metric, number, before)? {
                Value::Draw => Bounds::exactly(Score::Draw),
                Value::Win(most) => Bounds { worst: Score::Win(most), best: Score::Win(first(WIN | 1) as u16) },
                Value::Loss(most) => Bounds { worst: Score::Loss(first(LOSS) as u16), best: Score::Loss(most) },
            },
        })
    }
}

/// Tables of any metric can be opened with such values, to be checked or described.
impl Listed for AnyValue {
    const METRICS: &'static [Metric] = &Metric::ALL;

    fn number(self) -> Number {
        match self {
            AnyValue::Distance(value) => value.number(),
            AnyValue::Bounds(bounds) => bounds.number(),
        }
    }

    fn of_number(metric: Metric, number: Number, before: Option<Number>) -> Option<AnyValue> {
        match metric {
            Metric::Dtm | Metric::Dtz => Value::of_number(metric, number, before).map(AnyValue::from),
            Metric::Category => Bounds::of_number(metric, number, before).map(AnyValue::from),
        }
    }
}

/// A value of any metric, where the metric is known only when the program runs: in messages and in headers of any
/// table.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnyValue {
    /// Of a DTM or a DTZ table.
    Distance(Value),
    /// Of a category table.
    Bounds(Bounds),
}

impl From<Value> for AnyValue {
    fn from(value: Value) -> AnyValue {
        AnyValue::Distance(value)
    }
}

impl From<Score> for AnyValue {
    fn from(score: Score) -> AnyValue {
        AnyValue::Bounds(Bounds::exactly(score))
    }
}

impl From<Bounds> for AnyValue {
    fn from(bounds: Bounds) -> AnyValue {
        AnyValue::Bounds(bounds)
    }
}

impl Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyValue::Distance(value) => value.fmt(f),
            AnyValue::Bounds(bounds) => bounds.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_numbers_are_read_back() {
        for value in [Value::Draw, Value::Win(1), Value::Loss(0), Value::Loss(65534)] {
            assert_eq!(Value::of_number(Metric::Dtm, value.number(), None), Some(value));
        }
        assert_eq!(Value::of_number(Metric::Dtm, 1, None), None);
        // No number and none before it end the program.
        for number in [0, 1, WIN, CURSED_WIN, LOSS | 0xffff, BLESSED_LOSS, u32::MAX] {
            for before in [0, WIN | 0xfffe, CURSED_WIN, LOSS | 0xffff, u32::MAX] {
                Bounds::of_number(Metric::Category, number, Some(before));
            }
        }
    }
}
