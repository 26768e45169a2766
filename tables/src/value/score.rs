//! Values as numbers that compare.

use super::distance::Value;

/// A value as a number that compares, from the side to move: the sooner a win and the later a loss, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i32);

/// Greater than every number of plies.
const FAR: i32 = 1 << 20;

impl Score {
    /// No legal position, or no move: less than every other score.
    pub const NONE: Score = Score(i32::MIN);
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Mated.
    pub const MATED: Score = Score(-FAR);

    /// A value, seen from the side to move.
    pub fn of(value: Value) -> Score {
        match value {
            Value::Draw => Score::DRAW,
            Value::Win(plies) => Score(FAR - i32::from(plies)),
            Value::Loss(plies) => Score(i32::from(plies) - FAR),
        }
    }

    /// The score of a move that leads to a position with this value.
    pub fn before(after: Value) -> Score {
        Score::of(after.one_ply_earlier())
    }

    /// The DTZ score of a capture that bares the opponent, from its DTM score: an immediate win if the mate comes within so
    /// many moves after it.
    pub fn if_within(self, moves: u32) -> Score {
        let Score(worth) = self;
        // The capture is the first of the plies to mate.
        let plies_after = FAR - worth - 1;
        if worth > 0 && (plies_after == 0 || plies_after / 2 <= moves as i32) {
            Score::of(Value::Win(1))
        } else {
            Score::DRAW
        }
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// For [`Score::NONE`], which is that of no position.
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
        assert!(ascending.windows(2).all(|two| Score::of(two[0]) < Score::of(two[1])));
        assert!(ascending.iter().all(|&value| Score::of(value).value() == value && Score::of(value) > Score::NONE));
        assert_eq!(Score::before(Loss(0)).value(), Win(1));
        assert_eq!(Score::before(Win(1)).value(), Loss(2));
    }

    #[test]
    fn a_baring_capture_wins_if_the_mate_fits() {
        let capture = |after| Score::before(after);
        assert_eq!(capture(Value::Loss(0)).if_within(0).value(), Value::Win(1));
        assert_eq!(capture(Value::Loss(16)).if_within(8).value(), Value::Win(1));
        assert_eq!(capture(Value::Loss(18)).if_within(8).value(), Value::Draw);
        assert_eq!(capture(Value::Draw).if_within(8).value(), Value::Draw);
        assert_eq!(capture(Value::Win(3)).if_within(8).value(), Value::Draw);
    }
}
