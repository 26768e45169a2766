//! The context of a square's symbol: its class, and how the codes around it compare with the predictor.
//!
//! `FORMAT.md`, "An entry's code", defines every number of this module.

use crate::index::StripeFeatures;

/// The symbols of an entry: the candidate that its code is, or [`ESCAPE`].
pub(super) const SYMBOLS: usize = 24;
/// The code is none of the candidates and follows as a separate symbol.
pub(super) const ESCAPE: usize = SYMBOLS - 1;
/// The first symbol that stands for a step from the predictor: one more, one less, two more, ...
pub(super) const FIRST_STEP: usize = 5;

/// The largest difference between a code and the predictor that contexts tell apart, up or down.
const MAX_DIFFERENCE: i16 = 2;
pub(super) const DIFFERENCES: usize = 2 * MAX_DIFFERENCE as usize + 1;
/// The kinds of squares: attacked, defended, attacking, each or not.
pub(super) const KINDS: usize = 8;
/// The classes of squares.
const CLASSES: usize = 32;

/// The cases of the neighbours north-west and north-east: each the same as the northern neighbour or not.
pub(super) const CORNERS: usize = 4;
/// The errors of a code.
pub(super) const ERRORS: usize = 3;
/// The last factor of the third contexts by rank, without a reference.
pub(super) const RANK_GROUPS: [u16; 8] = [0, 1, 1, 2, 2, 2, 3, 3];

/// The contexts of each bucket of codes.
pub(super) const CONTEXTS: usize = CLASSES * DIFFERENCES * DIFFERENCES * CORNERS;
/// The second contexts: how north and west were predicted, and the difference of north-east.
pub(super) const SECOND_CONTEXTS: usize = ERRORS * ERRORS * DIFFERENCES;
/// The third contexts: what is farther away, or how predictor and reference differ.
pub(super) const THIRD_CONTEXTS: usize = DIFFERENCES * DIFFERENCES * 4;

/// A stripe's codes by the fast piece's square. The codes of squares that make no legal position are meaningless.
pub(crate) type StripeCodes = [u16; 64];

/// No code.
pub(super) const NONE: u16 = u16::MAX;

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// How far one code is above another, at most `most` up or down, plus `most`.
#[inline(always)]
pub(super) fn beyond(code: u16, other: u16, most: i16) -> u16 {
    ((code.wrapping_sub(other) as i16).clamp(-most, most) + most) as u16
}

/// A code's difference from the predictor, as contexts tell it apart: 0 to 4.
#[inline(always)]
pub(super) fn difference(code: u16, predictor: u16) -> u16 {
    beyond(code, predictor, MAX_DIFFERENCE)
}

/// How a code compares with its predictor: 0 the same, 1 above, 2 below.
#[inline(always)]
pub(super) fn error(code: u16, predictor: u16) -> u16 {
    let step = code.wrapping_sub(predictor) as i16;
    u16::from(step > 0) + 2 * u16::from(step < 0)
}

/// A context with a further digit, which is below `radix`.
#[inline(always)]
pub(super) fn with_digit(context: u16, radix: usize, digit: u16) -> u16 {
    (u32::from(context) * radix as u32 + u32::from(digit)) as u16
}

/// The class of a square without a reference: 4 times its kind, + 1 if the square below is of the same kind, + 2 if the
/// square to the left is. The kind is 1 if the square is attacked, + 2 if it is defended, + 4 if the fast piece attacks
/// from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(pub(super) u8);

impl Class {
    /// The kind of the square.
    #[inline(always)]
    pub(super) const fn kind(self) -> usize {
        self.0 as usize >> 2 & (KINDS - 1)
    }

    /// The number of the class, below [`CLASSES`].
    #[inline(always)]
    pub(super) fn number(self) -> u16 {
        u16::from(self.0)
    }

    /// The number of the class with a reference: whether its code was the same north and west, and whether a code was
    /// seen where it had the same low byte.
    #[inline(always)]
    pub(super) fn with_reference(self, same_north: bool, same_west: bool, seen: bool) -> u16 {
        let (is_attacked, is_attacking) = (self.number() >> 2 & 1, self.number() >> 4);
        let of_reference = u16::from(same_north) + 2 * u16::from(same_west) + 4 * u16::from(seen);
        4 * of_reference + is_attacked + 2 * is_attacking
    }
}

/// For each byte, its bits as the lowest bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The class of each square without a reference. If neighbours are not `compared`, only the kind in it is right.
#[inline(always)]
pub(super) fn classes(features: &StripeFeatures, compared: bool) -> [Class; 64] {
    let same = |shift: u32| {
        !((features.attacked ^ features.attacked << shift)
            | (features.defended ^ features.defended << shift)
            | (features.attacking ^ features.attacking << shift))
    };
    let (same_below, same_left) = if compared { (same(8) & !0xff, same(1) & !FILE_A) } else { (0, 0) };
    let bits = [same_below, same_left, features.attacked, features.defended, features.attacking];
    let mut classes = [Class(0); 64];
    for (rank, classes) in classes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let spread = |squares: u64| SPREAD[usize::from(squares.to_le_bytes()[rank])];
        let of_rank = bits.iter().rev().fold(0, |all, &squares| all << 1 | spread(squares));
        for (class, of) in classes.iter_mut().zip(of_rank.to_le_bytes()) {
            *class = Class(of);
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn classes_are_those_of_the_format(attacked: u64, defended: u64, attacking: u64) {
            let features = StripeFeatures { legal: !0, attacked, defended, attacking };
            let bit = |squares: u64, square: usize| (squares >> square & 1) as u8;
            let kind = |square| bit(attacked, square) + 2 * bit(defended, square) + 4 * bit(attacking, square);
            let (compared, alone) = (classes(&features, true), classes(&features, false));
            for square in 0..64 {
                let below = square >= 8 && kind(square - 8) == kind(square);
                let left = square % 8 > 0 && kind(square - 1) == kind(square);
                let class = 4 * kind(square) + u8::from(below) + 2 * u8::from(left);
                prop_assert_eq!(compared[square], Class(class));
                prop_assert_eq!(alone[square], Class(4 * kind(square)));
                for bits in 0..8 {
                    let [north, west, seen] = [0, 1, 2].map(|at| bits >> at & 1 != 0);
                    let class = 4 * bits + bit(attacked, square) + 2 * bit(attacking, square);
                    prop_assert_eq!(alone[square].with_reference(north, west, seen), u16::from(class));
                }
            }
        }
    }
}
