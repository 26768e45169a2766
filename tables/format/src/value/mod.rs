//! The vocabulary of values: what tables measure, and what they say of a position.
//!
//! - [`Metric`]: what a table measures;
//! - [`Score`]: the one scale of values, from mated to mate in one; [`Bounds`]: an interval of it, which decides most
//!   counts that run;
//! - [`Value`], [`Distances`]: distances in plies, from the side to move;
//! - [`TableValue`]: what distances, scores and bounds have in common, so that one minimax serves all;
//! - [`MovesLeft`]: the moves that a count leaves the attacker, the category that follows, and what a move is worth
//!   that begins a count.

mod distance;
mod metric;
mod moves_left;
mod score;
mod table_value;

pub use distance::{Distances, Value};
pub use metric::{Metric, ParseMetricError};
pub use moves_left::MovesLeft;
pub use score::{Bounds, Score};
pub use table_value::TableValue;
