//! Games in PGN. Comments and variations are skipped.

mod draft;
mod game;
mod games;
mod tokens;

pub use game::{Game, GameMove, GameResult, ParseGameResultError, PgnError, PgnProblem};
pub use games::Games;
