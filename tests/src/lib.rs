//! The code that tests across crates share.
//!
//! - [`mod@reference`]: a slow solver that knows the rules and nothing else, with which the tables are compared;
//! - [`built`]: the tables, built once for all tests;
//! - [`count_suite`]: positions that ask a program how it counts, and the programs that are asked;
//! - [`engine`]: UCI engines, run from outside;
//! - [`games`]: games between them, with a referee;
//! - [`programs`]: the two programs, as users run them;
//! - [`RandomPositions`]: positions of all kinds.

pub mod built;
mod conversation;
pub mod count_suite;
pub mod engine;
pub mod games;
pub mod programs;
mod random;
pub mod reference;

pub use random::{RandomPositions, random_position};
