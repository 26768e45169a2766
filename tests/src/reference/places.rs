//! A place for every position of a material: its men's squares and the side to move, written as one number.

use std::fmt;
use std::ops::Range;

use arrayvec::ArrayVec;
use makruk_tables::rules::{Board, Color, Piece, Position, Role, Square};

/// The most men besides the kings that a material here may have: with three, places would need more than 32 bits, and the
/// arrays more memory than a test should take.
const MAX_PIECES: usize = 2;

/// Both sides' men besides the kings, White's first, each side's in the order R N S M.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedMaterial {
    men: ArrayVec<Piece, MAX_PIECES>,
}

impl NamedMaterial {
    /// The material of a name, White's men first: `KRvKS`.
    ///
    /// # Panics
    ///
    /// If the name is no material of at most four men.
    pub fn named(name: &str) -> NamedMaterial {
        let (white, black) = name.split_once('v').expect("two sides");
        let men_of = |color, letters: &str| {
            let letters = letters.strip_prefix('K').expect("a king");
            letters
                .chars()
                .map(|letter| Piece::new(color, Role::from_letter(letter).expect("a piece's letter")))
                .collect::<Vec<_>>()
        };
        let mut men: ArrayVec<Piece, MAX_PIECES> =
            men_of(Color::White, white).into_iter().chain(men_of(Color::Black, black)).collect();
        men.sort();
        NamedMaterial { men }
    }

    /// The material on a board.
    pub fn of(board: &Board) -> NamedMaterial {
        let mut men = ArrayVec::new();
        for color in Color::ALL {
            for role in Role::PIECES {
                let piece = Piece::new(color, role);
                men.extend(board.by_piece(piece).into_iter().map(|_| piece));
            }
        }
        NamedMaterial { men }
    }

    /// Are there no men besides the kings?
    pub fn is_bare_kings(&self) -> bool {
        self.men.is_empty()
    }

    /// Have both sides a man besides the king?
    pub fn is_armed(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.men.iter().any(|piece| piece.color == color))
    }

    /// The materials that are left when a man is taken.
    pub fn after_a_capture(&self) -> Vec<NamedMaterial> {
        let without = |at| {
            let mut men = self.men.clone();
            men.remove(at);
            NamedMaterial { men }
        };
        (0..self.men.len()).map(without).collect()
    }
}

impl fmt::Display for NamedMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(if color == Color::White { "K" } else { "vK" })?;
            for piece in self.men.iter().filter(|piece| piece.color == color) {
                write!(f, "{}", piece.role.letter())?;
            }
        }
        Ok(())
    }
}

/// The places of a material's positions.
///
/// The number's digits are the side to move, White's king on one of the 32 squares of the files a to d (a position with
/// it on e to h is seen in the mirror), Black's king and the other men on one of 64. Like men stand in ascending order.
pub struct Places {
    material: NamedMaterial,
}

impl Places {
    /// The places of a material.
    pub fn new(material: NamedMaterial) -> Places {
        Places { material }
    }

    /// The number of places, those that hold no position included.
    pub fn len(&self) -> usize {
        2 * self.of_one_side()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The places with this side to move.
    pub fn of_side(&self, turn: Color) -> Range<usize> {
        let first = turn as usize * self.of_one_side();
        first..first + self.of_one_side()
    }

    fn of_one_side(&self) -> usize {
        32 * 64 * 64usize.pow(self.material.men.len() as u32)
    }

    /// The legal position at a place, if there is one.
    pub fn position(&self, place: usize) -> Option<Position> {
        let turn = if self.of_side(Color::White).contains(&place) { Color::White } else { Color::Black };
        let mut rest = place % self.of_one_side();
        let mut digit = |base| {
            let digit = rest % base;
            rest /= base;
            digit as u8
        };
        // The last digits first.
        let mut board = Board::empty();
        let mut after: Option<(Piece, Square)> = None;
        for &piece in self.material.men.iter().rev() {
            let square = Square::new(digit(64));
            if after.is_some_and(|(like, higher)| like == piece && square >= higher) {
                return None;
            }
            board.set(square, piece);
            after = Some((piece, square));
        }
        board.set(Square::new(digit(64)), Piece::new(Color::Black, Role::King));
        let white_king = digit(32);
        board.set(Square::new(white_king / 4 * 8 + white_king % 4), Piece::new(Color::White, Role::King));
        if board.men() as usize != self.material.men.len() + 2 {
            return None;
        }
        Position::new(board, turn).ok()
    }

    /// The place of a legal position of the material.
    pub fn place(&self, position: &Position) -> usize {
        let white_king = position.king(Color::White);
        let mirrored = white_king.file() >= 4;
        let seen = |square: Square| if mirrored { square.flip_file() } else { square };
        let white_king = seen(white_king);
        let mut place = position.turn() as usize;
        place = place * 32 + usize::from(white_king.rank() * 4 + white_king.file());
        place = place * 64 + seen(position.king(Color::Black)).index();
        let mut men: ArrayVec<(Piece, Square), MAX_PIECES> = ArrayVec::new();
        for (at, &piece) in self.material.men.iter().enumerate() {
            if !self.material.men[..at].contains(&piece) {
                men.extend(position.board().by_piece(piece).into_iter().map(|square| (piece, seen(square))));
            }
        }
        men.sort_unstable();
        for (_, square) in men {
            place = place * 64 + square.index();
        }
        place
    }
}
