//! Matches between two engines, judged by the rules alone.
//!
//! [`play`] is the referee of one game between two [`Player`]s. [`run`] plays every starting position of a
//! [`MatchPlan`] twice, with colours exchanged, and keeps the games as [`Results`]; [`MatchScore`] turns pairs into Elo
//! with an interval, and [`Sprt`] decides between two differences in Elo. [`Conversions`] are how often the engines win
//! positions that are played several times, and [`DecidedShares`] how many positions of games one look-up in the
//! category tables decides. [`mistakes()`] counts the moves that gave a win or a draw away, by the tables; the tables
//! judge no game.

pub mod conversions;
pub mod decided;
pub mod engine;
pub mod game;
pub mod mistakes;
pub mod pairs;
pub mod positions;
pub mod record;
pub mod score;
pub mod share;
pub mod sprt;

pub use conversions::Conversions;
pub use decided::DecidedShares;
pub use engine::{EngineCommand, UciEngine};
pub use game::{Ending, Outcome, PlayedGame, Player, Reply, Score, play};
pub use mistakes::{Mistakes, mistakes};
pub use pairs::{MatchPlan, run};
pub use record::{GameRecord, Results};
pub use score::MatchScore;
pub use share::GroupedShare;
pub use sprt::{Hypothesis, Sprt, Verdict};
