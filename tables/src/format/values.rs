//! The values that occur in one side of a table, and how often.

use super::codec::MAX_VALUES;
use super::spec_error::SpecError;
use crate::value::{MovesLeft, Value, Wdl};

/// Bytes of one entry in the file: the value (u32) and its number of positions (u64).
pub(super) const ENTRY_BYTES: usize = 12;

const KIND_DRAW: u32 = 0;
const KIND_WIN: u32 = 1;
const KIND_LOSS: u32 = 2;

/// The distinct values of one side to move, ascending ([`Value`]'s order: draw, wins, losses, shorter first), each with
/// its number of distinct legal positions on the full board (like pieces not told apart, no symmetry folded).
///
/// A position's *code* is the index of its value here. A value that only fillers have may be listed with 0 positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueList {
    entries: Vec<(Value, u64)>,
}

impl ValueList {
    /// A list from its entries.
    ///
    /// # Errors
    ///
    /// No entry or more than [`MAX_VALUES`], values that do not ascend, a win in an even or a loss in an odd number of
    /// plies, or more positions than a `u64` counts.
    pub fn new(entries: Vec<(Value, u64)>) -> Result<ValueList, SpecError> {
        if entries.is_empty() || entries.len() > MAX_VALUES {
            return Err(SpecError::ValueCount { found: entries.len() });
        }
        let mut total = 0u64;
        for (at, &(value, count)) in entries.iter().enumerate() {
            if at > 0 && entries[at - 1].0 >= value {
                return Err(SpecError::ValueOrder { at, value });
            }
            match value {
                Value::Win(plies) if plies % 2 == 0 => return Err(SpecError::Parity { at, value }),
                Value::Loss(plies) if plies % 2 == 1 => return Err(SpecError::Parity { at, value }),
                _ => {}
            }
            total = total.checked_add(count).ok_or(SpecError::Histogram)?;
        }
        Ok(ValueList { entries })
    }

    /// The list of a WDL table's side that has these distances.
    ///
    /// # Errors
    ///
    /// Lists that are not of one material's side.
    pub fn of_wdl(left: MovesLeft, dtm: &ValueList, dtz: &ValueList) -> Result<ValueList, SpecError> {
        // A win by DTM is a win by DTZ or has no conversion. So the surplus of DTM's wins is not in time for the count.
        let sum = |wdl: Wdl| -> u64 {
            dtz.entries.iter().filter(|&&(value, _)| left.wdl(value, value) == wdl).map(|entry| entry.1).sum()
        };
        let rest = |all: u64, in_time: u64| all.checked_sub(in_time).ok_or(SpecError::Histogram);
        let in_time = sum(Wdl::Win) + sum(Wdl::WinInTimeIfAttackerMoves);
        let mut entries = vec![
            (Wdl::Loss, sum(Wdl::Loss)),
            (Wdl::BlessedLoss, rest(dtm.lost(), sum(Wdl::Loss))?),
            (Wdl::Draw, dtm.drawn()),
            (Wdl::CursedWin, rest(dtm.won(), in_time)?),
            (Wdl::WinInTimeIfAttackerMoves, sum(Wdl::WinInTimeIfAttackerMoves)),
            (Wdl::Win, sum(Wdl::Win)),
        ];
        entries.retain(|entry| entry.1 > 0);
        let mut entries: Vec<(Value, u64)> = entries.into_iter().map(|(wdl, count)| (wdl.to_value(), count)).collect();
        entries.sort_unstable();
        ValueList::new(entries)
    }

    /// The entries: value and number of positions, ascending by value.
    pub fn entries(&self) -> &[(Value, u64)] {
        &self.entries
    }

    /// The values, ascending.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + '_ {
        self.entries.iter().map(|entry| entry.0)
    }

    /// The number of values: 1 to [`MAX_VALUES`].
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The value that a code stands for; `None` beyond the list.
    #[inline]
    pub fn value(&self, code: u16) -> Option<Value> {
        self.entries.get(usize::from(code)).map(|entry| entry.0)
    }

    /// The code of a value; `None` if it does not occur.
    pub fn code(&self, value: Value) -> Option<u16> {
        self.entries.binary_search_by_key(&value, |entry| entry.0).ok().map(|at| at as u16)
    }

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
        self.entries.iter().fold((0, 0), |(wins, losses), &(value, positions)| match value {
            Value::Win(_) if left.suffice(value, true) => (wins + positions, losses),
            Value::Loss(_) if left.suffice(value, false) => (wins, losses + positions),
            _ => (wins, losses),
        })
    }

    /// The longest win of a legal position, in plies; 0 if there is none.
    pub fn max_win_plies(&self) -> u16 {
        self.longest(|value| if let Value::Win(plies) = value { plies } else { 0 })
    }

    /// The longest loss of a legal position, in plies; 0 if there is none.
    pub fn max_loss_plies(&self) -> u16 {
        self.longest(|value| if let Value::Loss(plies) = value { plies } else { 0 })
    }

    fn sum(&self, which: impl Fn(Value) -> bool) -> u64 {
        self.entries.iter().filter(|entry| which(entry.0)).map(|entry| entry.1).sum()
    }

    fn longest(&self, plies: impl Fn(Value) -> u16) -> u16 {
        self.entries.iter().filter(|entry| entry.1 > 0).map(|entry| plies(entry.0)).max().unwrap_or(0)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for &(value, count) in &self.entries {
            out.extend_from_slice(&value_to_u32(value).to_le_bytes());
            out.extend_from_slice(&count.to_le_bytes());
        }
    }
}

/// A value as the file has it: the kind in the upper 16 bits, the plies in the lower, so that the file's numbers and
/// [`Value`]s sort alike.
pub(super) const fn value_to_u32(value: Value) -> u32 {
    match value {
        Value::Draw => KIND_DRAW << 16,
        Value::Win(plies) => KIND_WIN << 16 | plies as u32,
        Value::Loss(plies) => KIND_LOSS << 16 | plies as u32,
    }
}

/// The value of a number in the file; `None` for an unknown kind or a draw with plies.
pub(super) const fn value_from_u32(raw: u32) -> Option<Value> {
    let plies = raw as u16;
    match raw >> 16 {
        KIND_DRAW if plies == 0 => Some(Value::Draw),
        KIND_WIN => Some(Value::Win(plies)),
        KIND_LOSS => Some(Value::Loss(plies)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::CountingRules;

    #[test]
    fn lists_of_categories_add_up() {
        let dtm = ValueList::new(vec![(Value::Draw, 5), (Value::Win(7), 10), (Value::Win(9), 3), (Value::Win(11), 2)])
            .unwrap();
        let left = MovesLeft::of("KRRvK".parse().unwrap(), &CountingRules::MAKRUK);
        let expected = [(Wdl::Draw, 5), (Wdl::Win, 10), (Wdl::WinInTimeIfAttackerMoves, 3), (Wdl::CursedWin, 2)];
        let found = ValueList::of_wdl(left, &dtm, &dtm).unwrap();
        assert_eq!(found.entries(), expected.map(|(wdl, count)| (wdl.to_value(), count)));
    }
}
