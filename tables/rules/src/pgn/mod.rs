//! Games in PGN, and moves and positions as programs write them. Comments and variations are skipped.

mod draft;
mod error;
mod game;
mod games;
mod note;
mod result;
mod tag;
mod tokens;

pub use error::{PgnError, PgnProblem};
pub use game::{Game, GameMove};
pub use games::Games;
pub use note::{GameNote, GameNoteKind};
pub use result::GameResult;
