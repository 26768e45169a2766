//! What the tests that cross rooms share.
//!
//! - [`reference`]: a slow solver that knows the rules and nothing else, against which the tables are held;
//! - [`built`]: the tables, built once for all tests.

pub mod built;
pub mod reference;
