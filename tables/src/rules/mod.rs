//! The game: board, pieces, legal moves, notation and the count.

mod attacks;
mod bitboard;
mod board;
mod count;
mod moves;
mod piece;
mod position;
mod square;

pub use attacks::{attacks, between, king_attacks, knight_attacks, leaper_attacks, rook_attacks};
pub use bitboard::Bitboard;
pub use board::{ALL_MEN_LIMITS, Board};
pub use count::{Count, CountError, CountingRules, MAX_COUNT_FIELD};
pub use moves::{Move, MoveList};
pub use piece::{ByColor, Color, Piece, Role};
pub use position::{IllegalPosition, Illegality, Position};
pub use square::Square;
