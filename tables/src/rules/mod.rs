//! The game: board, pieces, legal moves, notation and the count.

mod attacks;
mod bitboard;
mod board;
mod category;
mod count;
mod fen;
mod moves;
mod pgn;
mod piece;
mod position;
mod repetition;
mod san;
mod square;
mod text;
mod uci;

pub use attacks::{attacks, between, king_attacks, knight_attacks, leaper_attacks, rook_attacks};
pub use bitboard::Bitboard;
pub use board::{ALL_MEN_LIMITS, Board};
pub use category::Category;
pub use count::{Count, CountError, CountingRules, MAX_COUNT_FIELD};
pub use fen::{CountField, Fen, FenError, FenErrorKind, MAX_FEN_BYTES};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use pgn::{Game, GameMove, GameResult, Games, PgnError, PgnProblem, read_pgn};
pub use piece::{ByColor, Color, Piece, Role};
pub use position::{IllegalPosition, Illegality, Position};
pub use repetition::{REPETITIONS_TO_DRAW, Repetitions};
pub use san::{MAX_SAN_BYTES, SanError, read_san, write_san};
pub use square::Square;
pub use uci::UciError;
