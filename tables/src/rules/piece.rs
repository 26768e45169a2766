//! Colours, roles and pieces.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// The two sides. White moves up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side that starts at the foot of the board; its khons and pawns step towards the eighth rank.
    White,
    /// The side that starts at the top.
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// +1 for White, -1 for Black: the direction in ranks that is forward.
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// `white` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The letter of the FEN's second field.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The rank (0 to 7) on which this side's pawns become mets: the sixth from its own side.
    pub const fn promotion_rank(self) -> u8 {
        match self {
            Color::White => 5,
            Color::Black => 2,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// What a man is, whatever its colour. Ordered as material is written, the king first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Khun: one step in any direction.
    King,
    /// Rua: any number of squares along rank or file.
    Rook,
    /// Ma: the chess knight.
    Knight,
    /// Khon: one step diagonally or straight forward.
    Khon,
    /// Met: one step diagonally. A promoted pawn is one.
    Met,
    /// Bia: one step forward, captures diagonally forward, becomes a met on the sixth rank.
    Pawn,
}

impl Role {
    /// Every role, the king first.
    pub const ALL: [Role; 6] = [Role::King, Role::Rook, Role::Knight, Role::Khon, Role::Met, Role::Pawn];
    /// The roles that a table's material is written with, in that order: R N S M.
    pub const PIECES: [Role; 4] = [Role::Rook, Role::Knight, Role::Khon, Role::Met];

    /// Its capital letter as Fairy-Stockfish writes it: K R N S M P.
    pub const fn letter(self) -> char {
        match self {
            Role::King => 'K',
            Role::Rook => 'R',
            Role::Knight => 'N',
            Role::Khon => 'S',
            Role::Met => 'M',
            Role::Pawn => 'P',
        }
    }

    /// The role a letter stands for, in either case and in any lettering: S, B or E is a khon, M, Q or F a met.
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Role::King,
            'R' => Role::Rook,
            'N' => Role::Knight,
            'S' | 'B' | 'E' => Role::Khon,
            'M' | 'Q' | 'F' => Role::Met,
            'P' => Role::Pawn,
            _ => return None,
        })
    }

    /// Its English name, as players use it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::King => "king",
            Role::Rook => "rook",
            Role::Knight => "knight",
            Role::Khon => "khon",
            Role::Met => "met",
            Role::Pawn => "pawn",
        }
    }
}

/// A man: its colour and its role.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// A man of this colour and role.
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece { color, role }
    }

    /// The FEN letter: a capital for White.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The man of a FEN letter, in any lettering.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// The same man of the other colour.
    pub fn color_flipped(self) -> Piece {
        Piece { color: !self.color, role: self.role }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One value for each side, indexed by [`Color`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// A value for each side, made from its colour.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }

    /// Both values changed in the same way.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor { white: change(self.white), black: change(self.black) }
    }

    /// The two sides exchanged.
    pub fn swap(self) -> ByColor<T> {
        ByColor { white: self.black, black: self.white }
    }

    /// White's value, then Black's.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        [&self.white, &self.black].into_iter()
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
