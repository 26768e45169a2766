//! The scale of values, and intervals of it.

use std::cmp::Ordering;

use super::distance::{Distances, Value};

/// The worth of a position for a count that begins now, from the side to move. It is one scale for all that tables say
/// of a position, ordered from the worst to the best. The sooner a win and the later a loss, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// The side to move loses; the conversion takes this number of plies, 0 if it is mated.
    Loss(u16),
    /// The side to move loses without the count, and no conversion is in time.
    BlessedLoss,
    /// Neither side wins.
    Draw,
    /// The side to move wins without the count, and no conversion is in time.
    CursedWin,
    /// The side to move wins; the conversion takes this number of plies.
    Win(u16),
}

impl Score {
    /// The number of plies; `None` without a conversion.
    pub(crate) const fn plies(self) -> Option<u16> {
        match self {
            Score::Loss(plies) | Score::Win(plies) => Some(plies),
            Score::BlessedLoss | Score::Draw | Score::CursedWin => None,
        }
    }

    /// The score of a move to the side that makes it, this being the score of the position after it.
    #[must_use]
    pub(crate) const fn one_ply_earlier(self) -> Score {
        match self {
            Score::Loss(plies) => Score::Win(plies.saturating_add(1)),
            Score::BlessedLoss => Score::CursedWin,
            Score::Draw => Score::Draw,
            Score::CursedWin => Score::BlessedLoss,
            Score::Win(plies) => Score::Loss(plies.saturating_add(1)),
        }
    }

    /// The distance: a draw without a conversion.
    pub(crate) const fn distance(self) -> Value {
        match self {
            Score::Loss(plies) => Value::Loss(plies),
            Score::BlessedLoss | Score::Draw | Score::CursedWin => Value::Draw,
            Score::Win(plies) => Value::Win(plies),
        }
    }

    /// The place on the scale. Wins and losses are farther from 0 than any number of plies.
    const fn place(self) -> i32 {
        const FAR: i32 = 1 << 17;
        match self {
            Score::Loss(plies) => plies as i32 - FAR,
            Score::BlessedLoss => -1,
            Score::Draw => 0,
            Score::CursedWin => 1,
            Score::Win(plies) => FAR - plies as i32,
        }
    }
}

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Score) -> std::cmp::Ordering {
        self.place().cmp(&other.place())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Value> for Score {
    #[inline]
    fn from(value: Value) -> Score {
        match value {
            Value::Draw => Score::Draw,
            Value::Win(plies) => Score::Win(plies),
            Value::Loss(plies) => Score::Loss(plies),
        }
    }
}

impl From<Distances> for Score {
    fn from(Distances { dtm, dtz }: Distances) -> Score {
        match (dtm, dtz) {
            (Value::Draw, _) => Score::Draw,
            (Value::Win(_), Value::Draw) => Score::CursedWin,
            (Value::Loss(_), Value::Draw) => Score::BlessedLoss,
            (Value::Win(_) | Value::Loss(_), conversion) => conversion.into(),
        }
    }
}

/// The interval of the scale that a position's score lies in, both ends included. A category table gives such bounds;
/// they decide the category under a running count unless its plies left lie between them. The winner is the same for
/// all of the interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The least score.
    pub worst: Score,
    /// The greatest score.
    pub best: Score,
}

impl Bounds {
    /// The interval of one score.
    pub const fn exactly(score: Score) -> Bounds {
        Bounds { worst: score, best: score }
    }

    /// Whether a score lies within the bounds.
    pub fn contain(self, score: Score) -> bool {
        (self.worst..=self.best).contains(&score)
    }

    /// The end with the most plies to the conversion.
    pub fn latest(self) -> Score {
        if self.best > Score::Draw { self.worst } else { self.best }
    }

    /// Whether the side to move wins without the count; `None` if neither side does.
    pub fn mover_wins(self) -> Option<bool> {
        (self.best != Score::Draw).then_some(self.best > Score::Draw)
    }

    /// The fewest plies to the conversion; `None` if there is no conversion.
    pub fn fewest_plies(self) -> Option<u16> {
        if self.best > Score::Draw { self.best.plies() } else { self.worst.plies() }
    }

    /// The most plies to the conversion; `None` if there may be no conversion.
    pub fn most_plies(self) -> Option<u16> {
        self.latest().plies()
    }

    /// The bounds of a move to the side that makes it, these being the bounds of the position after it. `turn` gives
    /// the score of the move from the score of the position: the greater that is, the less this.
    pub(super) fn turned(self, turn: impl Fn(Score) -> Score) -> Bounds {
        Bounds { worst: turn(self.best), best: turn(self.worst) }
    }
}

impl From<Distances> for Bounds {
    fn from(distances: Distances) -> Bounds {
        Bounds::exactly(distances.into())
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        Score::from(*self).cmp(&Score::from(*other))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_are_worth_more() {
        use Score::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let ascending =
            [Loss(0), Loss(2), Loss(700), Loss(u16::MAX), BlessedLoss, Draw, CursedWin, Win(u16::MAX), Win(3), Win(1)];
        assert!(ascending.windows(2).all(|two| two[0] < two[1]));
        assert!(ascending.map(Score::one_ply_earlier).windows(2).all(|two| two[0] >= two[1]));
        for value in [Value::Loss(0), Value::Loss(700), Value::Draw, Value::Win(701)] {
            assert_eq!(Score::from(value).distance(), value);
        }
        assert!(Value::Loss(2) < Value::Draw && Value::Draw < Value::Win(3) && Value::Win(3) < Value::Win(1));
    }

    #[test]
    fn bounds_know_the_winner_and_the_plies() {
        let won = Bounds { worst: Score::CursedWin, best: Score::Win(5) };
        assert_eq!((won.mover_wins(), won.fewest_plies(), won.most_plies()), (Some(true), Some(5), None));
        let lost = won.turned(Score::one_ply_earlier);
        assert_eq!((lost.mover_wins(), lost.fewest_plies(), lost.most_plies()), (Some(false), Some(6), None));
        assert!(lost.contain(Score::Loss(8)) && !lost.contain(Score::Loss(4)) && !lost.contain(Score::Draw));
        assert_eq!(Bounds::exactly(Score::Draw).mover_wins(), None);
    }
}
