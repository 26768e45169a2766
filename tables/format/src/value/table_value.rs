//! The operations of values of every metric.

use std::fmt::Debug;

use super::distance::Value;
use super::moves_left::MovesLeft;
use super::score::{Bounds, Score};

/// A kind of value that tables have for positions, seen from the side to move: what one ply of minimax needs of it.
pub trait TableValue: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Neither side wins.
    const DRAW: Self;
    /// The side to move is mated.
    const MATED: Self;

    /// The value of a move to the side that makes it, this being the value of the position after it. `begun` has the
    /// moves left of the count that the move begins, if it begins one and the metric knows counts.
    #[must_use]
    fn before_move(self, begun: Option<MovesLeft>) -> Self;

    /// The value of a position with two moves, whose values to the side that makes them are given.
    #[must_use]
    fn or(self, other: Self) -> Self;
}

/// Distances under one metric.
impl TableValue for Value {
    const DRAW: Value = Value::Draw;
    const MATED: Value = Value::Loss(0);

    #[inline]
    fn before_move(self, begun: Option<MovesLeft>) -> Value {
        begun.map_or(self.one_ply_earlier(), |left| left.conversion(self.into()).distance())
    }

    fn or(self, other: Value) -> Value {
        self.max(other)
    }
}

impl TableValue for Score {
    const DRAW: Score = Score::Draw;
    const MATED: Score = Score::Loss(0);

    fn before_move(self, begun: Option<MovesLeft>) -> Score {
        begun.map_or(self.one_ply_earlier(), |left| left.conversion(self))
    }

    fn or(self, other: Score) -> Score {
        self.max(other)
    }
}

impl TableValue for Bounds {
    const DRAW: Bounds = Bounds::exactly(Score::Draw);
    const MATED: Bounds = Bounds::exactly(Score::Loss(0));

    fn before_move(self, begun: Option<MovesLeft>) -> Bounds {
        self.turned(|score| score.before_move(begun))
    }

    fn or(self, other: Bounds) -> Bounds {
        Bounds { worst: self.worst.max(other.worst), best: self.best.max(other.best) }
    }
}
