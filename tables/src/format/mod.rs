//! The table file.

mod value;

pub use value::{Metric, Value};
