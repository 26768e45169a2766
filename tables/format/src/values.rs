//! The values that occur in one side of a table, and how often.

use super::codec::MAX_VALUES;
use super::listed::{AnyValue, KIND, LOSS, Listed, WIN};
use super::spec_error::SpecError;
use crate::value::{Bounds, Metric, MovesLeft, Score, Value};
use makruk_rules::ToMove;

/// Bytes of one entry in the file: the value (u32) and its number of positions (u64).
pub(super) const ENTRY_BYTES: usize = 12;

/// The distinct values of one side to move, each with its number of distinct legal positions on the full board (like
/// pieces not told apart, no symmetry folded). They are in the file's order: draws, wins, losses; fewer plies
/// first.
///
/// A position's *code* is the index of its value here. A value that only fillers have may be listed with 0 positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueList<V = Value> {
    entries: Vec<(V, u64)>,
}

impl<V: Listed> ValueList<V> {
    /// A list from its entries.
    ///
    /// # Errors
    ///
    /// No entry or more than `MAX_VALUES`, values that do not ascend, or a win in an even or a loss in an odd number
    /// of plies. Likewise a class of a category table that does not begin where the one before it ends, or more
    /// positions than a `u64` counts.
    pub fn new(entries: Vec<(V, u64)>) -> Result<ValueList<V>, SpecError> {
        let numbers = entries.iter().map(|&(value, positions)| (value.number(), positions));
        let list = ValueList::of_numbers(V::METRICS[0], numbers)?;
        match entries.iter().zip(&list.entries).position(|(given, listed)| given.0 != listed.0) {
            None => Ok(list),
            Some(at) => Err(SpecError::Order { at, value: entries[at].0.into() }),
        }
    }

    /// A list of the file.
    pub(super) fn of_numbers(
        metric: Metric,
        numbers: impl ExactSizeIterator<Item = (u32, u64)>,
    ) -> Result<ValueList<V>, SpecError> {
        if numbers.len() == 0 || numbers.len() > MAX_VALUES {
            return Err(SpecError::ValueCount { found: numbers.len() });
        }
        let mut entries = Vec::with_capacity(numbers.len());
        let (mut before, mut total) = (None, 0u64);
        for (at, (number, positions)) in numbers.enumerate() {
            let Some(value) = V::of_number(metric, number, before) else {
                return Err(SpecError::Unknown { at, number, metric });
            };
            if before.is_some_and(|before| before >= number) {
                return Err(SpecError::Order { at, value: value.into() });
            }
            if matches!((number & KIND, number % 2), (WIN, 0) | (LOSS, 1)) {
                return Err(SpecError::Parity { at, value: value.into() });
            }
            total = total.checked_add(positions).ok_or(SpecError::Histogram)?;
            before = Some(number);
            entries.push((value, positions));
        }
        Ok(ValueList { entries })
    }

    /// The entries: value and number of positions.
    pub fn entries(&self) -> &[(V, u64)] {
        &self.entries
    }

    /// The values.
    pub fn values(&self) -> impl ExactSizeIterator<Item = V> + '_ {
        self.entries.iter().map(|entry| entry.0)
    }

    /// The number of values: 1 to `MAX_VALUES`.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value that a code stands for; `None` beyond the list.
    #[inline]
    pub fn value(&self, code: u16) -> Option<V> {
        self.entries.get(usize::from(code)).map(|entry| entry.0)
    }

    /// The code of a value; `None` if it does not occur.
    pub fn code(&self, value: V) -> Option<u16> {
        let at = self.entries.binary_search_by_key(&value.number(), |entry| entry.0.number()).ok()?;
        (self.entries[at].0 == value).then_some(at as u16)
    }

    /// The same list, for code that writes tables of any metric.
    pub fn into_any(self) -> ValueList<AnyValue> {
        ValueList { entries: self.entries.into_iter().map(|(value, positions)| (value.into(), positions)).collect() }
    }

    fn sum(&self, which: impl Fn(V) -> bool) -> u64 {
        self.entries.iter().filter(|entry| which(entry.0)).map(|entry| entry.1).sum()
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for &(value, positions) in &self.entries {
            out.extend_from_slice(&value.number().to_le_bytes());
            out.extend_from_slice(&positions.to_le_bytes());
        }
    }
}

impl ValueList {
    /// Legal positions won by the side to move.
    pub fn won(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Win(_)))
    }

    /// Legal positions drawn.
    pub fn drawn(&self) -> u64 {
        self.sum(|value| value == Value::Draw)
    }

    /// Legal positions lost by the side to move.
    pub fn lost(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Loss(_)))
    }

    /// Wins and losses of the side to move that the count of a material, begun now, leaves time for.
    pub fn within_count(&self, left: MovesLeft) -> (u64, u64) {
        let wins = self.sum(|value| matches!(value, Value::Win(_)) && left.suffice(value, ToMove::Attacker));
        (wins, self.sum(|value| matches!(value, Value::Loss(_)) && left.suffice(value, ToMove::Defender)))
    }

    /// The longest win and the longest loss that the count of a material, begun now, leaves time for, in plies; 0 if
    /// there is none.
    pub fn longest_within_count(&self, left: MovesLeft) -> (u16, u16) {
        let in_time = |value: Value, to_move| if left.suffice(value, to_move) { value.plies().unwrap_or(0) } else { 0 };
        let wins = self.longest(|value| match value {
            Value::Win(_) => in_time(value, ToMove::Attacker),
            _ => 0,
        });
        let losses = self.longest(|value| match value {
            Value::Loss(_) => in_time(value, ToMove::Defender),
            _ => 0,
        });
        (wins, losses)
    }

    /// The longest win of a legal position, in plies; 0 if there is none.
    pub fn max_win_plies(&self) -> u16 {
        self.longest(|value| if let Value::Win(plies) = value { plies } else { 0 })
    }

    /// The longest loss of a legal position, in plies; 0 if there is none.
    pub fn max_loss_plies(&self) -> u16 {
        self.longest(|value| if let Value::Loss(plies) = value { plies } else { 0 })
    }

    fn longest(&self, plies: impl Fn(Value) -> u16) -> u16 {
        self.entries.iter().filter(|entry| entry.1 > 0).map(|entry| plies(entry.0)).max().unwrap_or(0)
    }
}

/// The number of positions that are left without some of them.
fn rest(all: u64, some: u64) -> Result<u64, SpecError> {
    all.checked_sub(some).ok_or(SpecError::Histogram)
}

impl ValueList<Bounds> {
    /// The list of classes that end with these scores, in order, each with its number of positions.
    pub fn of_classes(ends: &[(Score, u64)]) -> Result<ValueList<Bounds>, SpecError> {
        let numbers = ends.iter().map(|&(end, positions)| (Bounds::exactly(end).number(), positions));
        ValueList::of_numbers(Metric::Category, numbers)
    }

    /// The list of a side that has these distances and whose classes end with these plies: wins are cut after
    /// `win_ends`, losses after `loss_ends`, both ascending and in moves. The longest way must not exceed the last end.
    ///
    /// # Errors
    ///
    /// Lists that are not of one material's side.
    pub fn of_distances(
        win_ends: &[u16],
        loss_ends: &[u16],
        dtm: &ValueList,
        dtz: &ValueList,
    ) -> Result<ValueList<Bounds>, SpecError> {
        // A class that has no position stays, because the next one begins where it ends.
        let ends = |ends: &[u16], longest: u16| {
            let needed = ends.iter().take_while(|&&end| 2 * end < longest).count() + 1;
            ends[..needed.min(ends.len())].to_vec()
        };
        let mut classes = vec![(Score::Draw, dtm.drawn())];
        if dtz.won() > 0 {
            classes.extend(ends(win_ends, dtz.max_win_plies()).into_iter().map(|moves| (Score::Win(2 * moves - 1), 0)));
        }
        classes.push((Score::CursedWin, rest(dtm.won(), dtz.won())?));
        if dtz.lost() > 0 {
            classes.push((Score::Loss(0), 0));
            classes.extend(ends(loss_ends, dtz.max_loss_plies()).into_iter().map(|moves| (Score::Loss(2 * moves), 0)));
        }
        classes.push((Score::BlessedLoss, rest(dtm.lost(), dtz.lost())?));
        let list = ValueList::of_classes(&classes)?;
        for &(value, positions) in dtz.entries.iter().filter(|&&(value, count)| value != Value::Draw && count > 0) {
            let code = list.class(value.into()).ok_or(SpecError::Histogram)?;
            classes[usize::from(code)].1 += positions;
        }
        classes.retain(|&(end, positions)| positions > 0 || end.plies().is_some_and(|plies| plies > 0));
        ValueList::of_classes(&classes)
    }

    /// The code of the class that has a score; `None` if no class does.
    pub fn class(&self, score: Score) -> Option<u16> {
        self.entries.iter().position(|&(class, _)| class.contain(score)).map(|at| at as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[(Value, u64)]) -> ValueList {
        ValueList::new(entries.to_vec()).unwrap()
    }

    #[test]
    fn classes_hold_every_distance() {
        // One win has no conversion; the longest way takes 16 moves, the longest loss 8 plies.
        let dtz = [(Value::Draw, 6), (Value::Win(1), 4), (Value::Win(31), 2), (Value::Loss(0), 1), (Value::Loss(8), 3)];
        let dtm = [(Value::Draw, 5), (Value::Win(1), 4), (Value::Win(33), 3), (Value::Loss(0), 1), (Value::Loss(8), 3)];
        let found = ValueList::<Bounds>::of_distances(&[5, 13, 14, 16], &[3, 4, 9], &list(&dtm), &list(&dtz)).unwrap();
        let ends = [
            (Score::Draw, 5),
            (Score::Win(9), 4),
            (Score::Win(25), 0),
            (Score::Win(27), 0),
            (Score::Win(31), 2),
            (Score::CursedWin, 1),
            (Score::Loss(0), 1),
            (Score::Loss(6), 0),
            (Score::Loss(8), 3),
        ];
        assert_eq!(found, ValueList::of_classes(&ends).unwrap());
        let bounds = |score| found.value(found.class(score).unwrap()).unwrap();
        for plies in (1..=31).step_by(2) {
            let Bounds { worst: Score::Win(most), best: Score::Win(least) } = bounds(Score::Win(plies)) else {
                panic!()
            };
            assert!((least..=most).contains(&plies) && most - least <= 16, "{plies}: {least} to {most}");
        }
        assert_eq!(bounds(Score::Win(29)), Bounds { worst: Score::Win(31), best: Score::Win(29) });
        assert_eq!(bounds(Score::CursedWin), Bounds::exactly(Score::CursedWin));
        assert_eq!(bounds(Score::Loss(0)), Bounds::exactly(Score::Loss(0)));
        assert_eq!(bounds(Score::Loss(4)), Bounds { worst: Score::Loss(2), best: Score::Loss(6) });
        assert_eq!(found.class(Score::Loss(10)), None, "longer than the longest");
        assert_eq!(found.class(Score::Win(33)), None, "longer than the longest");
        assert_eq!(found.class(Score::BlessedLoss), None, "every loss has a conversion");
    }

    #[test]
    fn classes_begin_where_those_before_them_end() {
        let (first, gap) = (Bounds { worst: Score::Win(9), best: Score::Win(1) }, Score::Win(13));
        let after = |best| ValueList::new(vec![(first, 1), (Bounds { worst: gap, best }, 1)]);
        assert!(after(Score::Win(11)).is_ok());
        assert!(matches!(after(Score::Win(13)), Err(SpecError::Order { at: 1, .. })));
    }
}
