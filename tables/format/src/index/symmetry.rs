//! The board's symmetries.

use crate::material::Material;
use makruk_rules::Square;

/// The symmetries of a material's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All eight: no piece of the material has a direction.
    EightFold,
    /// Left-right only: a khon or a pawn has a direction.
    Mirror,
}

impl Symmetry {
    /// The symmetry of a material's positions.
    pub fn of(material: Material) -> Symmetry {
        if material.is_directed() { Symmetry::Mirror } else { Symmetry::EightFold }
    }

    /// The transforms that do not change the game.
    pub fn transforms(self) -> impl Iterator<Item = Transform> {
        let count = match self {
            Symmetry::EightFold => 8,
            Symmetry::Mirror => 2,
        };
        (0..count).map(Transform)
    }
}

/// One of the eight maps of the board onto itself: the files flipped or not, then the ranks flipped or not, then files
/// and ranks exchanged or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transform(u8);

const FLIP_FILES: u8 = 1;
const FLIP_RANKS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Transform {
    /// The map of every square to itself.
    pub const IDENTITY: Transform = Transform(0);
    /// Files and ranks are exchanged: a2 becomes b1.
    pub const DIAGONAL: Transform = Transform(TRANSPOSE);

    /// All eight transforms.
    pub fn all() -> impl Iterator<Item = Transform> {
        Symmetry::EightFold.transforms()
    }

    /// The transform's number, 0 (the identity) to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The image of a square.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        let mut number = square.number();
        if self.0 & FLIP_FILES != 0 {
            number ^= 7;
        }
        if self.0 & FLIP_RANKS != 0 {
            number ^= 56;
        }
        if self.0 & TRANSPOSE != 0 {
            number = (number & 7) << 3 | number >> 3;
        }
        Square::new(number)
    }

    /// The image of a set of squares, as bits.
    #[inline(always)]
    pub const fn bits(self, mut bits: u64) -> u64 {
        if self.0 & FLIP_FILES != 0 {
            bits = (bits >> 1 & 0x5555_5555_5555_5555) | (bits & 0x5555_5555_5555_5555) << 1;
            bits = (bits >> 2 & 0x3333_3333_3333_3333) | (bits & 0x3333_3333_3333_3333) << 2;
            bits = (bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (bits & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        }
        if self.0 & FLIP_RANKS != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & TRANSPOSE != 0 {
            let mut swap = 0x0f0f_0f0f_0000_0000 & (bits ^ bits << 28);
            bits ^= swap ^ swap >> 28;
            swap = 0x3333_0000_3333_0000 & (bits ^ bits << 14);
            bits ^= swap ^ swap >> 14;
            swap = 0x5500_5500_5500_5500 & (bits ^ bits << 7);
            bits ^= swap ^ swap >> 7;
        }
        bits
    }

    /// The inverse transform.
    #[must_use]
    pub const fn inverse(self) -> Transform {
        if self.0 & TRANSPOSE == 0 {
            self
        } else {
            // The inverse applies the steps in reverse, and before the exchange a flip of files is one of ranks.
            Transform(TRANSPOSE | (self.0 & FLIP_FILES) << 1 | (self.0 & FLIP_RANKS) >> 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use makruk_rules::{Bitboard, Color, Role, leaper_attacks};

    #[test]
    fn words_move_as_squares_do_and_come_back() {
        for t in Transform::all() {
            for square in Square::all() {
                let there = t.square(square);
                assert_eq!(t.bits(Bitboard::of(square).0), Bitboard::of(there).0);
                assert_eq!(t.inverse().square(there), square);
            }
        }
    }

    #[test]
    fn men_move_the_same_way_after_a_symmetry() {
        let fits = |t: Transform, role| {
            Square::all().all(|from| {
                let attacked = leaper_attacks(Color::White, role, from);
                t.bits(attacked.0) == leaper_attacks(Color::White, role, t.square(from)).0
            })
        };
        for role in [Role::King, Role::Rook, Role::Knight, Role::Met] {
            assert!(Symmetry::EightFold.transforms().all(|t| fits(t, role)));
        }
        for role in [Role::Khon, Role::Pawn] {
            let found: Vec<_> = Transform::all().filter(|&t| fits(t, role)).collect();
            assert_eq!(found, Symmetry::Mirror.transforms().collect::<Vec<_>>());
        }
        assert!(Role::ALL.into_iter().all(|role| role.is_directed() == [Role::Khon, Role::Pawn].contains(&role)));
    }
}
