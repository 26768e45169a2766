//! What a table says of one position.

use std::fmt;

/// What a table measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Distance to mate, no count.
    Dtm,
    /// Distance to the event that settles the count: mate, or a baring capture that wins in time.
    Dtz,
    /// The category alone, for a count that has not begun: see [`wdl_category`](super::wdl_category).
    Wdl,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 3] = [Metric::Dtm, Metric::Dtz, Metric::Wdl];
    /// Those that are distances, DTM first.
    pub const DISTANCES: [Metric; 2] = [Metric::Dtm, Metric::Dtz];

    /// `dtm`, `dtz` or `wdl`; also the extension of the table's file.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Dtm => "dtm",
            Metric::Dtz => "dtz",
            Metric::Wdl => "wdl",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of a position under one metric, from the side to move, in plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Nobody forces anything: a draw in DTM, no event within reach in DTZ.
    #[default]
    Draw,
    /// The side to move wins in so many plies: odd.
    Win(u16),
    /// The side to move loses in so many plies: even, 0 when it is mated.
    Loss(u16),
}

impl Value {
    /// The moves of the side that wins: half the plies, rounded up. `None` draws.
    pub const fn moves(self) -> Option<u16> {
        match self {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies.div_ceil(2)),
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
}
