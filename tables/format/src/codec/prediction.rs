//! The prediction of a square's code from the codes that were seen before it.
//!
//! `FORMAT.md`, "An entry's code", defines it. A reader predicts square by square. A writer, who knows all codes,
//! predicts a rank at a time in loops of fixed length, in which [`Prediction::new`] becomes vector instructions.

use super::context::{
    CORNERS, Class, DIFFERENCES, ERRORS, ESCAPE, FIRST_STEP, NONE, RANK_GROUPS, beyond, difference, error, with_digit,
};
use super::seen::{Likely, Neighbours};

/// The largest difference between predictor and reference that the third contexts tell apart, up or down.
const MAX_REFERENCE_DIFFERENCE: i16 = 3;

/// The code, or another if there is none.
#[inline(always)]
const fn or(code: u16, other: u16) -> u16 {
    if code == NONE { other } else { code }
}

/// The code that is as far from a reference as another code is from its own, 0 at least; none if there is no code.
#[inline(always)]
fn moved(code: u16, from: u16, to: u16) -> u16 {
    let moved = code.wrapping_add(to).wrapping_sub(from) as i16;
    if code == NONE { NONE } else { moved.max(0) as u16 }
}

impl Neighbours {
    /// The neighbours, moved by the difference of their references from that of the square.
    #[inline(always)]
    fn moved(self, references: Neighbours, here: u16) -> Neighbours {
        Neighbours {
            north: moved(self.north, references.north, here),
            west: moved(self.west, references.west, here),
            north_west: moved(self.north_west, references.north_west, here),
            north_east: moved(self.north_east, references.north_east, here),
            far_north: moved(self.far_north, references.far_north, here),
            far_west: self.far_west,
        }
    }
}

/// A square's surroundings, which are known before its code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    pub(super) rank: usize,
    pub(super) class: Class,
    pub(super) likely: Likely,
    pub(super) seen: Neighbours,
    /// The reference's code, if there is a reference.
    pub(super) here: u16,
    /// The reference's codes where the neighbours are, if there is a reference.
    pub(super) references: Neighbours,
}

/// The contexts of a square's symbol, one for each of the model's tables. The first is that within its bucket, which is
/// the predictor's.
pub(super) type Contexts = [u16; 3];

/// The candidates for a square's code, and the contexts of its symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The contexts, the codes north and west being as predicted.
    contexts: Contexts,
    /// The code that is the likeliest by the kind of the square or by the reference.
    pub(super) predictor: u16,
    north: u16,
    west: u16,
    north_east: u16,
    mode: u16,
}

impl Prediction {
    /// The prediction by what is known of a square and by the side's most frequent code. The constants are whether
    /// there is a reference, and whether neighbours are moved with it.
    #[inline(always)]
    pub(super) fn new<const HAS_REFERENCE: bool, const IS_MOVED: bool>(around: &Surroundings, mode: u16) -> Prediction {
        let &Surroundings { rank, class, likely, seen, here, references } = around;
        let near = if IS_MOVED { seen.moved(references, here) } else { seen };
        // The first code of most lists is the draw, from which nothing is far or near.
        let beside = |code, moved| if IS_MOVED && code != 0 { moved } else { NONE };
        let beside = or(beside(seen.north, near.north), beside(seen.west, near.west));
        let predictor = or(or(likely.first, beside), likely.of_kind);
        let north = or(or(or(near.north, near.west), predictor), mode);
        let (west, predictor) = (or(near.west, north), or(predictor, north));
        let (north_west, north_east) = (or(near.north_west, north), or(near.north_east, north));
        let far_north = or(near.far_north, north);
        let class = match HAS_REFERENCE {
            true => class.with_reference(references.north == here, references.west == here, likely.first != NONE),
            false => class.number(),
        };
        let first = with_digit(class, DIFFERENCES, difference(north, predictor));
        let first = with_digit(first, DIFFERENCES, difference(west, predictor));
        let first = with_digit(first, CORNERS, u16::from(north_west == north) + 2 * u16::from(north_east == north));
        let third = if HAS_REFERENCE {
            let third = beyond(predictor, here, MAX_REFERENCE_DIFFERENCE);
            let third = with_digit(third, ERRORS, error(or(likely.of_kind, predictor), predictor));
            with_digit(third, ERRORS, error(far_north, predictor))
        } else {
            let third = difference(or(near.far_west, west), predictor);
            let third = with_digit(third, DIFFERENCES, difference(far_north, predictor));
            with_digit(third, 4, RANK_GROUPS[rank & 7])
        };
        let contexts = [first, difference(north_east, predictor), third];
        Prediction { contexts, predictor, north, west, north_east, mode }
    }

    /// The contexts, given the errors of the codes north and west.
    #[inline(always)]
    pub(super) fn contexts(&self, errors: [u16; 2]) -> Contexts {
        let [first, second, third] = self.contexts;
        [first, second + second_context(errors), third]
    }

    /// The code that a symbol other than [`ESCAPE`] stands for. It may be beyond the list if the symbol was never
    /// written.
    #[inline(always)]
    pub(super) fn code(&self, symbol: usize) -> u16 {
        match symbol {
            0 => self.predictor,
            1 => self.north,
            2 => self.west,
            3 => self.north_east,
            4 => self.mode,
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
    #[inline(always)]
    pub(super) fn symbol(&self, code: u16) -> u16 {
        let step = code.wrapping_sub(self.predictor) as i16;
        let steps = step.wrapping_abs().wrapping_mul(2).wrapping_add(i16::from(step < 0));
        let symbol = (FIRST_STEP as i16 - 2).wrapping_add(steps).min(ESCAPE as i16) as u16;
        let symbol = if code == self.mode { 4 } else { symbol };
        let symbol = if code == self.north_east { 3 } else { symbol };
        let symbol = if code == self.west { 2 } else { symbol };
        let symbol = if code == self.north { 1 } else { symbol };
        if code == self.predictor { 0 } else { symbol }
    }
}

/// The part of the second context that depends on the errors of the codes north and west.
#[inline(always)]
pub(super) fn second_context([north, west]: [u16; 2]) -> u16 {
    with_digit(north, ERRORS, west).wrapping_mul(DIFFERENCES as u16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::context::{CONTEXTS, SECOND_CONTEXTS, THIRD_CONTEXTS};
    use super::*;

    /// Codes near to each other, or none.
    fn some_code() -> impl Strategy<Value = u16> {
        prop_oneof![1 => Just(NONE), 2 => Just(0u16), 5 => 0u16..9, 2 => 0u16..2048]
    }

    /// Codes around a square, and the reference's there: it has codes where there are codes.
    fn neighbours() -> impl Strategy<Value = [Neighbours; 2]> {
        let both = (some_code(), 0u16..512).prop_map(|(code, there)| [code, if code == NONE { NONE } else { there }]);
        prop::array::uniform6(both).prop_map(|around| {
            [0, 1].map(|of| {
                let [north, west, north_west, north_east, far_north, far_west] = around.map(|both| both[of]);
                Neighbours { north, west, north_west, north_east, far_north, far_west }
            })
        })
    }

    /// The first code of some; `None` if there is none.
    fn first_of(codes: &[Option<i64>]) -> Option<i64> {
        codes.iter().flatten().next().copied()
    }

    /// The prediction as `FORMAT.md` has it: predictor, north, west, north-east, contexts.
    fn by_format(
        around: &Surroundings,
        mode: u16,
        errors: [u16; 2],
        refers: bool,
        is_moved: bool,
    ) -> ([i64; 4], [i64; 3]) {
        let some = |code: u16| (code != NONE).then_some(i64::from(code));
        let here = i64::from(around.here);
        let near = |code: fn(&Neighbours) -> u16| {
            let code_there = some(code(&around.seen))?;
            let moved = code_there + here - i64::from(code(&around.references));
            Some(if is_moved { moved.max(0) } else { code_there })
        };
        let beside = |code: fn(&Neighbours) -> u16| near(code).filter(|_| is_moved && code(&around.seen) != 0);
        let [seen, of_kind] = [around.likely.first, around.likely.of_kind].map(some);
        let predictor = first_of(&[seen, beside(|near| near.north), beside(|near| near.west), of_kind]);
        let north = first_of(&[near(|near| near.north), near(|near| near.west), predictor, some(mode)]).unwrap();
        let predictor = predictor.unwrap_or(north);
        let or_north = |code| near(code).unwrap_or(north);
        let (west, north_east) = (or_north(|near| near.west), or_north(|near| near.north_east));
        let (north_west, far_north) = (or_north(|near| near.north_west), or_north(|near| near.far_north));
        let d = |code: i64| (code - predictor).clamp(-2, 2) + 2;
        let e = |code: i64| i64::from(code > predictor) + 2 * i64::from(code < predictor);
        let kind = around.class.kind() as i64;
        let [same_north, same_west] =
            [around.references.north, around.references.west].map(|code| i64::from(code == around.here));
        let class = match refers {
            true => 4 * (same_north + 2 * same_west + 4 * i64::from(seen.is_some())) + (kind & 1) + 2 * (kind >> 2),
            false => i64::from(around.class.number()),
        };
        let group = [1, 3, 6].iter().filter(|&&first| around.rank >= first).count() as i64;
        let far_west = some(around.seen.far_west).unwrap_or(west);
        let contexts = [
            ((class * 5 + d(north)) * 5 + d(west)) * 4
                + i64::from(north_west == north)
                + 2 * i64::from(north_east == north),
            (i64::from(errors[0]) * 3 + i64::from(errors[1])) * 5 + d(north_east),
            match refers {
                true => ((predictor - here).clamp(-3, 3) + 3) * 9 + e(of_kind.unwrap_or(predictor)) * 3 + e(far_north),
                false => (d(far_west) * 5 + d(far_north)) * 4 + group,
            },
        ];
        ([predictor, north, west, north_east], contexts)
    }

    proptest! {
        #[test]
        fn predictions_are_those_of_the_format(
            (rank, class, mode, here) in (0usize..8, 0u8..32, 0u16..9, 0u16..300),
            (first, of_kind) in (some_code(), some_code()),
            [seen, references] in neighbours(),
            errors in prop::array::uniform2(0u16..3),
        ) {
            let likely = Likely { first, of_kind };
            let around = Surroundings { rank, class: Class(class), likely, seen, here, references };
            for (refers, is_moved) in [(false, false), (true, false), (true, true)] {
                let found = match (refers, is_moved) {
                    (false, _) => Prediction::new::<false, false>(&around, mode),
                    (true, false) => Prediction::new::<true, false>(&around, mode),
                    (true, true) => Prediction::new::<true, true>(&around, mode),
                };
                let (candidates, contexts) = by_format(&around, mode, errors, refers, is_moved);
                prop_assert_eq!([found.predictor, found.north, found.west, found.north_east].map(i64::from), candidates);
                prop_assert_eq!(found.contexts(errors).map(i64::from), contexts);
                for (context, most) in contexts.into_iter().zip([CONTEXTS, SECOND_CONTEXTS, THIRD_CONTEXTS]) {
                    prop_assert!((0..most as i64).contains(&context));
                }
            }
        }

        #[test]
        fn a_symbol_stands_for_the_code_that_it_was_chosen_for(
            predictor in 0u16..2048, near in prop::array::uniform3(-3i16..=3), mode in 0u16..2048, code in 0u16..2048,
        ) {
            let [north, west, north_east] = near.map(|near| predictor.wrapping_add_signed(near));
            let prediction = Prediction { contexts: [0; 3], predictor, north, west, north_east, mode };
            let beyond = [predictor.wrapping_add(9), predictor.wrapping_sub(9), predictor.wrapping_add(10)];
            for code in [code, predictor, north, west, north_east, mode].into_iter().chain(beyond) {
                let symbol = usize::from(prediction.symbol(code));
                prop_assert!(symbol == ESCAPE || prediction.code(symbol) == code);
                prop_assert!((0..symbol).all(|earlier| prediction.code(earlier) != code));
            }
        }
    }
}
