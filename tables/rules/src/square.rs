//! Squares, numbered a1 = 0, b1 = 1, … h8 = 63.

use std::fmt;
use std::str::FromStr;

use super::UnknownTextError;

/// One of the 64 squares; a1 = 0, h1 = 7, a8 = 56, h8 = 63.
///
/// ```
/// use makruk_rules::Square;
///
/// let e4: Square = "e4".parse()?;
/// assert_eq!((e4.file(), e4.rank(), e4.number()), (4, 3, 28));
/// assert_eq!(e4.offset(1, 1).map(|square| square.to_string()).as_deref(), Some("f5"));
/// assert!("e9".parse::<Square>().is_err());
/// # Ok::<(), makruk_rules::UnknownTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The corner at White's left hand, number 0.
    pub const A1: Square = Square(0);

    /// The corner at Black's left hand, number 63.
    pub const LAST: Square = Square(63);

    /// The square with this number.
    ///
    /// # Panics
    ///
    /// If `number` is 64 or more.
    #[inline]
    pub const fn new(number: u8) -> Square {
        assert!(number < 64, "a square's number is below 64");
        Square(number)
    }

    /// The square on this file (0 = a) and rank (0 = the first), if it is on the board.
    pub const fn at(file: i8, rank: i8) -> Option<Square> {
        if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some(Square((rank * 8 + file) as u8)) }
    }

    /// All squares, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
        (0..64u8).map(Square)
    }

    /// The square's number, 0 to 63.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The square's number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square's file, 0 (a) to 7 (h).
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The square's rank, 0 (the first) to 7.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        Square::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// The same square seen from the other side: a1 becomes a8.
    pub const fn flip_rank(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// King steps between two squares.
    pub const fn distance(self, other: Square) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<Square, UnknownTextError> {
        let expected = "a square: expected a file from a to h and a rank from 1 to 8, such as e4";
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(UnknownTextError::new(text, expected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.file() as i8, square.rank() as i8), Some(square));
        }
        assert!("i1".parse::<Square>().is_err());
        assert!("a9".parse::<Square>().is_err());
        assert!("".parse::<Square>().is_err());
    }
}
