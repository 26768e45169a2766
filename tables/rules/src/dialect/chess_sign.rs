//! What shows that a position is one of chess.

use std::fmt;

use super::super::text::quoted;
use super::super::{Board, Color, Piece, Role, Square};

/// So many pawns where Makruk has none are no slip of the pen.
const MANY_PAWNS: usize = 4;

/// What shows that a position is one of chess, whose queens and bishops are not mets and khons. Written as a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChessSign {
    /// The fourth field is a square on which a pawn can be taken *en passant*.
    EnPassant(String),
    /// The board has queens or bishops, or many pawns, and a pawn where Makruk has none.
    Pawn(Piece, Square),
    /// The position is given as a board of a library for chess, of this type.
    Library(String),
}

impl ChessSign {
    /// The first pawn where Makruk has none, if the letters or their number speak of chess.
    pub(super) fn of_board(board: &Board, has_chess_letters: bool) -> Option<ChessSign> {
        let misplaced = |color: Color| {
            let pawn = Piece::new(color, Role::Pawn);
            (board.by_piece(pawn) - color.pawn_squares()).into_iter().map(move |square| ChessSign::Pawn(pawn, square))
        };
        let mut pawns = Color::ALL.into_iter().flat_map(misplaced);
        let first = pawns.next()?;
        (has_chess_letters || pawns.count() + 1 >= MANY_PAWNS).then_some(first)
    }
}

impl fmt::Display for ChessSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChessSign::EnPassant(square) => write!(f, "the fourth field is {}, a square of en passant", quoted(square)),
            ChessSign::Pawn(pawn, square) => write!(
                f,
                "there is a {} pawn on {square}, where Makruk has none (White's stand on ranks 3 to 5, Black's on 6 to 4)",
                pawn.color.name()
            ),
            ChessSign::Library(kind) => {
                write!(f, "the board is a {kind}, whose queens and bishops are not mets and khons")
            }
        }
    }
}
