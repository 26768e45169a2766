//! The values that occur in one side of a table, and how often.

use super::codec::MAX_VALUES;
use super::spec_error::SpecError;
use crate::value::{MovesLeft, PlyRange, SearchValue, Value, Wdl};

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

    /// The list of a search table's side that has these distances and whose classes end with these plies: wins are cut after
    /// `win_ends`, losses after `loss_ends`, both ascending and in moves. The longest way must not exceed the last end.
    ///
    /// # Errors
    ///
    /// Lists that are not of one material's side.
    pub fn of_search(
        win_ends: &[u16],
        loss_ends: &[u16],
        dtm: &ValueList,
        dtz: &ValueList,
    ) -> Result<ValueList, SpecError> {
        let (wins, losses) = (dtz.max_win_plies(), dtz.max_loss_plies());
        let mut entries = vec![(Value::Draw, dtm.drawn())];
        // A class that has no position stays, because the next one begins where it ends.
        let ends = |ends: &[u16], longest: u16| {
            let needed = ends.iter().take_while(|&&end| 2 * end < longest).count() + 1;
            ends[..needed.min(ends.len())].to_vec()
        };
        if dtz.won() > 0 {
            entries.extend(ends(win_ends, wins).into_iter().map(|moves| (Value::Win(2 * moves - 1), 0)));
        }
        entries.push((NO_CONVERSION.0, dtm.won().checked_sub(dtz.won()).ok_or(SpecError::Histogram)?));
        if dtz.lost() > 0 {
            entries.push((Value::Loss(0), 0));
            entries.extend(ends(loss_ends, losses).into_iter().map(|moves| (Value::Loss(2 * moves), 0)));
        }
        entries.push((NO_CONVERSION.1, dtm.lost().checked_sub(dtz.lost()).ok_or(SpecError::Histogram)?));
        let is_rare = |value| matches!(value, Value::Draw | Value::Loss(0)) || is_no_conversion(value);
        let mut list = ValueList { entries };
        for &(value, positions) in dtz.entries.iter().filter(|&&(value, count)| value != Value::Draw && count > 0) {
            let code = list.class(value).ok_or(SpecError::Histogram)?;
            list.entries[usize::from(code)].1 += positions;
        }
        list.entries.retain(|&(value, positions)| positions > 0 || !is_rare(value));
        ValueList::new(list.entries)
    }

    /// The code that a search table has for a position with these distances; `None` if it has none.
    pub fn search_code(&self, dtm: Value, dtz: Value) -> Option<u16> {
        match (dtm, dtz) {
            (Value::Win(_), Value::Draw) => self.code(NO_CONVERSION.0),
            (Value::Loss(_), Value::Draw) => self.code(NO_CONVERSION.1),
            (Value::Draw, _) => self.code(Value::Draw),
            (_, distance) => self.class(distance),
        }
    }

    /// The value that a search table has for a position with these distances. If no class has such positions, it is one that the
    /// list lacks.
    pub fn search_class(&self, dtm: Value, dtz: Value) -> Value {
        let listed = self.search_code(dtm, dtz).and_then(|code| self.value(code));
        listed.unwrap_or(match (dtm, dtz) {
            (Value::Draw, _) => Value::Draw,
            (Value::Win(_), Value::Draw) => NO_CONVERSION.0,
            (Value::Loss(_), Value::Draw) => NO_CONVERSION.1,
            (_, distance) => distance,
        })
    }

    /// The code of the class that has a distance to the conversion; `None` if no class does.
    fn class(&self, distance: Value) -> Option<u16> {
        let at = self.entries.partition_point(|&(value, _)| value < distance);
        let is_same_kind = std::mem::discriminant(&self.entries.get(at)?.0) == std::mem::discriminant(&distance);
        is_same_kind.then_some(at as u16)
    }

    /// The value of a search table that a code stands for; `None` beyond the list.
    #[inline]
    pub fn search_value(&self, code: u16) -> Option<SearchValue> {
        let at = usize::from(code);
        let &(value, _) = self.entries.get(at)?;
        let before = at.checked_sub(1).map(|before| self.entries[before].0);
        Some(match (value, before) {
            (Value::Draw, _) => SearchValue::Draw,
            (Value::Win(most), Some(Value::Win(before))) => SearchValue::Win(class_range(before + 2, most)),
            (Value::Win(most), _) => SearchValue::Win(class_range(1, most)),
            (Value::Loss(most), Some(Value::Loss(before))) => SearchValue::Loss(class_range(before + 2, most)),
            (Value::Loss(most), _) => SearchValue::Loss(class_range(0, most)),
        })
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

/// The wins and the losses of a search table that no conversion decides.
const NO_CONVERSION: (Value, Value) = (Value::Win(u16::MAX), Value::Loss(u16::MAX - 1));

fn is_no_conversion(value: Value) -> bool {
    value == NO_CONVERSION.0 || value == NO_CONVERSION.1
}

/// The plies of a class. That of positions without a conversion has no others.
const fn class_range(least: u16, most: u16) -> PlyRange {
    if most >= u16::MAX - 1 { PlyRange::exactly(PlyRange::NEVER) } else { PlyRange { least, most } }
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

    #[test]
    fn classes_of_search_tables_hold_every_distance() {
        let list = |entries: &[(Value, u64)]| ValueList::new(entries.to_vec()).unwrap();
        // One win has no conversion; the longest way takes 16 moves, the longest loss 8 plies.
        let dtz = [(Value::Draw, 6), (Value::Win(1), 4), (Value::Win(31), 2), (Value::Loss(0), 1), (Value::Loss(8), 3)];
        let dtm = [(Value::Draw, 5), (Value::Win(1), 4), (Value::Win(33), 3), (Value::Loss(0), 1), (Value::Loss(8), 3)];
        let found = ValueList::of_search(&[5, 13, 14, 16], &[3, 4, 9], &list(&dtm), &list(&dtz)).unwrap();
        let expected = [
            (Value::Draw, 5),
            (Value::Win(9), 4),
            (Value::Win(25), 0),
            (Value::Win(27), 0),
            (Value::Win(31), 2),
            (Value::Win(65535), 1),
            (Value::Loss(0), 1),
            (Value::Loss(6), 0),
            (Value::Loss(8), 3),
        ];
        assert_eq!(found.entries(), expected);
        let range = |dtm, dtz| found.search_value(found.search_code(dtm, dtz).unwrap()).unwrap();
        for plies in (1..=31).step_by(2) {
            let SearchValue::Win(PlyRange { least, most }) = range(Value::Win(plies), Value::Win(plies)) else {
                panic!()
            };
            assert!((least..=most).contains(&plies) && most - least <= 16, "{plies}: {least} to {most}");
        }
        assert_eq!(range(Value::Win(29), Value::Win(29)), SearchValue::Win(PlyRange { least: 29, most: 31 }));
        assert_eq!(range(Value::Win(33), Value::Draw), SearchValue::Win(PlyRange::exactly(PlyRange::NEVER)));
        assert_eq!(range(Value::Loss(0), Value::Loss(0)), SearchValue::Loss(PlyRange::exactly(0)));
        assert_eq!(range(Value::Loss(4), Value::Loss(4)), SearchValue::Loss(PlyRange { least: 2, most: 6 }));
        assert_eq!(found.search_code(Value::Loss(10), Value::Loss(10)), None, "longer than the longest");
        assert_eq!(found.search_code(Value::Loss(8), Value::Draw), None, "no loss lacks a conversion");
        assert_eq!(found.search_class(Value::Win(33), Value::Win(29)), Value::Win(31));
    }

    #[test]
    fn a_class_that_a_list_lacks_is_no_class_of_it() {
        let list = |entries: &[(Value, u64)]| ValueList::new(entries.to_vec()).unwrap();
        let wins = list(&[(Value::Draw, 1), (Value::Win(9), 1)]);
        let losses = list(&[(Value::Loss(0), 1), (Value::Loss(8), 1)]);
        for (dtm, dtz) in [
            (Value::Win(33), Value::Draw),
            (Value::Win(33), Value::Win(11)),
            (Value::Loss(32), Value::Draw),
            (Value::Loss(32), Value::Loss(10)),
            (Value::Win(1), Value::Win(1)),
            (Value::Loss(2), Value::Loss(2)),
            (Value::Draw, Value::Draw),
        ] {
            for list in [&wins, &losses] {
                let class = list.search_class(dtm, dtz);
                assert_eq!(list.code(class), list.search_code(dtm, dtz), "{dtm:?} {dtz:?} {class:?}");
            }
        }
    }
}
