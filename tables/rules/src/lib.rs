#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod attacks;
mod bitboard;
mod board;
mod by_role;
mod category;
mod count;
mod count_rule;
mod dialect;
mod encoding;
mod fen;
mod mating_men;
mod moves;
mod names;
mod outcome;
mod pgn;
mod piece;
mod position;
mod repetition;
mod san;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serde_text;
mod square;
mod text;
mod uci;

pub use attacks::{attacks, between, king_attacks, leaper_attacks, rook_attacks};
pub use bitboard::{Bitboard, BitboardIter};
pub use board::{Board, MOST_MEN, MOST_METS_AND_PAWNS};
pub use by_role::ByRole;
pub use category::Category;
pub use count::{Count, CountError, CountingRules, MAX_COUNT_FIELD, ToMove, begins_count};
pub use count_rule::CountRule;
pub use dialect::{ChessSign, CountField, FenError, FenErrorKind, ImpossibleCount, MAX_FEN_BYTES, Note, Reading, Slip};
pub use encoding::{TextEncoding, decode};
pub use fen::Fen;
pub use moves::{MAX_MOVES, Move, MoveList};
pub use outcome::Outcome;
pub use pgn::{Game, GameMove, GameNote, GameNoteKind, GameResult, Games, PgnError, PgnProblem};
pub use piece::{ByColor, Color, Piece, Role};
pub use position::{IllegalPosition, Illegality, Position};
pub use repetition::{REPETITIONS_TO_DRAW, Repetitions};
pub use san::{MAX_SAN_CHARS, MoveNote, MoveReading, SanError};
pub use square::Square;
pub use text::{UnknownTextError, printable, quoted, quoted_within};
pub use uci::UciError;
