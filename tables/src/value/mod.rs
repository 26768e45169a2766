//! The vocabulary of values: what tables measure, and what they say of a position.
//!
//! - [`Metric`]: what a table measures;
//! - [`Value`], [`Distances`]: distances in plies, from the side to move;
//! - [`Wdl`]: the category for a count that begins now;
//! - [`SearchValue`], [`PlyRange`]: bounds of a distance, which decide most counts that run;
//! - [`MovesLeft`]: the moves that such a count leaves the attacker;
//! - [`Score`]: distances as numbers that compare, for minimax.

mod distance;
mod metric;
mod moves_left;
mod score;
mod search;
mod wdl;

pub use distance::{Distances, Value};
pub use metric::{Metric, ParseMetricError};
pub use moves_left::MovesLeft;
pub use score::Score;
pub use search::{PlyRange, SearchValue};
pub use wdl::Wdl;
