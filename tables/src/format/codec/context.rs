//! The prediction of a square's code from the codes before it, and the context of its symbol.
//!
//! `FORMAT.md`, "An entry's code", defines every number of this module.

use crate::index::StripeFeatures;

/// The symbols of an entry: the candidate that its code is, or [`ESCAPE`].
pub(super) const SYMBOLS: usize = 24;
/// The code is none of the candidates and follows as a separate symbol.
pub(super) const ESCAPE: usize = SYMBOLS - 1;
/// The first symbol that stands for a step from the predictor: one more, one less, two more, ...
pub(super) const FIRST_STEP: usize = 5;

/// The largest difference between a neighbour's code and the predictor that contexts tell apart, up or down.
pub(super) const MAX_DIFFERENCE: i16 = 2;
pub(super) const DIFFERENCES: usize = 2 * MAX_DIFFERENCE as usize + 1;
/// The kinds of squares: attacked, defended, attacking, each or not.
const KINDS: usize = 8;
/// The classes of squares, neighbours' codes left out.
const CLASSES: usize = 32;

/// The cases of the neighbours north-west and north-east: each the same as the northern neighbour or not.
pub(super) const CORNERS: usize = 4;

/// The contexts of each bucket of codes.
pub(super) const CONTEXTS: usize = CLASSES * DIFFERENCES * DIFFERENCES * CORNERS;
/// The second contexts: how north and west were predicted, and the difference of north-east.
pub(super) const SECOND_CONTEXTS: usize = 9 * DIFFERENCES;
/// The third contexts: what is farther away, or how predictor and reference differ.
pub(super) const THIRD_CONTEXTS: usize = DIFFERENCES * DIFFERENCES * 4;
/// The largest difference between predictor and reference that the third contexts tell apart, up or down.
pub(super) const MAX_REFERENCE_DIFFERENCE: i16 = 3;
/// The last factor of the third contexts by rank, without a reference.
pub(super) const RANK_GROUPS: [u8; 8] = [0, 1, 1, 2, 2, 2, 3, 3];

/// A stripe's codes by the fast piece's square. The codes of squares that make no legal position are meaningless.
pub(in crate::format) type StripeCodes = [u16; 64];

/// No code.
pub(super) const NONE: u16 = u16::MAX;

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The code, or another if there is none.
#[inline(always)]
const fn or(code: u16, other: u16) -> u16 {
    if code == NONE { other } else { code }
}

/// The class of a square: five bits, `FORMAT.md`'s *class*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8);

impl Class {
    /// Without a reference, bit 0: the square below is of the same kind.
    const SAME_KIND_BELOW: u32 = 0;
    /// Without a reference, bit 1: the square to the left is of the same kind.
    const SAME_KIND_LEFT: u32 = 1;
    /// Without a reference, bits 2 to 4: the kind.
    const KIND: u32 = 2;

    /// With a reference, bit 0: the square is attacked.
    const ATTACKED: u32 = 0;
    /// With a reference, bit 1: the fast piece attacks from the square.
    const ATTACKING: u32 = 1;
    /// With a reference, bit 2: the reference's code was the same on this file.
    const SAME_REFERENCE_NORTH: u32 = 2;
    /// With a reference, bit 3: the reference's code was the same on the file before.
    const SAME_REFERENCE_WEST: u32 = 3;
    /// With a reference, bit 4: a code was seen where the reference had the same low byte.
    const REFERENCE_SEEN: u32 = 4;

    /// The kind of a square from its class without a reference.
    #[inline(always)]
    pub(super) const fn kind(self) -> SquareKind {
        SquareKind(self.0 >> Class::KIND)
    }

    /// The class's number, below [`CLASSES`].
    #[inline(always)]
    pub(super) fn number(self) -> u16 {
        u16::from(self.0)
    }

    /// A class with a reference, with the bits for the reference's codes that were the same.
    #[inline(always)]
    pub(super) fn with_same_reference(self, north: bool, west: bool) -> Class {
        Class(self.0 | u8::from(north) << Class::SAME_REFERENCE_NORTH | u8::from(west) << Class::SAME_REFERENCE_WEST)
    }

    /// The class with a reference.
    #[inline(always)]
    pub(super) fn with_reference(kind: SquareKind, same_north: bool, same_west: bool, seen: bool) -> Class {
        Class(
            kind.is_attacked() << Class::ATTACKED
                | kind.is_attacking() << Class::ATTACKING
                | u8::from(same_north) << Class::SAME_REFERENCE_NORTH
                | u8::from(same_west) << Class::SAME_REFERENCE_WEST
                | u8::from(seen) << Class::REFERENCE_SEEN,
        )
    }
}

/// The kind of a square: bit 0 attacked, bit 1 defended, bit 2 attacking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SquareKind(u8);

impl SquareKind {
    #[inline(always)]
    const fn is_attacked(self) -> u8 {
        self.0 & 1
    }

    #[inline(always)]
    const fn is_attacking(self) -> u8 {
        self.0 >> 2 & 1
    }

    #[inline(always)]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A code's difference from the predictor, as contexts tell it apart: 0 to 4.
#[inline(always)]
fn difference(code: u16, predictor: u16) -> usize {
    let difference = code.wrapping_sub(predictor) as i16;
    (difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE) + MAX_DIFFERENCE) as usize
}

/// How a code compares with its predictor: 0 the same, 1 above, 2 below.
#[inline(always)]
fn error(code: u16, predictor: u16) -> u8 {
    let step = code.wrapping_sub(predictor) as i16;
    u8::from(step > 0) + 2 * u8::from(step < 0)
}

/// The contexts of a square's symbol, one for each of the model's tables: below [`CONTEXTS`], [`SECOND_CONTEXTS`] and
/// [`THIRD_CONTEXTS`]. The first is that within its bucket, which is the predictor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contexts(pub(super) [u16; 3]);

impl Contexts {
    #[inline(always)]
    fn first(class: Class, predictor: u16, neighbours: &Neighbours) -> u16 {
        let &Neighbours { north, west, north_west, north_east } = neighbours;
        let differences = (usize::from(class.0) * DIFFERENCES + difference(north, predictor)) * DIFFERENCES
            + difference(west, predictor);
        let corners = usize::from(north_west == north) + 2 * usize::from(north_east == north);
        (differences * CORNERS + corners) as u16
    }

    #[inline(always)]
    fn second(errors: [u8; 2], north_east: u16, predictor: u16) -> u16 {
        let errors = usize::from(errors[0]) * 3 + usize::from(errors[1]);
        (errors * DIFFERENCES + difference(north_east, predictor)) as u16
    }

    /// The third, without a reference.
    #[inline(always)]
    fn third(far_west: u16, far_north: u16, rank: usize, predictor: u16) -> u16 {
        let differences = difference(far_west, predictor) * DIFFERENCES + difference(far_north, predictor);
        (differences * 4 + usize::from(RANK_GROUPS[rank & 7])) as u16
    }

    /// The third, with a reference.
    #[inline(always)]
    fn third_with_reference(reference: u16, of_kind: u16, far_north: u16, predictor: u16) -> u16 {
        let most = MAX_REFERENCE_DIFFERENCE;
        let beyond = (predictor.wrapping_sub(reference) as i16).clamp(-most, most) + most;
        beyond as u16 * 9 + u16::from(error(of_kind, predictor)) * 3 + u16::from(error(far_north, predictor))
    }
}

/// The codes last seen around a square.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    north: u16,
    west: u16,
    north_west: u16,
    north_east: u16,
}

impl Neighbours {
    /// The neighbours and the predictor, each replaced by another of them where it is none, and by the mode where all
    /// are.
    #[inline(always)]
    fn filled(self, predictor: u16, mode: u16) -> (Neighbours, u16) {
        let north = or(or(or(self.north, self.west), predictor), mode);
        let filled = Neighbours {
            north,
            west: or(self.west, north),
            north_west: or(self.north_west, north),
            north_east: or(self.north_east, north),
        };
        (filled, or(predictor, north))
    }
}

/// The code that is as far from a reference as another code is from its own, 0 at least; none if there is no code.
#[inline(always)]
fn shifted(code: u16, from: u16, to: u16) -> u16 {
    let shifted = code.wrapping_add(to).wrapping_sub(from) as i16;
    if code == NONE { NONE } else { shifted.max(0) as u16 }
}

/// The candidates for a square's code, and the context of its symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The contexts.
    pub(super) contexts: Contexts,
    /// The code that is the likeliest by the kind of the square or by the reference.
    pub(super) predictor: u16,
    neighbours: Neighbours,
}

impl Prediction {
    /// The code that a symbol other than [`ESCAPE`] stands for. It may be beyond the list if the symbol was never
    /// written.
    #[inline(always)]
    pub(super) fn code(&self, symbol: usize, mode: u16) -> u16 {
        match symbol {
            0 => self.predictor,
            1 => self.neighbours.north,
            2 => self.neighbours.west,
            3 => self.neighbours.north_east,
            4 => mode,
            _ => {
                let step = (symbol - FIRST_STEP) as u16 / 2 + 1;
                if (symbol - FIRST_STEP).is_multiple_of(2) {
                    self.predictor.wrapping_add(step)
                } else {
                    self.predictor.wrapping_sub(step)
                }
            }
        }
    }

    /// The first symbol that stands for a code.
    #[cfg(test)]
    pub(super) fn symbol(&self, code: u16, mode: u16) -> usize {
        let Neighbours { north, west, north_east, .. } = self.neighbours;
        let candidates = [self.predictor, north, west, north_east, mode];
        let named = candidates.iter().rev().fold(0, |all, &candidate| all << 1 | u32::from(candidate == code));
        let step = code.wrapping_sub(self.predictor) as i16;
        let from_step = (FIRST_STEP + 2 * usize::from(step.unsigned_abs()) + usize::from(step < 0)).wrapping_sub(2);
        // Step 0 is the predictor, whose symbol comes first.
        let stepped = 1u32 << from_step.min(ESCAPE);
        (named | stepped | 1 << ESCAPE).trailing_zeros() as usize
    }
}

/// The codes last seen in a block: on each kind of square, and for each low byte of the reference's code.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    by_kind: [u16; KINDS],
    by_reference: [u16; 256],
}

impl History {
    /// The history at the beginning of a block.
    pub(super) const EMPTY: History = History { by_kind: [NONE; KINDS], by_reference: [NONE; 256] };

    /// Takes note of a code on a square of a kind; returns the one before.
    #[inline(always)]
    pub(super) fn see(&mut self, kind: SquareKind, code: u16) -> u16 {
        std::mem::replace(&mut self.by_kind[kind.index()], code)
    }

    /// Takes note of a code where the reference has this one; returns the one before.
    #[inline(always)]
    pub(super) fn see_reference(&mut self, reference: u16, code: u16) -> u16 {
        std::mem::replace(&mut self.by_reference[usize::from(reference & 0xff)], code)
    }
}

/// The codes last seen in a stripe on each kind of square, by file: on the file or those beside it. Files are counted
/// from 1.
#[derive(Debug)]
pub(super) struct NearKinds([[u16; KINDS]; 10]);

impl NearKinds {
    /// Those at the beginning of a stripe.
    pub(super) const NONE: NearKinds = NearKinds([[NONE; KINDS]; 10]);

    /// The code last seen near a square.
    #[inline(always)]
    fn of(&self, square: usize, kind: SquareKind) -> u16 {
        self.0[(square & 7) + 1][kind.index()]
    }

    /// Takes note of a code on a square of a kind; returns the one before.
    #[inline(always)]
    pub(super) fn see(&mut self, square: usize, kind: SquareKind, code: u16) -> u16 {
        let file = (square & 7) + 1;
        let before = self.0[file][kind.index()];
        for near in &mut self.0[file - 1..file + 2] {
            near[kind.index()] = code;
        }
        before
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
fn classes(features: &StripeFeatures, compared: bool) -> [Class; 64] {
    const { assert!(Class::SAME_KIND_BELOW == 0 && Class::SAME_KIND_LEFT == 1 && Class::KIND == 2) };
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

/// A stripe whose codes are predicted one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct PredictedStripe<'a> {
    pub(super) features: &'a StripeFeatures,
    /// The squares whose codes are predicted, as bits: the legal ones or the first of them.
    pub(super) squares: u64,
    /// The side's most frequent code.
    pub(super) mode: u16,
    /// The codes of the same stripe in the table that this one refers to.
    pub(super) reference: Option<&'a StripeCodes>,
    /// Whether the neighbours' codes are moved by the difference of their reference from the square's.
    pub(super) is_moved: bool,
}

/// The last code on each file, and the one before it. Places are files counted from 2, and none is beside the board.
struct LastSeen([u16; 32]);

impl LastSeen {
    const NONE: LastSeen = LastSeen([NONE; 32]);
    /// The place of the code before the last is so far after that of the last.
    const BEFORE: usize = 16;

    #[inline(always)]
    fn at(&self, place: usize) -> u16 {
        self.0[place & 31]
    }

    /// Takes note of a code.
    #[inline(always)]
    fn see(&mut self, place: usize, code: u16) {
        self.0[(place + LastSeen::BEFORE) & 31] = std::mem::replace(&mut self.0[place & 15], code);
    }
}

impl PredictedStripe<'_> {
    /// The class of each square. With a reference, only the kind in it is right.
    #[inline(always)]
    pub(super) fn classes(&self) -> [Class; 64] {
        classes(self.features, self.reference.is_none())
    }

    /// Calls `code` with each square, in ascending order, and its prediction. `code` returns the square's code, which
    /// later predictions use. The constants are whether there is a reference, and [`PredictedStripe::is_moved`].
    #[inline(always)]
    pub(super) fn run<const HAS_REFERENCE: bool, const IS_MOVED: bool>(
        &self,
        history: &mut History,
        mut code: impl FnMut(usize, &Prediction) -> u16,
    ) {
        let reference = if HAS_REFERENCE { self.reference } else { None };
        let classes = classes(self.features, reference.is_none());
        let (mut seen, mut reference_seen) = (LastSeen::NONE, LastSeen::NONE);
        // How the last code of each file was predicted.
        let mut errors = [0; 16];
        let mut near = NearKinds::NONE;
        let mut rest = self.squares;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize & 63;
            rest &= rest - 1;
            let place = (square & 7) + 2;
            // If the square to the west has a code, it is the last of its file, and the one before is of a lower rank.
            // If the square below has a code, it is the last of this file, and the one before is from below that.
            let before = |back: u32| (self.squares << back >> square & 1) as usize * LastSeen::BEFORE;
            let kind = classes[square].kind();
            let of_kind = history.by_kind[kind.index()];
            let here = reference.map_or(0, |reference| reference[square]);
            let at = |place| match IS_MOVED {
                true => shifted(seen.at(place), reference_seen.at(place), here),
                false => seen.at(place),
            };
            let (north, west) = (at(place), at(place - 1));
            let neighbours =
                Neighbours { north, west, north_west: at(place - 1 + before(1)), north_east: at(place + 1) };
            let far_north = at(place + before(8));
            let (predictor, class) = match reference {
                None => (or(near.of(square, kind), of_kind), classes[square]),
                Some(_) => {
                    let same_north = reference_seen.at(place) == here;
                    let same_west = reference_seen.at(place - 1) == here;
                    let by_reference = history.by_reference[usize::from(here & 0xff)];
                    let class = Class::with_reference(kind, same_north, same_west, by_reference != NONE);
                    // The first code of most lists is the draw, from which nothing is far or near.
                    let beside = |place, moved| if IS_MOVED && seen.at(place) != 0 { moved } else { NONE };
                    let beside = or(beside(place, north), beside(place - 1, west));
                    (or(or(by_reference, beside), of_kind), class)
                }
            };
            let (neighbours, predictor) = neighbours.filled(predictor, self.mode);
            let far_north = or(far_north, neighbours.north);
            let contexts = Contexts([
                Contexts::first(class, predictor, &neighbours),
                Contexts::second([errors[place], errors[place - 1]], neighbours.north_east, predictor),
                match reference {
                    None => {
                        let far_west = or(seen.at(place - 2), neighbours.west);
                        Contexts::third(far_west, far_north, square >> 3, predictor)
                    }
                    Some(_) => Contexts::third_with_reference(here, or(of_kind, predictor), far_north, predictor),
                },
            ]);
            let found = code(square, &Prediction { contexts, predictor, neighbours });
            seen.see(place, found);
            errors[place] = error(found, predictor);
            history.by_kind[kind.index()] = found;
            match reference {
                None => _ = near.see(square, kind, found),
                Some(_) => {
                    reference_seen.see(place, here);
                    _ = history.see_reference(here, found);
                }
            }
        }
    }
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
                    prop_assert_eq!(Class::with_reference(SquareKind(kind(square)), north, west, seen), Class(class));
                }
            }
        }

        #[test]
        fn contexts_are_those_of_the_format(class in 0u8..32, predictor in 0u16..2048, near in prop::array::uniform4(0u16..2048)) {
            let d = |code: u16| (i64::from(code) - i64::from(predictor)).clamp(-2, 2) + 2;
            let e = |code: u16| i64::from(code > predictor) + 2 * i64::from(code < predictor);
            for [north, west, north_west, north_east] in [near, [near[0]; 4], [near[0], near[1], near[0], near[3]]] {
                let first = Contexts::first(Class(class), predictor, &Neighbours { north, west, north_west, north_east });
                let corners = i64::from(north_west == north) + 2 * i64::from(north_east == north);
                prop_assert_eq!(i64::from(first), ((i64::from(class) * 5 + d(north)) * 5 + d(west)) * 4 + corners);
                prop_assert!(usize::from(first) < CONTEXTS);
                let errors = [error(north, predictor), error(west, predictor)];
                let second = Contexts::second(errors, north_east, predictor);
                prop_assert_eq!(i64::from(second), (3 * e(north) + e(west)) * 5 + d(north_east));
                prop_assert!(usize::from(second) < SECOND_CONTEXTS);
                for rank in 0..8 {
                    let third = Contexts::third(west, north, rank, predictor);
                    let group = [1, 3, 6].iter().filter(|&&first| rank >= first).count() as i64;
                    prop_assert_eq!(i64::from(third), (5 * d(west) + d(north)) * 4 + group);
                    prop_assert!(usize::from(third) < THIRD_CONTEXTS);
                }
                let third = Contexts::third_with_reference(north_west, west, north, predictor);
                let beyond = (i64::from(predictor) - i64::from(north_west)).clamp(-3, 3) + 3;
                prop_assert_eq!(i64::from(third), (3 * beyond + e(west)) * 3 + e(north));
                prop_assert!(usize::from(third) < THIRD_CONTEXTS);
            }
        }

        #[test]
        fn a_symbol_stands_for_the_code_that_it_was_chosen_for(
            predictor in 0u16..2048, near in prop::array::uniform3(-3i16..=3), mode in 0u16..2048, code in 0u16..2048,
        ) {
            let [north, west, north_east] = near.map(|near| predictor.wrapping_add_signed(near));
            let neighbours = Neighbours { north, west, north_west: 0, north_east };
            let prediction = Prediction { contexts: Contexts([0; 3]), predictor, neighbours };
            for code in [code, predictor, north, west, north_east, mode, predictor.wrapping_add(9), predictor.wrapping_sub(9)] {
                let symbol = prediction.symbol(code, mode);
                prop_assert!(symbol == ESCAPE || prediction.code(symbol, mode) == code);
                prop_assert!((0..symbol).all(|earlier| prediction.code(earlier, mode) != code));
            }
        }
    }

    #[test]
    fn missing_neighbours_are_filled_in_the_formats_order() {
        let filled = |north, west, north_west, north_east, predictor| {
            let (found, predictor) = Neighbours { north, west, north_west, north_east }.filled(predictor, 9);
            [found.north, found.west, found.north_west, found.north_east, predictor]
        };
        assert_eq!(filled(NONE, NONE, NONE, NONE, NONE), [9, 9, 9, 9, 9]);
        assert_eq!(filled(NONE, NONE, NONE, NONE, 4), [4, 4, 4, 4, 4]);
        assert_eq!(filled(NONE, 2, NONE, NONE, 4), [2, 2, 2, 2, 4]);
        assert_eq!(filled(1, NONE, 5, 3, NONE), [1, 1, 5, 3, 1]);
        assert_eq!(filled(1, 2, 5, 3, 4), [1, 2, 5, 3, 4]);
    }

    #[test]
    fn a_code_is_as_far_from_its_reference_as_that_beside_it() {
        assert_eq!(shifted(7, 20, 25), 12);
        assert_eq!(shifted(7, 20, 12), 0);
        assert_eq!(shifted(NONE, NONE, 12), NONE);
    }
}
