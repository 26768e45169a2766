//! Distances in plies.

/// The distance of a position under one metric, from the side to move, in plies.
/// Ordered by worth, as [`Score`](super::Score) is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Value {
    /// Neither side forces anything: a draw in DTM, no conversion within reach in DTZ.
    #[default]
    Draw,
    /// The side to move wins in this number of plies: odd.
    Win(u16),
    /// The side to move loses in this number of plies: even, 0 when it is mated.
    Loss(u16),
}

impl Value {
    /// The moves of the side that wins: half the plies, rounded up. `None` for a draw.
    pub const fn moves(self) -> Option<u16> {
        match self {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies.div_ceil(2)),
        }
    }

    /// The plies. `None` for a draw.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
        }
    }

    /// Signed plies as users read them: positive wins, negative (or 0, mated) loses, `None` draws.
    pub const fn signed_plies(self) -> Option<i32> {
        match self {
            Value::Draw => None,
            Value::Win(plies) => Some(plies as i32),
            Value::Loss(plies) => Some(-(plies as i32)),
        }
    }

    /// The value of a move to the side that makes it, this being the value of the position after it.
    #[must_use]
    pub const fn one_ply_earlier(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies.saturating_add(1)),
            Value::Loss(plies) => Value::Win(plies.saturating_add(1)),
        }
    }
}

/// Both distances of a position, from the side to move. Under pieces' honour they are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Distances {
    /// Plies to mate, no count.
    pub dtm: Value,
    /// Plies to the conversion that settles the count: see [`Metric::Dtz`](super::Metric::Dtz).
    pub dtz: Value,
}

impl Distances {
    /// Neither side wins.
    pub const DRAW: Distances = Distances { dtm: Value::Draw, dtz: Value::Draw };
    /// The side to move is mated.
    pub const MATED: Distances = Distances { dtm: Value::Loss(0), dtz: Value::Loss(0) };

    /// The distances of a position under pieces' honour, where mate is the only conversion left.
    pub const fn bare(dtm: Value) -> Distances {
        Distances { dtm, dtz: dtm }
    }

    /// Whether the side to move wins without the count. `None` if neither side does.
    pub const fn mover_wins(self) -> Option<bool> {
        match self.dtm {
            Value::Win(_) => Some(true),
            Value::Loss(_) => Some(false),
            Value::Draw => None,
        }
    }
}
