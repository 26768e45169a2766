//! The colours of a position against those of its material's canonical name.

use makruk_rules::{Color, Piece, Square};

/// The relation between the colours of a board and those of its material's canonical name. A material and its
/// colour-flipped form share one table, so a position is converted to the canonical colours before it is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// White is the first side of the name.
    #[default]
    Canonical,
    /// Black is the first side of the name: colours are exchanged and ranks are flipped.
    ColorFlipped,
}

impl Orientation {
    /// Whether colours are exchanged and ranks flipped.
    #[inline]
    pub(crate) const fn is_flipped(self) -> bool {
        matches!(self, Orientation::ColorFlipped)
    }

    /// The colour under this orientation. The map is its own inverse.
    #[inline]
    pub fn color(self, color: Color) -> Color {
        if self.is_flipped() { !color } else { color }
    }

    /// The square under this orientation. The map is its own inverse.
    #[inline]
    pub(crate) fn square(self, square: Square) -> Square {
        if self.is_flipped() { square.flip_rank() } else { square }
    }

    /// A set of squares, as bits, under this orientation. The map is its own inverse.
    #[inline]
    pub(crate) const fn bits(self, squares: u64) -> u64 {
        if self.is_flipped() { squares.swap_bytes() } else { squares }
    }

    /// The piece under this orientation. The map is its own inverse.
    #[inline]
    pub(crate) fn piece(self, piece: Piece) -> Piece {
        if self.is_flipped() { piece.color_flipped() } else { piece }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use makruk_rules::Role;

    #[test]
    fn every_map_is_its_own_inverse() {
        for orientation in [Orientation::Canonical, Orientation::ColorFlipped] {
            for color in Color::ALL {
                assert_eq!(orientation.color(orientation.color(color)), color);
                assert_eq!(orientation.color(color) != color, orientation.is_flipped());
                for role in Role::ALL {
                    let piece = Piece::new(color, role);
                    assert_eq!(orientation.piece(orientation.piece(piece)), piece);
                    assert_eq!(orientation.piece(piece).color, orientation.color(color));
                }
            }
            for square in Square::all() {
                assert_eq!(orientation.square(orientation.square(square)), square);
            }
        }
    }
}
