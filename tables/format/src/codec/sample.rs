//! Sampled slabs, and the statistics that models are trained on.
//!
//! Whole numbers only: the same slabs give the same statistics on every machine.

use std::cmp::Reverse;

use super::ans::{CODE_BITS, SYMBOL_BITS};
use super::block::gather;
use super::context::{CONTEXTS, ESCAPE, SYMBOLS, StripeCodes};
use super::model::MAX_BUCKETS;
use super::seen::History;
use super::stripe::{PredictedStripe, StripeSymbols};
use crate::index::{StripeFeatures, Stripes};
use makruk_rules::{Bitboard, Color};

/// The numbers of a context's symbols.
pub(super) type SymbolCounts = [u32; SYMBOLS];

/// The bits of the fraction of a cost.
pub(super) const COST_FRACTION_BITS: usize = 10;

/// A slab that models are trained on.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The slab.
    pub slab: usize,
    /// The slab's codes, by offset.
    pub codes: Vec<u16>,
    /// The reference's codes of the same slab, if there is a reference.
    pub reference: Option<Vec<u16>>,
}

/// A stripe of a sampled slab.
struct SampledStripe<'a> {
    stripes: &'a Stripes,
    sample: &'a Sample,
    features: StripeFeatures,
    base: u64,
}

impl SampledStripe<'_> {
    fn offset(&self, square: usize) -> usize {
        (self.base + self.stripes.square_offset(square)) as usize
    }

    fn code(&self, square: usize) -> u16 {
        self.sample.codes[self.offset(square)]
    }

    fn codes(&self, of: &[u16], to: &mut StripeCodes) {
        gather(self.features.legal, |square| of[self.offset(square)], to);
    }
}

/// The sampled slabs of a side, cut into blocks, of which every `step`-th is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockSample<'a> {
    stripes: &'a Stripes,
    side: Color,
    slabs: &'a [Sample],
    block_stripes: usize,
    /// The distance between blocks that are looked at, in blocks.
    step: usize,
}

impl<'a> BlockSample<'a> {
    /// The blocks that have at most about `most` entries together.
    pub(super) fn new(
        stripes: &'a Stripes,
        side: Color,
        slabs: &'a [Sample],
        block_stripes: usize,
        most: u64,
    ) -> BlockSample<'a> {
        let entries = BlockSample::entries(stripes, slabs);
        BlockSample { stripes, side, slabs, block_stripes, step: entries.div_ceil(most).max(1) as usize }
    }

    /// The entries of all stripes of some slabs.
    pub(super) fn entries(stripes: &Stripes, slabs: &[Sample]) -> u64 {
        slabs.len() as u64 * stripes.len() as u64 * 64
    }

    /// The blocks: of each the stripes that have legal positions. Each slab begins at another remainder of the step.
    fn iter(self) -> impl Iterator<Item = impl Iterator<Item = SampledStripe<'a>>> {
        let BlockSample { stripes, side, slabs, block_stripes, step } = self;
        slabs.iter().enumerate().flat_map(move |(at, sample)| {
            let kings = stripes.layout().kings().pair(sample.slab);
            let blocks = stripes.len().div_ceil(block_stripes);
            (at % step..blocks).step_by(step).map(move |block| {
                let first = block * block_stripes;
                (first..stripes.len().min(first + block_stripes)).filter_map(move |stripe| {
                    let fixed = stripes.fixed_squares(stripe);
                    let features = stripes.features(kings, &fixed, side);
                    let legal = features.legal != 0;
                    legal.then(|| SampledStripe { stripes, sample, features, base: stripes.base_offset(&fixed) })
                })
            })
        })
    }

    /// The number of entries that have each of `values` codes.
    fn histogram(self, values: usize) -> Vec<u64> {
        let mut histogram = vec![0u64; values];
        for stripe in self.iter().flatten() {
            for square in Bitboard(stripe.features.legal) {
                histogram[usize::from(stripe.code(square.index()))] += 1;
            }
        }
        histogram
    }

    /// The symbols of the entries, with codes below `values`. With a reference, the neighbours' codes may be moved.
    pub(super) fn symbols(self, values: usize, is_moved: bool) -> SampledSymbols {
        let histogram = self.histogram(values);
        let mode = likeliest(&histogram) as u16;
        let (mut entries, mut escapes) = (Vec::new(), Vec::new());
        let mut stripes = 0;
        let (mut codes, mut reference_codes, mut found) = ([0; 64], [0; 64], StripeSymbols::EMPTY);
        for block in self.iter() {
            let mut history = History::EMPTY;
            for stripe in block {
                stripes += 1;
                let (features, squares) = (&stripe.features, stripe.features.legal);
                stripe.codes(&stripe.sample.codes, &mut codes);
                let reference = stripe.sample.reference.as_ref().map(|of_slab| {
                    stripe.codes(of_slab, &mut reference_codes);
                    &reference_codes
                });
                let predicted = PredictedStripe { features, squares, mode, reference, is_moved };
                found.find(&predicted, &codes, &mut history);
                entries.extend(Bitboard(squares).into_iter().map(|square| {
                    let square = square.index();
                    let ([first, second, third], symbol) = (found.contexts(square), found.symbols[square] as u8);
                    let predictor = found.predictors[square];
                    if usize::from(symbol) == ESCAPE {
                        escapes.push((predictor, codes[square]));
                    }
                    SampledSymbol { first, others: [second as u8, third as u8], predictor, symbol }
                }));
            }
        }
        SampledSymbols { mode, histogram, entries, escapes, stripes, step: self.step as u64 }
    }
}

/// The symbol of an entry. There are millions of them, so that each has as few bytes as will do.
#[derive(Clone, Copy)]
pub(super) struct SampledSymbol {
    /// Its contexts: the first, then the others, which are small.
    first: u16,
    others: [u8; 2],
    predictor: u16,
    pub(super) symbol: u8,
}

impl SampledSymbol {
    /// The second context or the third, counted from 1.
    pub(super) fn context(&self, number: usize) -> u8 {
        self.others[number - 1]
    }
}

/// Counts symbols by context: of `contexts` contexts those that entries have.
pub(super) fn count(contexts: usize, symbols: impl Iterator<Item = (usize, u8)>) -> Vec<SymbolCounts> {
    let mut counts: Vec<SymbolCounts> = vec![[0; SYMBOLS]; contexts];
    symbols.for_each(|(context, symbol)| counts[context][usize::from(symbol)] += 1);
    counts
}

/// The symbols of sampled stripes.
pub(super) struct SampledSymbols {
    /// The most frequent code.
    pub(super) mode: u16,
    /// The number of entries that have each code.
    histogram: Vec<u64>,
    /// The symbols of all entries.
    pub(super) entries: Vec<SampledSymbol>,
    /// The predictors and the codes of entries whose code was no candidate.
    escapes: Vec<(u16, u16)>,
    /// The number of stripes.
    pub(super) stripes: u64,
    /// The distance between blocks that were looked at, in blocks.
    pub(super) step: u64,
}

impl SampledSymbols {
    /// The number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.histogram.iter().sum()
    }

    /// The statistics with codes in at most `buckets` buckets.
    pub(super) fn statistics(&self, buckets: usize) -> SampleStatistics<'_> {
        let bounds = bucket_bounds(&self.histogram, buckets);
        let bucket = |code: usize| bounds.partition_point(|&bound| usize::from(bound) <= code) as u8;
        let bucket_of = (0..self.histogram.len()).map(bucket).collect();
        let escaped = vec![vec![0u64; self.histogram.len()]; bounds.len() + 1];
        let mut statistics = SampleStatistics { symbols: self, bounds, bucket_of, escaped };
        for &(predictor, code) in &self.escapes {
            let bucket = statistics.bucket(predictor);
            statistics.escaped[bucket][usize::from(code)] += 1;
        }
        statistics
    }
}

/// The statistics of sampled stripes, with codes in buckets.
pub(super) struct SampleStatistics<'a> {
    pub(super) symbols: &'a SampledSymbols,
    /// The first codes of all buckets but the first.
    pub(super) bounds: Vec<u16>,
    /// The bucket of each code.
    bucket_of: Vec<u8>,
    /// The number of entries whose code was no candidate, by the predictor's bucket, then code.
    escaped: Vec<Vec<u64>>,
}

impl SampleStatistics<'_> {
    /// The counts of symbols, by bucket, then first context.
    pub(super) fn first_counts(&self) -> Vec<SymbolCounts> {
        let symbols = self.symbols.entries.iter().map(|entry| (self.first_context(entry), entry.symbol));
        count((self.bounds.len() + 1) * CONTEXTS, symbols)
    }

    /// The first context of an entry, with the predictor's bucket.
    pub(super) fn first_context(&self, entry: &SampledSymbol) -> usize {
        self.bucket(entry.predictor) * CONTEXTS + usize::from(entry.first)
    }

    /// The bucket of a predictor, the last for a number beyond the list.
    fn bucket(&self, predictor: u16) -> usize {
        self.bucket_of.get(usize::from(predictor)).map_or(self.bounds.len(), |&bucket| bucket.into())
    }

    /// For each bucket, the frequencies of codes that are not candidates; and the bits that all these take, times 2 to
    /// the [`COST_FRACTION_BITS`].
    pub(super) fn escapes(&self, costs: &Costs) -> (Vec<Vec<u16>>, u64) {
        let all: Vec<Vec<u16>> = self.escaped.iter().map(|counts| frequencies(counts, CODE_BITS)).collect();
        let each = self.escaped.iter().flatten().zip(all.iter().flatten());
        let cost = each.map(|(&count, &frequency)| count * costs.of(frequency, CODE_BITS)).sum();
        (all, cost)
    }
}

/// The bits that a symbol takes by its frequency, times 2 to the [`COST_FRACTION_BITS`].
pub(super) struct Costs(Vec<u64>);

impl Costs {
    pub(super) fn new() -> Costs {
        Costs((0..=1 << SYMBOL_BITS).map(Costs::compute).collect())
    }

    fn compute(frequency: u32) -> u64 {
        let whole = frequency.checked_ilog2().unwrap_or(0);
        // Squaring a number from 1 to 2 yields the bits of its logarithm one by one.
        let mut mantissa = u64::from(frequency.max(1)) << (31 - whole);
        let mut log = u64::from(whole);
        for _ in 0..COST_FRACTION_BITS {
            mantissa = (mantissa * mantissa) >> 31;
            let bit = mantissa >> 32;
            mantissa >>= bit;
            log = log << 1 | bit;
        }
        (u64::from(SYMBOL_BITS) << COST_FRACTION_BITS) - log
    }

    /// The cost of a symbol with this frequency, of frequencies that add up to 2 to the power `bits`.
    pub(super) fn of(&self, frequency: u16, bits: u32) -> u64 {
        self.0[usize::from(frequency) << (SYMBOL_BITS - bits)]
    }

    /// The cost of a context's symbols if the context has a separate distribution.
    pub(super) fn of_context(&self, counts: &SymbolCounts) -> u64 {
        let counts = counts.map(u64::from);
        counts
            .iter()
            .zip(frequencies(&counts, SYMBOL_BITS))
            .map(|(&count, frequency)| count * self.of(frequency, SYMBOL_BITS))
            .sum()
    }
}

/// The index of the largest count; the first of several.
pub(super) fn likeliest<T: Copy + Ord>(counts: &[T]) -> usize {
    (0..counts.len()).max_by_key(|&at| (counts[at], Reverse(at))).unwrap_or(0)
}

/// The first codes of all buckets but the first, so that all buckets have about the same number of entries.
fn bucket_bounds(histogram: &[u64], buckets: usize) -> Vec<u16> {
    let buckets = buckets.min(MAX_BUCKETS).min(histogram.len());
    let total: u64 = histogram.iter().sum();
    let mut bounds = Vec::new();
    let mut before = 0u64;
    for (code, &count) in histogram.iter().enumerate() {
        let full = before * buckets as u64 >= total * (bounds.len() as u64 + 1);
        if code > 0 && full && bounds.len() + 1 < buckets && before > 0 {
            bounds.push(code as u16);
        }
        before += count;
    }
    bounds
}

/// Frequencies of 1 or more that add up to 2 to the power `bits` and are about proportional to these counts.
pub(super) fn frequencies(counts: &[u64], bits: u32) -> Vec<u16> {
    let rest = (1 << bits) - counts.len() as u64;
    let sum = counts.iter().sum::<u64>().max(1);
    let mut all: Vec<u16> =
        counts.iter().map(|&count| 1 + (u128::from(count) * u128::from(rest) / u128::from(sum)) as u16).collect();
    let given: u32 = all.iter().copied().map(u32::from).sum();
    if let Some(frequency) = all.get_mut(likeliest(counts)) {
        *frequency += ((1 << bits) - given) as u16;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_to_their_fraction() {
        let costs = Costs::new();
        for frequency in 1..=1 << SYMBOL_BITS {
            let cost = costs.of(frequency, SYMBOL_BITS);
            let exact =
                (f64::from(1 << SYMBOL_BITS) / f64::from(frequency)).log2() * f64::from(1 << COST_FRACTION_BITS);
            assert!((cost as f64 - exact).abs() <= 1.0 + 1e-6, "{frequency}: {cost} is not {exact}");
        }
    }

    #[test]
    fn frequencies_add_up_and_none_is_zero() {
        for counts in [vec![0; 5], vec![1, 0, 1 << 50], vec![3; 4096], (0..700).collect()] {
            let all = frequencies(&counts, CODE_BITS);
            assert!(all.iter().all(|&frequency| frequency > 0));
            assert_eq!(all.iter().copied().map(u32::from).sum::<u32>(), 1 << CODE_BITS);
        }
    }

    #[test]
    fn buckets_have_about_the_same_number_of_entries() {
        assert_eq!(bucket_bounds(&[10; 12], 4), [3, 6, 9]);
        assert_eq!(bucket_bounds(&[100, 1, 1, 1], 2), [1]);
        assert_eq!(bucket_bounds(&[0, 0, 5, 5], 8), [3]);
        assert!(bucket_bounds(&[7], 8).is_empty() && bucket_bounds(&[7, 7], 1).is_empty());
    }
}
