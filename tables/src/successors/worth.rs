//! Values as numbers that compare.

use super::before;
use crate::format::Value;

/// What a value is worth to the side to move: the sooner a win the more, the later a loss the more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth(i32);

/// More than any number of plies.
const FAR: i32 = 1 << 20;

impl Worth {
    /// No legal position, or no move: less than anything.
    pub const NONE: Worth = Worth(i32::MIN);
    /// A draw.
    pub const DRAW: Worth = Worth(0);
    /// Mated.
    pub const MATED: Worth = Worth(-FAR);

    /// A value, seen from the side to move.
    pub fn of(value: Value) -> Worth {
        match value {
            Value::Draw => Worth::DRAW,
            Value::Win(plies) => Worth(FAR - i32::from(plies)),
            Value::Loss(plies) => Worth(i32::from(plies) - FAR),
        }
    }

    /// What a move is worth that leads to a position with this value.
    pub fn before(after: Value) -> Worth {
        Worth::of(before(after))
    }

    /// What a capture that bares the opponent is worth in DTZ, this being its worth in DTM: a win at once if the mate comes
    /// within so many moves after it.
    pub fn if_within(self, moves: u32) -> Worth {
        let Worth(worth) = self;
        // The capture is the first of the plies to mate.
        let plies_after = FAR - worth - 1;
        if worth > 0 && (plies_after == 0 || plies_after / 2 <= moves as i32) {
            Worth::of(Value::Win(1))
        } else {
            Worth::DRAW
        }
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// For [`Worth::NONE`], which is that of no position.
    pub fn value(self) -> Value {
        let plies = |plies: i32| u16::try_from(plies).expect("a value's plies fit");
        match self.0 {
            0 => Value::Draw,
            worth @ 1.. => Value::Win(plies(FAR - worth)),
            worth => Value::Loss(plies(worth + FAR)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_are_worth_more() {
        use Value::{Draw, Loss, Win};
        let ascending = [Loss(0), Loss(2), Loss(700), Draw, Win(701), Win(3), Win(1)];
        assert!(ascending.windows(2).all(|two| Worth::of(two[0]) < Worth::of(two[1])));
        assert!(ascending.iter().all(|&value| Worth::of(value).value() == value && Worth::of(value) > Worth::NONE));
        assert_eq!(Worth::before(Loss(0)).value(), Win(1));
        assert_eq!(Worth::before(Win(1)).value(), Loss(2));
    }

    #[test]
    fn a_baring_capture_wins_if_the_mate_fits() {
        let capture = |after| Worth::before(after);
        assert_eq!(capture(Value::Loss(0)).if_within(0).value(), Value::Win(1));
        assert_eq!(capture(Value::Loss(16)).if_within(8).value(), Value::Win(1));
        assert_eq!(capture(Value::Loss(18)).if_within(8).value(), Value::Draw);
        assert_eq!(capture(Value::Draw).if_within(8).value(), Value::Draw);
        assert_eq!(capture(Value::Win(3)).if_within(8).value(), Value::Draw);
    }
}
