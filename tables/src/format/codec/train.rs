//! Learning a model from some slabs of a side.
//!
//! Whole numbers only: the same slabs give the same model on every machine.

use super::ans::{FREQUENCY_BITS, TOTAL};
use super::block::{Codec, MAX_BLOCK_BOARDS, SideCodec, gather};
use super::context::{CONTEXTS, ESCAPE, Memory, SYMBOLS, walk};
use super::model::{Cluster, MAX_BUCKETS, MAX_CLUSTERS, Model, cumulate};
use crate::index::{Layout, Stripes};
use crate::rules::Color;

/// Counts of a context's symbols.
type Counts = [u32; SYMBOLS];

/// Rounds in which contexts go to the cluster that suits them best.
const ROUNDS: usize = 8;
/// Bits of a fraction in logarithms.
const FRACTION: u32 = 10;
/// Stripes that take fewer bytes than this on an average are several to a block.
const JOINED_BYTES: u64 = 6;
/// So many.
const JOINED_BOARDS: usize = 2;
/// Cells of the sample below which the tables of a model are small.
const SMALL: u64 = 1 << 15;
const LARGE: u64 = 1 << 20;

/// A slab that models are learned from: its number, its codes by offset and, if there is a reference, what it says.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Which slab.
    pub slab: usize,
    /// The codes.
    pub codes: Vec<u16>,
    /// The reference's, in this table's codes.
    pub reference: Option<Vec<u16>>,
}

/// Learns models.
#[derive(Clone, Debug)]
pub struct Trainer<'a> {
    layout: &'a Layout,
    side: Color,
    values: usize,
}

impl<'a> Trainer<'a> {
    /// For a side of so many values.
    pub fn new(layout: &'a Layout, side: Color, values: usize) -> Trainer<'a> {
        Trainer { layout, side, values }
    }

    /// The model, the runner and the size of blocks that make the sample smallest. With a reference, runner and size are the
    /// reference's: its codec's for this side.
    ///
    /// # Panics
    ///
    /// If the set has no man but the kings.
    pub fn train(&self, sample: &[Sample], reference: Option<&SideCodec>) -> SideCodec {
        let axes = 0..self.layout.axes().len();
        let all = axes.filter_map(|axis| Stripes::new(self.layout.clone(), axis));
        let boards = match reference {
            Some(SideCodec(codec)) => Some(codec.boards.clone()),
            None => all.min_by_key(|boards| (self.survey(boards, sample), boards.axis())),
        };
        let boards = boards.expect("a set with tables has an axis");
        let (model, bits, seen) = self.learn(&boards, sample);
        // With next to nothing in them, boards are many to a block: what it takes to find one would be most of the file.
        let block_boards = match reference {
            Some(SideCodec(codec)) => codec.block_boards,
            None if bits * (MAX_BLOCK_BOARDS as u64) < seen * 8 => MAX_BLOCK_BOARDS,
            None if bits < seen * 8 * JOINED_BYTES => JOINED_BOARDS,
            None => 1,
        };
        SideCodec(Codec { boards, side: self.side, block_boards, model })
    }
}

impl Trainer<'_> {
    /// Roughly the bits that the sample would take on these boards, from a few of them and without clusters.
    fn survey(&self, boards: &Stripes, sample: &[Sample]) -> u64 {
        let counted = self.count(boards, sample, SURVEY_CELLS, 1);
        let bits_of = bits_of_frequencies();
        counted.contexts.iter().map(|counts| own_cost(counts, &bits_of)).sum::<u64>() + counted.escapes(&bits_of).1
    }

    /// A model for these boards, the bits that the sample takes with it, and the boards of the sample.
    fn learn(&self, boards: &Stripes, sample: &[Sample]) -> (Model, u64, u64) {
        let cells = sample.len() as u64 * boards.len() as u64 * 64;
        let (buckets, clusters) = match cells {
            0..SMALL => (1, 12),
            SMALL..LARGE => (6, 40),
            _ => (24, 128),
        };
        let counted = self.count(boards, sample, MOST_CELLS, buckets);
        let bits_of = bits_of_frequencies();
        let (codes, escapes) = counted.escapes(&bits_of);
        let (clusters_of, clusters, cost) = cluster(&counted.contexts, clusters, &bits_of);
        let model = Model::new(counted.usual, &counted.bounds, clusters_of, clusters, &codes);
        (model, (cost + escapes) >> FRACTION, counted.boards)
    }

    /// Counts the symbols of each context on boards that have about so many cells.
    fn count(&self, boards: &Stripes, sample: &[Sample], most: u64, buckets: usize) -> Counted {
        let cells = sample.len() as u64 * boards.len() as u64 * 64;
        let step = cells.div_ceil(most).max(1) as usize;
        // The first pass: which codes there are.
        let mut histogram = vec![0u64; self.values];
        self.each_board(boards, sample, step, |scene, at, sample| {
            gather(scene.stored, |cell| {
                histogram[usize::from(sample.codes[at(cell)])] += 1;
                0
            });
        });
        let usual = (0..self.values).max_by_key(|&code| (histogram[code], std::cmp::Reverse(code))).unwrap_or(0) as u16;
        let bounds = bounds(&histogram, buckets);
        let bucket = |code: u16| bounds.partition_point(|&bound| bound <= code);
        // The second: what their contexts are.
        let mut counts: Vec<Counts> = vec![[0; SYMBOLS]; (bounds.len() + 1) * CONTEXTS];
        let mut escaped = vec![0u64; self.values];
        let mut seen = 0u64;
        self.each_board(boards, sample, step, |scene, at, sample| {
            seen += 1;
            let reference = sample.reference.as_ref().map(|reference| gather(scene.stored, |cell| reference[at(cell)]));
            let mut memory = Memory::EMPTY;
            walk(scene, scene.stored, usual, &mut memory, reference.as_ref(), |cell, known| {
                let code = sample.codes[at(cell)];
                let symbol = known.symbol(code, usual);
                counts[bucket(known.nearest) * CONTEXTS + known.context][symbol] += 1;
                if symbol == ESCAPE {
                    escaped[usize::from(code)] += 1;
                }
                code
            });
        });
        Counted { usual, bounds, contexts: counts, escaped, boards: seen }
    }

    /// Calls `visit` with every `step`-th board of the sample.
    fn each_board(
        &self,
        boards: &Stripes,
        sample: &[Sample],
        step: usize,
        mut visit: impl FnMut(&crate::index::StripeFeatures, &dyn Fn(usize) -> usize, &Sample),
    ) {
        for (n, sample) in sample.iter().enumerate() {
            let kings = boards.layout().kings().pair(sample.slab);
            // Another remainder in each slab.
            for board in (n % step..boards.len()).step_by(step) {
                let outer = boards.outer(board);
                let scene = boards.scene(kings, &outer, self.side);
                if scene.stored != 0 {
                    let base = boards.base(&outer);
                    visit(&scene, &|cell| (base + boards.cell_offset(cell)) as usize, sample);
                }
            }
        }
    }
}

/// What a pass over the sample's boards has counted.
struct Counted {
    usual: u16,
    /// The first codes of all buckets but the first.
    bounds: Vec<u16>,
    /// By bucket, then context.
    contexts: Vec<Counts>,
    /// How often each code was no candidate.
    escaped: Vec<u64>,
    boards: u64,
}

impl Counted {
    /// The frequencies of codes that are no candidates, and what they cost, times 2 to the [`FRACTION`].
    fn escapes(&self, bits_of: &[u64]) -> (Vec<u16>, u64) {
        let codes = frequencies(&self.escaped);
        let cost = self.escaped.iter().zip(&codes).map(|(&count, &f)| count * bits_of[usize::from(f)]).sum();
        (codes, cost)
    }
}

/// The most cells that a model is learned from.
const MOST_CELLS: u64 = 1 << 21;
/// The most cells by which one axis is weighed against the others.
const SURVEY_CELLS: u64 = 1 << 18;

/// What the symbols of one context cost by frequencies of their own, times 2 to the [`FRACTION`].
fn own_cost(counts: &Counts, bits_of: &[u64]) -> u64 {
    let wide = counts.map(u64::from);
    wide.iter().zip(frequencies(&wide)).map(|(&n, f)| n * bits_of[usize::from(f)]).sum()
}

/// The first codes of all buckets but the first, so that each bucket has about as many cells.
fn bounds(histogram: &[u64], buckets: usize) -> Vec<u16> {
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

/// Frequencies from 1 that add up to [`TOTAL`], near to what these counts are of their sum.
fn frequencies(counts: &[u64]) -> Vec<u16> {
    let rest = u64::from(TOTAL) - counts.len() as u64;
    let sum = counts.iter().sum::<u64>().max(1);
    let mut all: Vec<u16> =
        counts.iter().map(|&count| 1 + (u128::from(count) * u128::from(rest) / u128::from(sum)) as u16).collect();
    let given: u32 = all.iter().copied().map(u32::from).sum();
    let most = (0..counts.len()).max_by_key(|&at| (counts[at], std::cmp::Reverse(at))).unwrap_or(0);
    if let Some(frequency) = all.get_mut(most) {
        *frequency += (TOTAL - given) as u16;
    }
    all
}

/// For each frequency the bits that a symbol of it takes, times 2 to the [`FRACTION`].
fn bits_of_frequencies() -> Vec<u64> {
    (0..=TOTAL)
        .map(|frequency| {
            let whole = frequency.checked_ilog2().unwrap_or(0);
            // Squaring a number from 1 to 2 brings out its logarithm bit by bit.
            let mut mantissa = u64::from(frequency.max(1)) << (31 - whole);
            let mut log = u64::from(whole);
            for _ in 0..FRACTION {
                mantissa = (mantissa * mantissa) >> 31;
                let bit = mantissa >> 32;
                mantissa >>= bit;
                log = log << 1 | bit;
            }
            (u64::from(FREQUENCY_BITS) << FRACTION) - log
        })
        .collect()
}

/// Puts contexts with like counts into a cluster: the cluster of each context, the clusters, and the bits that all symbols
/// take then, times 2 to the [`FRACTION`].
fn cluster(counts: &[Counts], most: usize, bits_of: &[u64]) -> (Vec<u8>, Vec<Cluster>, u64) {
    let most = most.min(MAX_CLUSTERS);
    let mut present: Vec<usize> = (0..counts.len()).filter(|&context| counts[context].iter().any(|&n| n > 0)).collect();
    let own: Vec<(u64, usize, u64)> = counts
        .iter()
        .map(|counts| {
            let sum: u64 = counts.iter().copied().map(u64::from).sum();
            let (best, &top) =
                counts.iter().enumerate().max_by_key(|&(at, &n)| (n, std::cmp::Reverse(at))).unwrap_or((0, &0));
            (own_cost(counts, bits_of), best, (u64::from(top) << 16) / sum.max(1))
        })
        .collect();
    // To begin with, contexts with the same likeliest symbol and about its likelihood are together, in groups that cost alike.
    present.sort_by_key(|&context| (own[context].1, own[context].2, context));
    let total: u64 = present.iter().map(|&context| own[context].0).sum();
    let mut assigned = vec![0u8; counts.len()];
    let mut before = 0u64;
    for &context in &present {
        assigned[context] = (u128::from(before) * most as u128 / u128::from(total.max(1))).min(most as u128 - 1) as u8;
        before += own[context].0;
    }
    let mut all: Vec<Vec<u16>> = Vec::new();
    let mut cost = 0;
    for _ in 0..ROUNDS {
        let mut sums = vec![[0u64; SYMBOLS]; most];
        for &context in &present {
            for (sum, &n) in sums[usize::from(assigned[context])].iter_mut().zip(&counts[context]) {
                *sum += u64::from(n);
            }
        }
        all = sums.iter().map(|sums| frequencies(sums)).collect();
        let bits: Vec<[u64; SYMBOLS]> =
            all.iter().map(|all| std::array::from_fn(|symbol| bits_of[usize::from(all[symbol])])).collect();
        cost = 0;
        for &context in &present {
            let counts = &counts[context];
            let price =
                |bits: &[u64; SYMBOLS]| -> u64 { counts.iter().zip(bits).map(|(&n, &bits)| u64::from(n) * bits).sum() };
            let best = (0..most).map(|at| (price(&bits[at]), at)).min().unwrap_or_default();
            assigned[context] = best.1 as u8;
            cost += best.0;
        }
    }
    // Contexts that the sample has not go with the one before, which makes long runs.
    let mut last = present.iter().min().map_or(0, |&first| assigned[first]);
    for (context, cluster) in assigned.iter_mut().enumerate() {
        if counts[context].iter().any(|&n| n > 0) {
            last = *cluster;
        } else {
            *cluster = last;
        }
    }
    let clusters = all
        .into_iter()
        .map(|frequencies| {
            let mut cluster = [0; SYMBOLS + 1];
            cluster.copy_from_slice(&cumulate(frequencies));
            cluster
        })
        .collect();
    (assigned, clusters, cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_to_their_fraction() {
        for (frequency, bits) in (1..=TOTAL).zip(bits_of_frequencies().into_iter().skip(1)) {
            let exact = (f64::from(TOTAL) / f64::from(frequency)).log2() * f64::from(1 << FRACTION);
            assert!((bits as f64 - exact).abs() <= 1.0 + 1e-6, "{frequency}: {bits} is not {exact}");
        }
    }

    #[test]
    fn frequencies_add_up_and_leave_nobody_out() {
        for counts in [vec![0; 5], vec![1, 0, 1 << 50], vec![3; 4096], (0..700).collect()] {
            let all = frequencies(&counts);
            assert!(all.iter().all(|&frequency| frequency > 0));
            assert_eq!(all.iter().copied().map(u32::from).sum::<u32>(), TOTAL);
        }
    }
}
