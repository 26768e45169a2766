//! The vocabulary of values: what tables measure, and what they say of a position.
//!
//! - [`Metric`]: what a table measures;
//! - [`Score`]: the one scale of values, from mated to mate in one; [`Bounds`]: an interval of it, which decides most counts that
//!   run;
//! - [`Value`], [`Distances`]: distances in plies, from the side to move;
//! - [`Wdl`]: the category for a count that begins now;
//! - [`TableValue`]: what distances, categories and bounds have in common, so that each kind of table has values of its own type;
//! - [`MovesLeft`]: the moves that a count leaves the attacker, and what a move is worth that begins one.

mod distance;
mod metric;
mod moves_left;
mod score;
mod table_value;
mod wdl;

pub use distance::{Distances, Value};
pub use metric::{Metric, ParseMetricError};
pub use moves_left::MovesLeft;
pub use score::{Bounds, Score};
pub use table_value::TableValue;
pub use wdl::Wdl;
