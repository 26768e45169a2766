//! What the tests of several rooms share.
//!
//! - [`reference`]: a slow solver that knows the rules and nothing else, against which the tables are held;
//! - [`built`]: the tables, built once for all tests;
//! - [`engine`]: Fairy-Stockfish, run from outside;
//! - [`RandomPositions`]: positions of all kinds.

pub mod built;
pub mod engine;
mod random;
pub mod reference;

pub use random::{RandomPositions, random_position};
