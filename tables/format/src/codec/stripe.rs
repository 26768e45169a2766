//! The two ways through a stripe: a reader's, from code to code, and a writer's, who knows all codes.

use super::context::{Class, NONE, StripeCodes, classes, error};
use super::prediction::{Contexts, Prediction, Surroundings, second_context};
use super::seen::{History, LastSeen, LastSeenByRank, Likely, RANK, SeenByKind};
use crate::index::StripeFeatures;

/// The most stripes of a block.
pub(crate) const MAX_BLOCK_STRIPES: usize = 8;

/// A stripe whose codes are predicted.
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

/// Gives a stripe's codes one after the other.
pub(super) trait CodeSource {
    /// The next code, by its prediction.
    fn code(&mut self, prediction: &Prediction, contexts: Contexts) -> u16;
}

impl PredictedStripe<'_> {
    /// The class of each square. With a reference, only the kind in it is right.
    #[inline(always)]
    fn classes(&self) -> [Class; 64] {
        classes(self.features, self.reference.is_none())
    }

    /// Reads the codes of the squares, ascending.
    #[inline(always)]
    pub(super) fn read(&self, history: &mut History, source: &mut impl CodeSource, codes: &mut StripeCodes) {
        match (self.reference, self.is_moved) {
            (None, _) => self.read_as::<false, false>(&[0; 64], history, source, codes),
            (Some(reference), false) => self.read_as::<true, false>(reference, history, source, codes),
            (Some(reference), true) => self.read_as::<true, true>(reference, history, source, codes),
        }
    }

    #[inline(always)]
    fn read_as<const HAS_REFERENCE: bool, const IS_MOVED: bool>(
        &self,
        reference: &StripeCodes,
        history: &mut History,
        source: &mut impl CodeSource,
        codes: &mut StripeCodes,
    ) {
        let classes = self.classes();
        let mut by_kind = SeenByKind::new(history);
        let (mut seen, mut references) = (LastSeen::NONE, LastSeen::NONE);
        // How the last code of each file was predicted, the files counted from 1.
        let mut errors = [0; 16];
        for square in squares_of(self.squares) {
            let (rank, file, class) = (square >> 3, (square & 7) + 1, classes[square]);
            let here = if HAS_REFERENCE { reference[square] } else { 0 };
            let around = Surroundings {
                rank,
                class,
                likely: by_kind.likely::<HAS_REFERENCE>(square, class, here),
                seen: seen.around(square, self.squares),
                here,
                references: references.around(square, self.squares),
            };
            let prediction = Prediction::new::<HAS_REFERENCE, IS_MOVED>(&around, self.mode);
            let code = source.code(&prediction, prediction.contexts([errors[file], errors[file - 1]]));
            codes[square] = code;
            seen.see(square, code);
            errors[file] = error(code, prediction.predictor);
            by_kind.see::<HAS_REFERENCE>(square, class, here, code);
            if HAS_REFERENCE {
                references.see(square, here);
            }
        }
    }
}

/// The symbols of a stripe's entries, by square; what stands for squares that have no entry means nothing. A writer
/// uses it again for later stripes, since copying it would take as long as finding the symbols.
#[derive(Debug)]
pub(super) struct StripeSymbols {
    /// The predictors.
    pub(super) predictors: StripeCodes,
    /// The contexts for each of the model's tables.
    contexts: [StripeCodes; 3],
    /// The symbols.
    pub(super) symbols: StripeCodes,
    seen: LastSeenByRank,
    references: LastSeenByRank,
    /// How codes were predicted.
    errors: LastSeenByRank,
}

impl StripeSymbols {
    /// Room for the symbols of a stripe.
    pub(super) const EMPTY: StripeSymbols = StripeSymbols {
        predictors: [0; 64],
        contexts: [[0; 64]; 3],
        symbols: [0; 64],
        seen: LastSeenByRank::new(NONE),
        references: LastSeenByRank::new(NONE),
        errors: LastSeenByRank::new(0),
    };

    /// The contexts of a square's symbol.
    #[inline(always)]
    pub(super) fn contexts(&self, square: usize) -> Contexts {
        let [first, second, third] = &self.contexts;
        [first[square], second[square], third[square]]
    }

    /// Of these squares, those up to the last whose symbol is not 0.
    #[inline(always)]
    pub(super) fn up_to_last(&self, mut squares: u64) -> u64 {
        while squares != 0 {
            let last = squares.ilog2();
            if self.symbols[last as usize & 63] != 0 {
                break;
            }
            squares ^= 1 << last;
        }
        squares
    }

    /// Finds the symbols of a stripe with these codes, zeros where it has no entry.
    #[inline]
    pub(super) fn find(&mut self, stripe: &PredictedStripe<'_>, codes: &StripeCodes, history: &mut History) {
        match (stripe.reference, stripe.is_moved) {
            (None, _) => self.find_as::<false, false>(stripe, &[0; 64], codes, history),
            (Some(reference), false) => self.find_as::<true, false>(stripe, reference, codes, history),
            (Some(reference), true) => self.find_as::<true, true>(stripe, reference, codes, history),
        }
    }

    /// [`StripeSymbols::find`], compiled for each case: a loop that asks for the case in each step has no vectors. Only
    /// the codes last seen on squares of a kind have to be found one after the other.
    fn find_as<const HAS_REFERENCE: bool, const IS_MOVED: bool>(
        &mut self,
        stripe: &PredictedStripe<'_>,
        reference: &StripeCodes,
        codes: &StripeCodes,
        history: &mut History,
    ) {
        let StripeSymbols { predictors, contexts: [first, second, third], symbols, seen, references, errors } = self;
        let classes = stripe.classes();
        let mut by_kind = SeenByKind::new(history);
        let (mut likely, mut of_kinds) = ([NONE; 64], [NONE; 64]);
        for square in squares_of(stripe.squares) {
            let (class, here, code) = (classes[square], reference[square], codes[square]);
            Likely { first: likely[square], of_kind: of_kinds[square] } =
                by_kind.likely::<HAS_REFERENCE>(square, class, here);
            by_kind.see::<HAS_REFERENCE>(square, class, here, code);
        }
        seen.see_all(stripe.squares, codes);
        if HAS_REFERENCE {
            references.see_all(stripe.squares, reference);
        }
        let mut found = [0; 64];
        for rank in 0..RANK {
            for file in 0..RANK {
                let square = rank * RANK + file;
                let around = Surroundings {
                    rank,
                    class: classes[square],
                    likely: Likely { first: likely[square], of_kind: of_kinds[square] },
                    seen: seen.around(rank, file),
                    here: reference[square],
                    references: references.around(rank, file),
                };
                let prediction = Prediction::new::<HAS_REFERENCE, IS_MOVED>(&around, stripe.mode);
                predictors[square] = prediction.predictor;
                symbols[square] = prediction.symbol(codes[square]);
                [first[square], second[square], third[square]] = prediction.contexts([0, 0]);
                found[square] = error(codes[square], prediction.predictor);
            }
        }
        errors.see_all(stripe.squares, &found);
        for rank in 0..RANK {
            for file in 0..RANK {
                let around = errors.around(rank, file);
                second[rank * RANK + file] += second_context([around.north, around.west]);
            }
        }
    }
}

/// The squares of a set, ascending.
#[inline(always)]
pub(super) fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as usize & 63);
        set &= set.wrapping_sub(1);
        square
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives the codes of a stripe that are known, and compares what a reader finds with the symbols.
    struct Compared<'a, I> {
        squares: I,
        codes: &'a StripeCodes,
        symbols: &'a StripeSymbols,
    }

    impl<I: Iterator<Item = usize>> CodeSource for Compared<'_, I> {
        fn code(&mut self, prediction: &Prediction, contexts: Contexts) -> u16 {
            let square = self.squares.next().unwrap();
            let code = self.codes[square];
            let of_writer =
                (self.symbols.predictors[square], self.symbols.contexts(square), self.symbols.symbols[square]);
            assert_eq!(of_writer, (prediction.predictor, contexts, prediction.symbol(code)));
            code
        }
    }

    /// Sets of squares, and numbers for two squares each.
    type Drawn = ([u64; 4], [u16; 32], [u16; 32]);

    fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
        prop::collection::vec(
            (any::<[u64; 4]>(), prop::array::uniform32(0u16..9), prop::array::uniform32(0u16..600)),
            1..4,
        )
    }

    fn features_of(&[legal, attacked, defended, attacking]: &[u64; 4]) -> StripeFeatures {
        StripeFeatures { legal, attacked, defended, attacking }
    }

    proptest! {
        #[test]
        fn symbols_are_those_that_a_reader_finds(
            stripes in drawn(), mode in 0u16..9, far: bool, refers: bool, is_moved: bool,
        ) {
            let (mut known, mut found, mut symbols) = (History::EMPTY, History::EMPTY, StripeSymbols::EMPTY);
            for (sets, codes, references) in &stripes {
                let features = features_of(sets);
                let factor = |square: usize| if far { 200 + square as u16 % 2 } else { 1 };
                let by_square = |of: &[u16; 32], most: u16| -> StripeCodes {
                    let code = |square| of[square / 2] % most * factor(square);
                    std::array::from_fn(|square| if features.legal >> square & 1 == 1 { code(square) } else { 0 })
                };
                let (codes, reference) = (by_square(codes, 9), by_square(references, if far { 9 } else { 300 }));
                let (squares, reference) = (features.legal, refers.then_some(&reference));
                let stripe = PredictedStripe { features: &features, squares, mode, reference, is_moved };
                symbols.find(&stripe, &codes, &mut known);
                let last = squares_of(squares).filter(|&square| symbols.symbols[square] != 0).last();
                let up_to_last = last.map_or(0, |last| squares & u64::MAX >> (63 - last));
                prop_assert_eq!(symbols.up_to_last(squares), up_to_last);
                let mut source = Compared { squares: squares_of(squares), codes: &codes, symbols: &symbols };
                let mut read = [0; 64];
                stripe.read(&mut found, &mut source, &mut read);
                prop_assert_eq!(read, codes);
            }
        }

        /// Writers skip blocks of this code alone, because all of their symbols are 0.
        #[test]
        fn the_most_frequent_code_alone_is_always_as_predicted(
            stripes in drawn(), mode in 0u16..9, refers: bool, is_moved: bool,
        ) {
            let (mut history, mut symbols) = (History::EMPTY, StripeSymbols::EMPTY);
            for (sets, _, references) in &stripes {
                let (features, squares) = (features_of(sets), sets[0]);
                let reference = if is_moved { [stripes[0].2[0]; 64] } else { std::array::from_fn(|square| references[square / 2]) };
                let reference = refers.then_some(&reference);
                let stripe = PredictedStripe { features: &features, squares, mode, reference, is_moved };
                symbols.find(&stripe, &[mode; 64], &mut history);
                prop_assert!(squares_of(squares).all(|square| symbols.symbols[square] == 0));
            }
        }
    }
}
