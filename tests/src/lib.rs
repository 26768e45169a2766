//! What the tests of several rooms share.

mod random;

pub use random::{RandomPositions, random_position};
