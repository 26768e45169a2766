//! A place for every position of a material: its men's squares and the side to move, written as one number.

use std::ops::Range;

use arrayvec::ArrayVec;
use makruk_rules::{Board, Color, Piece, Position, Role, Square};

use super::NamedMaterial;

/// The most men besides the kings that a solved material may have. With three, places would need more than 32 bits, and
/// the arrays more memory than a test should take.
const MAX_PIECES: usize = 2;

/// The places of a material's positions.
///
/// The number's digits are the side to move, White's king, Black's king and the other men. White's king is on one of
/// the 32 squares of the files a to d; a position with it on e to h is seen in the mirror. Pawns are on one of 24
/// squares, all others on one of 64. Like men stand in ascending order.
pub(super) struct Places {
    material: NamedMaterial,
}

/// The squares that a man may stand on: a pawn's are the three ranks from its first to the one before its promotion.
fn region(piece: Piece) -> Range<usize> {
    match (piece.role, piece.color) {
        (Role::Pawn, Color::White) => 16..40,
        (Role::Pawn, Color::Black) => 24..48,
        _ => 0..64,
    }
}

impl Places {
    /// The places of a material.
    ///
    /// # Panics
    ///
    /// If the material has more than four men.
    pub(super) fn new(material: NamedMaterial) -> Places {
        assert!(material.men().len() <= MAX_PIECES, "{material} has too many men for this solver");
        Places { material }
    }

    /// The number of places, those that hold no position included.
    pub(super) fn len(&self) -> usize {
        2 * self.of_one_side()
    }

    /// The places with this side to move.
    pub(super) fn of_side(&self, turn: Color) -> Range<usize> {
        let first = turn as usize * self.of_one_side();
        first..first + self.of_one_side()
    }

    fn of_one_side(&self) -> usize {
        32 * 64 * self.material.men().iter().map(|&piece| region(piece).len()).product::<usize>()
    }

    /// The legal position at a place, if there is one.
    pub(super) fn position(&self, place: usize) -> Option<Position> {
        let turn = if self.of_side(Color::White).contains(&place) { Color::White } else { Color::Black };
        let mut rest = place % self.of_one_side();
        let mut digit = |base| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        // The last digits first.
        let mut board = Board::empty();
        let mut after: Option<(Piece, Square)> = None;
        for &piece in self.material.men().iter().rev() {
            let squares = region(piece);
            let square = Square::new((squares.start + digit(squares.len())) as u8);
            if after.is_some_and(|(like, higher)| like == piece && square >= higher) {
                return None;
            }
            board.set(square, piece);
            after = Some((piece, square));
        }
        board.set(Square::new(digit(64) as u8), Piece::new(Color::Black, Role::King));
        let white_king = digit(32) as u8;
        board.set(Square::new(white_king / 4 * 8 + white_king % 4), Piece::new(Color::White, Role::King));
        if board.men() as usize != self.material.men().len() + 2 {
            return None;
        }
        Position::new(board, turn).ok()
    }

    /// The place of a legal position of the material.
    pub(super) fn place(&self, position: &Position) -> usize {
        let white_king = position.king(Color::White);
        let mirrored = white_king.file() >= 4;
        let seen = |square: Square| if mirrored { Square::new(square.number() ^ 7) } else { square };
        let white_king = seen(white_king);
        let mut place = position.turn() as usize;
        place = place * 32 + usize::from(white_king.rank() * 4 + white_king.file());
        place = place * 64 + seen(position.king(Color::Black)).index();
        let mut men: ArrayVec<(Piece, Square), MAX_PIECES> = ArrayVec::new();
        for (at, &piece) in self.material.men().iter().enumerate() {
            if !self.material.men()[..at].contains(&piece) {
                men.extend(position.board().by_piece(piece).into_iter().map(|square| (piece, seen(square))));
            }
        }
        men.sort_unstable();
        for (piece, square) in men {
            let squares = region(piece);
            assert!(squares.contains(&square.index()), "{position:?}: a pawn on a square that it never stands on");
            place = place * squares.len() + square.index() - squares.start;
        }
        place
    }
}
