//! Colours, roles and pieces.

use std::fmt;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

use super::{Bitboard, UnknownTextError};

/// The two sides. White moves up the board.
///
/// Written `White` and `Black`; read in any case, and from the FEN's letters `w` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Side", rename_all = "lowercase"))]
pub enum Color {
    /// The side that starts at the foot of the board; its khons and pawns step towards the eighth rank.
    White,
    /// The side that starts at the top.
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The direction that is forward, in ranks: +1 for White, -1 for Black.
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

    /// The side of this name.
    pub fn from_name(name: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|color| color.name() == name)
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

    /// The squares of that rank.
    pub const fn promotion_squares(self) -> Bitboard {
        Bitboard(0xff << (8 * self.promotion_rank()))
    }

    /// The squares of this side's unpromoted pawns: the third to the fifth rank from its own side, 24 squares.
    pub const fn pawn_squares(self) -> Bitboard {
        Bitboard(match self {
            Color::White => 0x0000_00ff_ffff_0000,
            Color::Black => 0x0000_ffff_ff00_0000,
        })
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

impl FromStr for Color {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<Color, UnknownTextError> {
        let is = |color: Color| {
            let letter = text.len() == 1 && text.starts_with(color.letter());
            letter || text.eq_ignore_ascii_case(color.name())
        };
        let named = Color::ALL.into_iter().find(|&color| is(color));
        named.ok_or_else(|| UnknownTextError::new(text, "a colour: expected white or black"))
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

/// The kind of a piece, of either colour. Ordered as material is written, the king first.
///
/// Written as its English name; read from that or from a letter of any lettering.
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

// The English names, as players use them.
crate::names! {
    Role: King = "king", Rook = "rook", Knight = "knight", Khon = "khon", Met = "met", Pawn = "pawn"
}

impl Role {
    /// The roles besides the king in the order of a material's name: R N S M P.
    pub const IN_NAMES: [Role; 5] = [Role::Rook, Role::Knight, Role::Khon, Role::Met, Role::Pawn];
    /// The roles besides the king in the order of a table's axes: P R N S M. Pawns stand on few squares, so they come
    /// first, where the solver skips what they leave empty.
    pub const IN_LAYOUTS: [Role; 5] = [Role::Pawn, Role::Rook, Role::Knight, Role::Khon, Role::Met];

    /// Whether a man of this role moves differently up and down the board. Then only the left-right symmetry keeps the
    /// game.
    pub const fn is_directed(self) -> bool {
        matches!(self, Role::Khon | Role::Pawn)
    }

    /// The capital letter that Fairy-Stockfish writes: K R N S M P.
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

    /// The role that a letter stands for, in either case and in any lettering: S, B or E is a khon, M, Q or F a met.
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
}

/// A piece: its colour and its role. Pawns and kings are pieces too.
///
/// Written as its FEN letter; read from a FEN letter of any lettering.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// The kind of piece.
    pub role: Role,
}

impl Piece {
    /// A piece of this colour and role.
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

    /// The piece of a FEN letter, in any lettering.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }

    /// The piece of the same role and the other colour.
    pub fn color_flipped(self) -> Piece {
        Piece { color: !self.color, role: self.role }
    }
}

/// The only character of a text.
fn only_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

impl FromStr for Role {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<Role, UnknownTextError> {
        let expected = "a role: expected king, rook, knight, khon, met, pawn or a letter of one";
        let named = || Role::ALL.into_iter().find(|role| text.eq_ignore_ascii_case(role.name()));
        let role = only_letter(text).and_then(Role::from_letter).or_else(named);
        role.ok_or_else(|| UnknownTextError::new(text, expected))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Piece {
    type Err = UnknownTextError;

    fn from_str(text: &str) -> Result<Piece, UnknownTextError> {
        let expected = "a piece: expected one letter of K R N S M P (or B E for S, Q F for M), a capital for White";
        let piece = only_letter(text).and_then(Piece::from_letter);
        piece.ok_or_else(|| UnknownTextError::new(text, expected))
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One value for each side, indexed by [`Color`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ByColor<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> ByColor<T> {
    /// A value for each side, computed from its colour.
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> ByColor<T> {
        ByColor { white: make(Color::White), black: make(Color::Black) }
    }

    /// A value for each colour, White's first.
    ///
    /// # Errors
    ///
    /// The first of `make`.
    pub fn try_from_fn<E>(mut make: impl FnMut(Color) -> Result<T, E>) -> Result<ByColor<T>, E> {
        Ok(ByColor { white: make(Color::White)?, black: make(Color::Black)? })
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
    pub fn iter(&self) -> std::array::IntoIter<&T, 2> {
        [&self.white, &self.black].into_iter()
    }

    /// White's value, then Black's, to be changed.
    pub fn iter_mut(&mut self) -> std::array::IntoIter<&mut T, 2> {
        [&mut self.white, &mut self.black].into_iter()
    }
}

impl<T> IntoIterator for ByColor<T> {
    type Item = T;
    type IntoIter = std::array::IntoIter<T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        [self.white, self.black].into_iter()
    }
}

impl<'a, T> IntoIterator for &'a ByColor<T> {
    type Item = &'a T;
    type IntoIter = std::array::IntoIter<&'a T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut ByColor<T> {
    type Item = &'a mut T;
    type IntoIter = std::array::IntoIter<&'a mut T, 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_roles_and_pieces_read_back() {
        for color in Color::ALL {
            assert_eq!(color.to_string().parse(), Ok(color));
            assert_eq!(color.name().parse(), Ok(color));
            assert_eq!(color.letter().to_string().parse(), Ok(color));
            for role in Role::ALL {
                assert_eq!(role.to_string().parse(), Ok(role));
                assert_eq!(role.letter().to_string().parse(), Ok(role));
                let piece = Piece::new(color, role);
                assert_eq!(piece.to_string().parse(), Ok(piece));
            }
        }
        assert_eq!("q".parse(), Ok(Piece::new(Color::Black, Role::Met)));
        assert!("W".parse::<Color>().is_err() && "".parse::<Color>().is_err());
        assert!("queen".parse::<Role>().is_err() && "".parse::<Piece>().is_err() && "KK".parse::<Piece>().is_err());
    }

    #[test]
    fn values_by_colour_come_white_first() {
        let mut moves = ByColor { white: 1, black: 2 };
        moves.iter_mut().for_each(|moves| *moves *= 10);
        assert_eq!(moves.into_iter().collect::<Vec<_>>(), [10, 20]);
        assert_eq!((&moves).into_iter().sum::<i32>(), 30);
        assert_eq!((moves[Color::Black], moves.swap()[Color::Black]), (20, 10));
    }
}
