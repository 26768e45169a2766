//! The board's symmetries.

use crate::rules::Square;

/// Which symmetries a set's positions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All eight: no man in the set has a direction.
    EightFold,
    /// Left-right only: a khon knows forward from back.
    Mirror,
}

impl Symmetry {
    /// The transforms that leave the game as it is.
    pub fn transforms(self) -> impl Iterator<Item = Transform> {
        let count = match self {
            Symmetry::EightFold => 8,
            Symmetry::Mirror => 2,
        };
        (0..count).map(Transform)
    }
}

/// One of the eight ways to lay the board on itself: flip the files, then the ranks, then exchange files and ranks, each
/// or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transform(u8);

const FLIP_FILES: u8 = 1;
const FLIP_RANKS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Transform {
    /// Everything stays where it is.
    pub const IDENTITY: Transform = Transform(0);
    /// Files and ranks exchanged: a2 becomes b1.
    pub const DIAGONAL: Transform = Transform(TRANSPOSE);

    /// All eight.
    pub fn all() -> impl Iterator<Item = Transform> {
        Symmetry::EightFold.transforms()
    }

    /// Its number, 0 (the identity) to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Does everything stay where it is?
    pub const fn is_identity(self) -> bool {
        self.0 == 0
    }

    /// Where a square goes.
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

    /// Where every square of a set of squares goes.
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

    /// The transform that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Transform {
        if self.0 & TRANSPOSE == 0 {
            self
        } else {
            // Undoing turns the order round, and past the exchange a flip of files is one of ranks.
            Transform(TRANSPOSE | (self.0 & FLIP_FILES) << 1 | (self.0 & FLIP_RANKS) >> 1)
        }
    }

    /// First this one, then `next`.
    #[must_use]
    pub fn then(self, next: Transform) -> Transform {
        let (a1, b3) = (Square::new(0), Square::new(17));
        let both = |t: Transform| (t.square(a1), t.square(b3));
        Transform::all()
            .find(|&t| both(t) == (next.square(self.square(a1)), next.square(self.square(b3))))
            .expect("the eight transforms are closed under composition")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Bitboard, Color, Role, leaper_attacks};

    #[test]
    fn words_move_as_squares_do_and_come_back() {
        for t in Transform::all() {
            for square in Square::all() {
                let there = t.square(square);
                assert_eq!(t.bits(Bitboard::of(square).0), Bitboard::of(there).0);
                assert_eq!(t.inverse().square(there), square);
                for u in Transform::all() {
                    assert_eq!(t.then(u).square(square), u.square(there));
                }
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
        let khon: Vec<_> = Transform::all().filter(|&t| fits(t, Role::Khon)).collect();
        assert_eq!(khon, Symmetry::Mirror.transforms().collect::<Vec<_>>());
    }
}
