//! The code that tests across crates share.
//!
//! - [`count_suite`]: positions that ask a program how it counts;
//! - [`engine`]: UCI engines, run from outside;
//! - [`games`]: games between them, with a referee;
//! - [`programs`], [`server`]: the two programs, and the service, as users run them;
//! - [`whole_table`]: all values of a table, written and decoded.
//!
//! The tables themselves, and random positions, are those of `makruk-test-tables`.

pub mod count_suite;
pub mod engine;
pub mod games;
pub mod programs;
pub mod server;
pub mod whole_table;
