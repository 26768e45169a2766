//! Information that a player gives while it thinks.

use std::time::Duration;

use makruk_rules::Move;

use super::Score;

/// A line with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The rank of the line; the best is 1.
    pub multi_pv: usize,
    /// The depth searched, in plies; of a line from the tables, its length.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// The score from the side to move.
    pub score: Score,
    /// Positions searched.
    pub nodes: u64,
    /// Values read from the tables.
    pub table_hits: u64,
    /// The time since thinking began.
    pub elapsed: Duration,
    /// The moves.
    pub line: Vec<Move>,
}

/// One piece of information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// A line.
    Report(Report),
    /// A sentence for people.
    Remark(String),
}
