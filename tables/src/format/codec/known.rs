//! The symbols of a stripe whose codes are all known, for writers.
//!
//! [`PredictedStripe::run`] goes from square to square, because a reader knows a code only when those before it are
//! decoded. A writer knows all codes, so that only the codes last seen on squares of a kind have to be found one after
//! the other. The rest is done for eight squares at a time, in loops of fixed length that become vector instructions.

use super::context::{
    CORNERS, Class, Contexts, DIFFERENCES, ESCAPE, FIRST_STEP, History, MAX_DIFFERENCE, MAX_REFERENCE_DIFFERENCE, NONE,
    NearKinds, PredictedStripe, RANK_GROUPS, StripeCodes,
};

/// The squares of a rank.
const RANK: usize = 8;

/// The symbols of a stripe's entries, by square; what stands for squares that have no entry means nothing. A writer
/// keeps it for the next stripe, since copying it would take as long as finding the symbols.
#[derive(Debug)]
pub(super) struct StripeSymbols {
    /// The code last seen on a square of the same kind, or its substitute.
    pub(super) predictors: StripeCodes,
    /// The contexts for each of the model's tables, as [`Contexts`] has them.
    pub(super) contexts: [StripeCodes; 3],
    /// The symbols.
    pub(super) symbols: StripeCodes,
    seen: LastOnFile,
    seen_reference: LastOnFile,
    /// How codes were predicted: 0 the same, 1 above, 2 below.
    errors: LastOnFile,
}

impl StripeSymbols {
    /// Room for the symbols of a stripe.
    pub(super) const EMPTY: StripeSymbols = StripeSymbols {
        predictors: [0; 64],
        contexts: [[0; 64]; 3],
        symbols: [0; 64],
        seen: LastOnFile::NONE,
        seen_reference: LastOnFile::NONE,
        errors: LastOnFile::NONE,
    };

    /// The contexts of a square's symbol.
    #[inline(always)]
    pub(super) fn contexts(&self, square: usize) -> Contexts {
        let [first, second, third] = &self.contexts;
        Contexts([first[square], second[square], third[square]])
    }

    /// Finds the symbols of a stripe with these codes, zeros where it has no entry.
    #[inline]
    pub(super) fn find(&mut self, stripe: &PredictedStripe<'_>, codes: &StripeCodes, history: &mut History) {
        match (stripe.reference, stripe.is_moved) {
            (None, _) => self.find_as::<false, false>(stripe, codes, &[0; 64], history),
            (Some(reference), false) => self.find_as::<true, false>(stripe, codes, reference, history),
            (Some(reference), true) => self.find_as::<true, true>(stripe, codes, reference, history),
        }
    }

    /// [`StripeSymbols::find`], compiled for each case: a loop that asks for the case in each step has no vectors.
    fn find_as<const HAS_REFERENCE: bool, const IS_MOVED: bool>(
        &mut self,
        stripe: &PredictedStripe<'_>,
        codes: &StripeCodes,
        reference: &StripeCodes,
        history: &mut History,
    ) {
        let StripeSymbols { predictors, contexts: [first, second, third], symbols, seen, seen_reference, errors } =
            self;
        let mut classes = stripe.classes();
        *predictors = [NONE; 64];
        // The codes last seen on squares of the kind, with a reference.
        let mut of_kinds = [NONE; 64];
        let mut near = NearKinds::NONE;
        let mut rest = stripe.squares;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize & 63;
            rest &= rest - 1;
            let kind = classes[square].kind();
            let code = codes[square];
            let of_kind = history.see(kind, code);
            if HAS_REFERENCE {
                let seen = history.see_reference(reference[square], code);
                classes[square] = Class::with_reference(kind, false, false, seen != NONE);
                (predictors[square], of_kinds[square]) = (seen, of_kind);
            } else {
                let near = near.see(square, kind, code);
                predictors[square] = if near == NONE { of_kind } else { near };
            }
        }
        seen.find(stripe.squares, codes);
        if HAS_REFERENCE {
            seen_reference.find(stripe.squares, reference);
            for square in 0..64 {
                let here = reference[square];
                let (north, west) = (seen_reference.north(square) == here, seen_reference.west(square) == here);
                classes[square] = classes[square].with_same_reference(north, west);
            }
        }
        let mode = stripe.mode;
        let mut steps = [0; 64];
        for square in 0..64 {
            let code = codes[square];
            let (mut north, mut west) = (seen.north(square), seen.west(square));
            let (mut north_west, mut north_east) = (seen.north_west(square), seen.north_east(square));
            let mut far_north = seen.far_north(square);
            let mut predictor = predictors[square];
            if IS_MOVED {
                let here = reference[square];
                let drawn = (same(north, 0), same(west, 0));
                north = shifted(north, seen_reference.north(square), here);
                west = shifted(west, seen_reference.west(square), here);
                north_west = shifted(north_west, seen_reference.north_west(square), here);
                north_east = shifted(north_east, seen_reference.north_east(square), here);
                far_north = shifted(far_north, seen_reference.far_north(square), here);
                predictor = or(predictor, or(north | drawn.0, west | drawn.1));
            }
            let predictor = if HAS_REFERENCE { or(predictor, of_kinds[square]) } else { predictor };
            let north = or(or(or(north, west), predictor), mode);
            let (west, north_west, north_east) = (or(west, north), or(north_west, north), or(north_east, north));
            let predictor = or(predictor, north);
            let step = code.wrapping_sub(predictor) as i16;
            let step_symbol = step.wrapping_abs().wrapping_mul(2).wrapping_sub(step >> 15);
            let symbol = (FIRST_STEP as i16 - 2).wrapping_add(step_symbol).min(ESCAPE as i16) as u16;
            let symbol = choose(same(code, mode), 4, symbol);
            let symbol = choose(same(code, north_east), 3, symbol);
            let symbol = choose(same(code, west), 2, symbol);
            let symbol = choose(same(code, north), 1, symbol);
            symbols[square] = choose(same(code, predictor), 0, symbol);
            predictors[square] = predictor;
            steps[square] = error(code, predictor);
            let class = classes[square].number();
            let context = class.wrapping_mul(DIFFERENCES as u16).wrapping_add(difference(north, predictor));
            let context = context.wrapping_mul(DIFFERENCES as u16).wrapping_add(difference(west, predictor));
            let corners = same(north_west, north) & 1 | same(north_east, north) & 2;
            first[square] = context.wrapping_mul(CORNERS as u16).wrapping_add(corners);
            second[square] = difference(north_east, predictor);
            let far_north = or(far_north, north);
            third[square] = if HAS_REFERENCE {
                let most = MAX_REFERENCE_DIFFERENCE;
                let beyond = (predictor.wrapping_sub(reference[square]) as i16).clamp(-most, most) + most;
                let of_kind = error(or(of_kinds[square], predictor), predictor);
                let both = (beyond as u16).wrapping_mul(3).wrapping_add(of_kind);
                both.wrapping_mul(3).wrapping_add(error(far_north, predictor))
            } else {
                let far_west = difference(or(seen.far_west(square), west), predictor);
                let both = far_west.wrapping_mul(DIFFERENCES as u16).wrapping_add(difference(far_north, predictor));
                both.wrapping_mul(4).wrapping_add(RANK_GROUP_OF[square])
            };
        }
        errors.find(stripe.squares, &steps);
        for (square, second) in second.iter_mut().enumerate() {
            let of = |error: u16| error & !same(error, NONE);
            let both = of(errors.north(square)).wrapping_mul(3).wrapping_add(of(errors.west(square)));
            *second = second.wrapping_add(both.wrapping_mul(DIFFERENCES as u16));
        }
    }
}

/// [`RANK_GROUPS`] of each square.
static RANK_GROUP_OF: StripeCodes = {
    let mut of = [0; 64];
    let mut square = 0;
    while square < 64 {
        of[square] = RANK_GROUPS[square / RANK] as u16;
        square += 1;
    }
    of
};

/// The code last seen on the file of each square, the square included.
#[derive(Debug)]
struct LastOnFile {
    /// Two ranks of none, then the ranks from the first.
    ranks: [u16; 80],
}

impl LastOnFile {
    const NONE: LastOnFile = LastOnFile { ranks: [NONE; 80] };

    /// Finds the codes in a stripe that has entries on these squares.
    #[inline(always)]
    fn find(&mut self, squares: u64, codes: &StripeCodes) {
        let mut files = [NONE; RANK];
        for rank in 0..8 {
            let empty = &EMPTY[usize::from(squares.to_le_bytes()[rank])];
            for file in 0..RANK {
                files[file] = choose(empty[file], files[file], codes[rank * RANK + file]);
                self.ranks[(rank + 2) * RANK + file] = files[file];
            }
        }
    }

    #[inline(always)]
    fn north(&self, square: usize) -> u16 {
        self.ranks[square + RANK]
    }

    #[inline(always)]
    fn west(&self, square: usize) -> u16 {
        self.ranks[square + 2 * RANK - 1] | OFF_THE_BOARD.west[square]
    }

    /// The code two ranks below.
    #[inline(always)]
    fn far_north(&self, square: usize) -> u16 {
        self.ranks[square]
    }

    /// The code two files before.
    #[inline(always)]
    fn far_west(&self, square: usize) -> u16 {
        self.ranks[square + 2 * RANK - 2] | OFF_THE_BOARD.far_west[square]
    }

    #[inline(always)]
    fn north_west(&self, square: usize) -> u16 {
        self.ranks[square + RANK - 1] | OFF_THE_BOARD.west[square]
    }

    #[inline(always)]
    fn north_east(&self, square: usize) -> u16 {
        self.ranks[square + RANK + 1] | OFF_THE_BOARD.east[square]
    }
}

/// For each set of squares of a rank, all ones on the others.
static EMPTY: [[u16; RANK]; 256] = {
    let mut empty = [[0; RANK]; 256];
    let mut at = 0;
    while at < 256 * RANK {
        let (squares, file) = (at / RANK, at % RANK);
        empty[squares][file] = if squares >> file & 1 == 0 { u16::MAX } else { 0 };
        at += 1;
    }
    empty
};

/// [`NONE`] for the squares beside which the board ends, zeros elsewhere.
static OFF_THE_BOARD: Edges = {
    let mut edges = Edges { west: [0; 64], far_west: [0; 64], east: [0; 64] };
    let mut rank = 0;
    while rank < 64 {
        edges.west[rank] = NONE;
        edges.far_west[rank] = NONE;
        edges.far_west[rank + 1] = NONE;
        edges.east[rank + RANK - 1] = NONE;
        rank += RANK;
    }
    edges
};

struct Edges {
    west: StripeCodes,
    far_west: StripeCodes,
    east: StripeCodes,
}

/// All ones if two codes are the same.
#[inline(always)]
fn same(a: u16, b: u16) -> u16 {
    0u16.wrapping_sub(u16::from(a == b))
}

/// The first number where the mask has ones, the second elsewhere.
#[inline(always)]
fn choose(mask: u16, first: u16, second: u16) -> u16 {
    first & mask | second & !mask
}

/// The code, or another if there is none.
#[inline(always)]
fn or(code: u16, other: u16) -> u16 {
    choose(same(code, NONE), other, code)
}

/// The code that is as far from a reference as another code is from its own, 0 at least; none if there is no code.
#[inline(always)]
fn shifted(code: u16, from: u16, to: u16) -> u16 {
    let shifted = code.wrapping_add(to).wrapping_sub(from) as i16;
    shifted.max(0) as u16 | same(code, NONE)
}

/// How a code compares with its predictor: 0 the same, 1 above, 2 below.
#[inline(always)]
fn error(code: u16, predictor: u16) -> u16 {
    let step = code.wrapping_sub(predictor) as i16;
    u16::from(step > 0) | u16::from(step < 0) << 1
}

/// A code's difference from the predictor, as contexts tell it apart.
#[inline(always)]
fn difference(code: u16, predictor: u16) -> u16 {
    let difference = code.wrapping_sub(predictor) as i16;
    (difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE) + MAX_DIFFERENCE) as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::context::{CONTEXTS, Prediction, SECOND_CONTEXTS, THIRD_CONTEXTS};
    use super::*;
    use crate::index::StripeFeatures;

    proptest! {
        #[test]
        fn symbols_are_those_that_a_reader_finds(
            stripes in prop::collection::vec(
                (any::<[u64; 4]>(), prop::array::uniform32(0u16..9), prop::array::uniform32(0u16..600)), 1..4),
            mode in 0u16..9,
            far: bool,
            refers: bool,
            is_moved: bool,
        ) {
            let (mut known, mut found, mut symbols) = (History::EMPTY, History::EMPTY, StripeSymbols::EMPTY);
            for ([legal, attacked, defended, attacking], codes, references) in &stripes {
                let features = StripeFeatures { legal: *legal, attacked: *attacked, defended: *defended, attacking: *attacking };
                let entry = |of: &[u16; 32], square: usize| of[square / 2] * if far { 200 + square as u16 % 2 } else { 1 };
                let by_square = |of| std::array::from_fn(|square| if legal >> square & 1 == 1 { entry(of, square) } else { 0 });
                let (codes, reference): (StripeCodes, StripeCodes) = (by_square(codes), by_square(&references.map(|code| code % if far { 9 } else { 300 })));
                let stripe = PredictedStripe { features: &features, squares: *legal, mode, reference: refers.then_some(&reference), is_moved };
                symbols.find(&stripe, &codes, &mut known);
                let compare = |square: usize, prediction: &Prediction| {
                    let Contexts(contexts) = symbols.contexts(square);
                    let of_writer = (symbols.predictors[square], contexts, symbols.symbols[square]);
                    let of_reader = (prediction.predictor, prediction.contexts.0, prediction.symbol(codes[square], mode) as u16);
                    assert_eq!(of_writer, of_reader);
                    let most = [CONTEXTS, SECOND_CONTEXTS, THIRD_CONTEXTS];
                    assert!(contexts.iter().zip(most).all(|(&context, most)| usize::from(context) < most));
                    codes[square]
                };
                match (refers, is_moved) {
                    (false, _) => stripe.run::<false, false>(&mut found, compare),
                    (true, false) => stripe.run::<true, false>(&mut found, compare),
                    (true, true) => stripe.run::<true, true>(&mut found, compare),
                }
            }
        }

        /// Writers skip blocks of this code alone, because all of their symbols are 0.
        #[test]
        fn the_most_frequent_code_alone_is_always_as_predicted(
            stripes in prop::collection::vec((any::<[u64; 4]>(), prop::array::uniform32(0u16..600)), 1..4),
            mode in 0u16..9,
            refers: bool,
            is_moved: bool,
        ) {
            let (mut history, mut symbols) = (History::EMPTY, StripeSymbols::EMPTY);
            for ([legal, attacked, defended, attacking], references) in &stripes {
                let features = StripeFeatures { legal: *legal, attacked: *attacked, defended: *defended, attacking: *attacking };
                let reference = if is_moved { [stripes[0].1[0]; 64] } else { std::array::from_fn(|square| references[square / 2]) };
                let stripe = PredictedStripe { features: &features, squares: *legal, mode, reference: refers.then_some(&reference), is_moved };
                symbols.find(&stripe, &[mode; 64], &mut history);
                prop_assert!((0..64).all(|square| legal >> square & 1 == 0 || symbols.symbols[square] == 0));
            }
        }
    }
}
