//! Positions for training an evaluation: drawn from whole materials or taken from games, with their values, in the formats
//! that trainers read.
//!
//! - [`PositionSource`]: equally likely legal positions of materials, or the positions of games;
//! - [`CountChoice`]: the counts that positions are given;
//! - [`TrainingSettings`], [`TrainingSet`]: the records; each depends only on its number, the settings and the seed;
//! - [`TrainingPosition`]: a position with its verdict and its best move;
//! - [`ScoreScale`]: the score of a verdict;
//! - [`TrainingFormat`]: the formats.
//!
//! `TRAINING.md`, beside this crate's manifest, describes the formats and how positions are drawn.

mod candidate;
mod count_draw;
mod distance_reader;
mod evenness;
mod format;
mod game_positions;
mod packed_position;
mod position_draw;
mod record_rng;
mod score_scale;
mod training_position;
mod training_set;

pub use count_draw::CountChoice;
pub use evenness::Evenness;
pub use format::TrainingFormat;
pub use game_positions::{GamePositions, GamePositionsError};
pub use position_draw::Weighting;
pub use score_scale::ScoreScale;
pub use training_position::TrainingPosition;
pub use training_set::{PositionSource, Quietness, TrainingError, TrainingSet, TrainingSettings};
