//! What the tests of several rooms share.
//!
//! - [`mod@reference`]: a slow solver that knows the rules and nothing else, against which the tables are held;
//! - [`built`]: the tables, built once for all tests;
//! - [`engine`]: Fairy-Stockfish, run from outside;
//! - [`programs`]: the two programs, as users run them;
//! - [`RandomPositions`]: positions of all kinds.

pub mod built;
pub mod engine;
pub mod programs;
mod random;
pub mod reference;

pub use random::{RandomPositions, random_position};
