//! What people and other programs write, read in one place.
//!
//! `RULES.md` beside the crate's manifest states the rule for each form, under "How positions are written".
//!
//! - [`Reading`]: a position and the [`Note`]s on what was dropped or assumed;
//! - [`FenError`]: the reason why a text is not a position.

mod board_field;
mod chess_sign;
mod fen_error;
mod impossible_count;
mod note;
mod reading;
mod unwrap;

pub use chess_sign::ChessSign;
pub use fen_error::{CountField, FenError, FenErrorKind, MAX_FEN_BYTES};
pub use impossible_count::{ImpossibleCount, Slip};
pub use note::Note;
pub use reading::Reading;
