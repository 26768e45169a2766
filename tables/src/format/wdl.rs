//! The light table's values: what a position is worth if the count begins now.

use super::spec::SpecError;
use super::value::Value;
use super::values::ValueList;
use crate::material::Material;
use crate::rules::{Board, Category, Color, CountingRules, Piece, Role, Square};

/// A win that the count leaves time for, whoever is to move when it begins.
const WIN: Value = Value::Win(1);
/// A win that it leaves time for only because it begins with the defender's next move and not with one that was made.
const WIN_JUST_IN_TIME: Value = Value::Win(3);
const CURSED_WIN: Value = Value::Win(5);
const LOSS: Value = Value::Loss(2);
const BLESSED_LOSS: Value = Value::Loss(4);

/// The category that a value of a WDL table stands for; plies are no distances there. A win in 3 is one by a single move:
/// it is none for an opponent whose move, being counted, led to it.
#[inline]
pub const fn wdl_category(value: Value) -> Category {
    match value {
        Value::Draw => Category::Draw,
        Value::Win(1 | 3) => Category::Win,
        Value::Win(_) => Category::CursedWin,
        Value::Loss(0 | 2) => Category::Loss,
        Value::Loss(_) => Category::BlessedLoss,
    }
}

/// What a move is worth to the side that makes it, from the WDL value of the position after it.
pub(crate) const fn wdl_before(after: Value) -> Value {
    match after {
        Value::Draw => Value::Draw,
        WIN => LOSS,
        Value::Win(_) => BLESSED_LOSS,
        LOSS => WIN,
        Value::Loss(_) => CURSED_WIN,
    }
}

/// The moves that a count leaves the attacker if it begins now, in a set; `None` where there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesLeft {
    attacker_to_move: Option<u32>,
    defender_to_move: Option<u32>,
}

impl MovesLeft {
    /// In positions of a set.
    pub fn of(set: Material, rules: &CountingRules) -> MovesLeft {
        // The count that begins in a position of the set depends on its men alone. A bare king defends; where both are
        // armed it does not matter who does.
        let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
        let board: Board = Square::all().zip(kings.into_iter().chain(set.pieces())).collect();
        let left = |turn, attacker_to_move| Some(rules.start(&board, turn)?.attacker_moves_left(attacker_to_move));
        MovesLeft { attacker_to_move: left(Color::White, true), defender_to_move: left(Color::Black, false) }
    }

    /// How many there are, `attacker_to_move`.
    pub const fn moves(self, attacker_to_move: bool) -> Option<u32> {
        if attacker_to_move { self.attacker_to_move } else { self.defender_to_move }
    }

    /// Does a decided value leave time, `attacker_to_move`?
    pub fn suffice(self, value: Value, attacker_to_move: bool) -> bool {
        let left = self.moves(attacker_to_move);
        value.moves().is_some_and(|moves| left.is_none_or(|left| u32::from(moves) <= left))
    }

    /// The WDL value of a position with these distances.
    pub fn wdl(self, dtm: Value, dtz: Value) -> Value {
        match dtm {
            Value::Draw => Value::Draw,
            Value::Win(_) if self.suffice(dtz, false) => WIN,
            Value::Win(_) if self.suffice(dtz, true) => WIN_JUST_IN_TIME,
            Value::Win(_) => CURSED_WIN,
            Value::Loss(_) if self.suffice(dtz, false) => LOSS,
            Value::Loss(_) => BLESSED_LOSS,
        }
    }

    /// The WDL values of a side to move that has these distances, with their numbers of positions.
    ///
    /// # Errors
    ///
    /// Lists that are not of one set's side.
    pub fn list(self, dtm: &ValueList, dtz: &ValueList) -> Result<ValueList, SpecError> {
        // Where DTM wins, DTZ wins or has no event; so what DTM has more of is out of the count's time.
        let sum = |wdl: Value| -> u64 {
            dtz.entries().iter().filter(|&&(value, _)| self.wdl(value, value) == wdl).map(|entry| entry.1).sum()
        };
        let rest = |all: u64, in_time: u64| all.checked_sub(in_time).ok_or(SpecError::Histogram);
        let entries = [
            (Value::Draw, dtm.drawn()),
            (WIN, sum(WIN)),
            (WIN_JUST_IN_TIME, sum(WIN_JUST_IN_TIME)),
            (CURSED_WIN, rest(dtm.won(), sum(WIN) + sum(WIN_JUST_IN_TIME))?),
            (LOSS, sum(LOSS)),
            (BLESSED_LOSS, rest(dtm.lost(), sum(LOSS))?),
        ];
        ValueList::new(entries.into_iter().filter(|entry| entry.1 > 0).collect())
    }

    /// Whether a side's WDL values follow from those of the positions that its moves lead to. They do where both sides are
    /// armed (else a capture may change the limit of a count that runs on), unless the side has wins of which it depends on
    /// who is to move whether they are in time.
    pub fn follow(self, set: Material, dtz: &ValueList) -> bool {
        set.is_armed() && dtz.entries().iter().all(|&(value, _)| self.wdl(value, value) != WIN_JUST_IN_TIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(set: &str) -> MovesLeft {
        MovesLeft::of(set.parse().unwrap(), &CountingRules::MAKRUK)
    }

    #[test]
    fn moves_left_are_those_of_the_rules() {
        let both =
            |attacker, defender| MovesLeft { attacker_to_move: Some(attacker), defender_to_move: Some(defender) };
        assert_eq!(left("KRRvK"), both(5, 4));
        assert_eq!(left("KRvK"), both(14, 13));
        assert_eq!(left("KRRvKR"), both(65, 64));
    }

    #[test]
    fn a_value_says_whether_there_is_time() {
        let rooks = left("KRRvK");
        let of = |dtm| wdl_category(rooks.wdl(dtm, dtm));
        assert_eq!(of(Value::Win(9)), Category::Win);
        assert_eq!(rooks.wdl(Value::Win(9), Value::Win(9)), WIN_JUST_IN_TIME);
        assert_eq!(rooks.wdl(Value::Win(7), Value::Win(7)), WIN);
        assert_eq!(of(Value::Win(11)), Category::CursedWin);
        assert_eq!(of(Value::Loss(8)), Category::Loss);
        assert_eq!(of(Value::Loss(10)), Category::BlessedLoss);
        assert_eq!(of(Value::Draw), Category::Draw);
        // No event at all.
        assert_eq!(left("KRvKR").wdl(Value::Win(9), Value::Draw), CURSED_WIN);
    }

    #[test]
    fn moves_turn_values_round() {
        let after = [WIN, WIN_JUST_IN_TIME, CURSED_WIN, Value::Draw, BLESSED_LOSS, LOSS];
        let before = [LOSS, BLESSED_LOSS, BLESSED_LOSS, Value::Draw, CURSED_WIN, WIN];
        assert_eq!(after.map(wdl_before), before);
    }

    #[test]
    fn lists_add_up() {
        let dtm = ValueList::new(vec![(Value::Draw, 5), (Value::Win(7), 10), (Value::Win(9), 3), (Value::Win(11), 2)])
            .unwrap();
        let expected = vec![(Value::Draw, 5), (WIN, 10), (WIN_JUST_IN_TIME, 3), (CURSED_WIN, 2)];
        assert_eq!(left("KRRvK").list(&dtm, &dtm).unwrap().entries(), expected);
    }
}
