//! What a player tells while it thinks.

use std::time::Duration;

use makruk_tables::rules::Move;

use super::Score;

/// A line with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Which of several lines, the best is 1.
    pub multi_pv: usize,
    /// How deep was searched, in plies; of a line from the tables, its length.
    pub depth: u32,
    /// The deepest ply that was looked at.
    pub selective_depth: u32,
    /// What it is worth to the side to move.
    pub score: Score,
    /// Positions that were looked at.
    pub nodes: u64,
    /// Values that were asked of the tables.
    pub table_hits: u64,
    /// The time since thinking began.
    pub elapsed: Duration,
    /// The moves.
    pub line: Vec<Move>,
}

/// Something that a player tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A line.
    Report(Report),
    /// A sentence for people.
    Remark(String),
}
