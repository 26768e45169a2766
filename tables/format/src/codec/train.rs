//! Training a side's model on some slabs.
//!
//! Whole numbers only: the same slabs give the same model on every machine.

use super::block::{Codec, SideCodec};
use super::clustering::Clustering;
use super::model::{Cluster, Model, Tables};
use super::sample::{
    BlockSample, COST_FRACTION_BITS, Costs, Sample, SampleStatistics, SampledSymbol, SampledSymbols, count,
};
use super::stripe::MAX_BLOCK_STRIPES;
use crate::index::{Layout, Stripes};
use crate::value::Metric;
use makruk_rules::Color;

/// The positions of a block, about: a stripe of most pieces has as many, and a reader decodes half of them on average.
const BLOCK_POSITIONS: u64 = 56;
/// Blocks that would take fewer bytes than this on average are joined by twos, if that pays: a value then takes twice
/// the time.
const JOINED_BYTES: u64 = 8;
/// The least bytes of a side of a table of distances whose blocks are joined.
const JOINED_SIDE_BYTES: u64 = 16 << 20;
/// The same for a category table.
const JOINED_CATEGORY_BYTES: u64 = 4 << 20;
/// The bits that a block takes besides its symbols: for its length, its share of the index, and half a byte of
/// rounding. It also begins without a history.
const BLOCK_BITS: u64 = 11;
/// The most buckets and clusters of a model, from the smallest to the largest.
const MODEL_SIZES: [(usize, [usize; 3]); 4] =
    [(1, [6, 6, 12]), (3, [24, 24, 48]), (5, [64, 64, 128]), (8, [128, 128, 256])];
/// The weight of a model's byte against a block's: a reader far from the file fetches all of them for its first value.
const MODEL_WEIGHT: u64 = 6;
/// The bits of a run of contexts in a model's table.
const RUN_BITS: u64 = 16;
/// The fewest bits of the sample that a run must save: by less, the sample differs from the other slabs.
const LEAST_SAVED: u64 = 6;
/// A side of fewer positions has one of the two smallest models: those of many such tables fit a processor's cache.
const MANY_POSITIONS: u64 = 1 << 24;
/// The entries that the sample has at least for a model of each size.
const LEAST_ENTRIES: [u64; MODEL_SIZES.len()] = [0, 1 << 15, 1 << 17, 1 << 20];
/// The most entries that a model is trained on.
const MOST_ENTRIES: u64 = 1 << 21;
/// The most entries on which one axis is compared with the others.
const SURVEY_ENTRIES: u64 = 1 << 18;
/// The bits of the fraction of a position's cost.
const POSITION_FRACTION_BITS: u32 = 20;

/// Trains the model of a side to move.
#[derive(Clone, Debug)]
pub struct Trainer<'a> {
    layout: &'a Layout,
    side: Color,
    metric: Metric,
    values: usize,
}

/// A model, and the size of the sample.
struct Trained {
    model: Model,
    size: SampleSize,
}

/// The size of a sample.
#[derive(Clone, Copy)]
struct SampleSize {
    /// The bits that the symbols take.
    bits: u64,
    stripes: u64,
    positions: u64,
    /// The distance between blocks of the sample, in blocks of its slabs.
    step: u64,
}

impl<'a> Trainer<'a> {
    /// A trainer for a side of a table of this metric, with `values` values in its list.
    pub fn new(layout: &'a Layout, metric: Metric, side: Color, values: usize) -> Trainer<'a> {
        Trainer { layout, side, metric, values }
    }

    /// Chooses the fast piece, the model and the size of blocks that make the sample smallest. The
    /// reference is the codec of the same side in the table that this one refers to. With it, fast piece and size of
    /// blocks are the reference's, and whether the neighbours' codes are moved is chosen.
    ///
    /// # Panics
    ///
    /// If the material has no man but the kings.
    pub fn train(&self, sample: Vec<Sample>, reference: Option<&SideCodec>) -> SideCodec {
        let (stripes, block_stripes) = match reference {
            Some(SideCodec { codec, .. }) => (codec.stripes.clone(), codec.block_stripes),
            None => self.choose_stripes(&sample).expect("a material with tables has an axis"),
        };
        let cost = |is_moved| self.survey((&stripes, block_stripes), &sample, is_moved).bits;
        let is_moved = reference.is_some() && cost(true) < cost(false);
        let trained = self.train_model((&stripes, block_stripes), sample, is_moved);
        let bits = Some(trained.size.bits_with_blocks(block_stripes) * trained.size.step);
        SideCodec::new(Codec { stripes, side: self.side, block_stripes, model: trained.model }, bits)
    }

    /// The stripes of the axis with which a position costs least, the first of several, and their number in a block.
    /// `None` if there is no axis.
    fn choose_stripes(&self, sample: &[Sample]) -> Option<(Stripes, usize)> {
        let axes = 0..self.layout.axes().len();
        let all = axes.filter_map(|axis| Stripes::new(self.layout.clone(), axis)).map(|stripes| {
            let size = self.survey((&stripes, 1), sample, false);
            let least = if self.metric == Metric::Category { JOINED_CATEGORY_BYTES } else { JOINED_SIDE_BYTES };
            let block_stripes = size.block_stripes(size.of_side(self.slabs_per_sample(sample)) >= 8 * least);
            // The samples of a pawn and of like men have fewer legal positions than those of others.
            let bits = size.bits_with_blocks(block_stripes) << POSITION_FRACTION_BITS;
            (bits / size.positions.max(1), stripes, block_stripes)
        });
        all.min_by_key(|(cost, stripes, _)| (*cost, stripes.axis()))
            .map(|(_, stripes, block_stripes)| (stripes, block_stripes))
    }

    /// An estimate of the size with `block_stripes` of these stripes in a block: from few of them, without clusters.
    fn survey(&self, (stripes, block_stripes): (&Stripes, usize), sample: &[Sample], is_moved: bool) -> SampleSize {
        let sample = BlockSample::new(stripes, self.side, sample, block_stripes, SURVEY_ENTRIES);
        let found = sample.symbols(self.values, is_moved);
        let statistics = found.statistics(1);
        let costs = Costs::new();
        let symbols: u64 = statistics.first_counts().iter().map(|counts| costs.of_context(counts)).sum();
        SampleSize::of(&found, symbols + statistics.escapes(&costs).1)
    }

    /// Trains a model for blocks of `block_stripes` of these stripes: of those that the sample is large enough for, the
    /// one with which all slabs take least.
    fn train_model(&self, (stripes, block_stripes): (&Stripes, usize), sample: Vec<Sample>, is_moved: bool) -> Trained {
        let entries = BlockSample::entries(stripes, &sample);
        let most = if self.layout.positions()[self.side] < MANY_POSITIONS { 2 } else { MODEL_SIZES.len() };
        let sizes = MODEL_SIZES[..most].iter().zip(LEAST_ENTRIES).filter(|&(_, least)| entries >= least);
        let sampled = BlockSample::new(stripes, self.side, &sample, block_stripes, MOST_ENTRIES);
        let found = sampled.symbols(self.values, is_moved);
        let slabs = self.slabs_per_sample(&sample);
        drop(sample);
        let run_bits = (MODEL_WEIGHT * RUN_BITS * slabs.1 / (slabs.0 * found.step)).max(LEAST_SAVED);
        let all = sizes.map(|(&size, _)| Trained::of(size, &found, is_moved, run_bits));
        let bits = |trained: &Trained| {
            let mut model = Vec::new();
            trained.model.write(&mut model);
            trained.size.of_side(slabs) + MODEL_WEIGHT * 8 * model.len() as u64
        };
        all.min_by_key(bits).expect("the smallest model is always trained")
    }

    /// The number of slabs, and of those in the sample.
    fn slabs_per_sample(&self, sample: &[Sample]) -> (u64, u64) {
        (self.layout.slabs() as u64, sample.len().max(1) as u64)
    }
}

impl Trained {
    /// Trains a model with at most `buckets` buckets, and `most` clusters of each table. A run of contexts costs
    /// `run_bits` bits.
    fn of((buckets, most): (usize, [usize; 3]), found: &SampledSymbols, is_moved: bool, run_bits: u64) -> Trained {
        let statistics = found.statistics(buckets);
        let costs = Costs::new();
        let (code_frequencies, escape_cost) = statistics.escapes(&costs);
        let (tables, clusters, cost) = cluster(&statistics, most, run_bits << COST_FRACTION_BITS, &costs);
        Trained {
            model: Model::new((found.mode, is_moved), &statistics.bounds, tables, clusters, &code_frequencies),
            size: SampleSize::of(found, cost + escape_cost),
        }
    }
}

/// The tables with at most `most` clusters each, the distributions of the last one's, and the cost of all symbols.
/// Each table's clusters, joined with its own contexts, are the contexts of the next table.
fn cluster(
    statistics: &SampleStatistics<'_>,
    most: [usize; 3],
    run_cost: u64,
    costs: &Costs,
) -> (Tables, Vec<Cluster>, u64) {
    let mut cluster_of = [const { Vec::new() }; 3];
    let mut counts = [0; 3];
    let mut found = Clustering::of(&statistics.first_counts(), most[0], run_cost, costs);
    let entries = &statistics.symbols.entries;
    let mut of_entries: Vec<u8> =
        entries.iter().map(|entry| found.cluster_of[statistics.first_context(entry)]).collect();
    for (table, &most) in most.iter().enumerate().skip(1) {
        let contexts = Tables::CONTEXTS[table];
        cluster_of[table - 1] = std::mem::take(&mut found.cluster_of);
        let context = |of: u8, entry: &SampledSymbol| usize::from(of) * contexts + usize::from(entry.context(table));
        let symbols = of_entries.iter().zip(entries);
        let symbols = symbols.map(|(&of, entry)| (context(of, entry), entry.symbol));
        let clusters = found.clusters.len();
        found = Clustering::of(&count(clusters * contexts, symbols), most, run_cost, costs);
        for (of, entry) in of_entries.iter_mut().zip(entries) {
            *of = found.cluster_of[context(*of, entry)];
        }
        counts[table] = clusters;
    }
    cluster_of[2] = found.cluster_of;
    counts[0] = cluster_of[0].len() / Tables::CONTEXTS[0];
    (Tables::of_file(&cluster_of, counts), found.clusters, found.cost)
}

impl SampleSize {
    /// The size of a sample with these statistics whose symbols have this cost.
    fn of(found: &SampledSymbols, cost: u64) -> SampleSize {
        let (bits, positions) = (cost >> COST_FRACTION_BITS, found.positions());
        SampleSize { bits, stripes: found.stripes, positions, step: found.step }
    }

    /// The bits of a side of `slabs` slabs, of which the sample is from `sampled`.
    fn of_side(self, (slabs, sampled): (u64, u64)) -> u64 {
        self.bits * self.step * slabs / sampled
    }

    /// The number of stripes in a block: those that have the usual number of positions. If small blocks may be joined,
    /// there are more where almost nothing is in them, because the index would otherwise be most of the file.
    fn block_stripes(self, may_join: bool) -> usize {
        let SampleSize { bits, stripes, positions, .. } = self;
        let most = MAX_BLOCK_STRIPES as u64;
        if bits * most < stripes * 8 {
            return MAX_BLOCK_STRIPES;
        }
        let usual = ((BLOCK_POSITIONS * stripes + positions / 2) / positions.max(1)).max(1);
        let is_joined = may_join && bits * usual < stripes * 8 * JOINED_BYTES;
        (if is_joined { 2 * usual } else { usual }).min(most) as usize
    }

    /// The bits of the sample in blocks of `block_stripes` stripes.
    fn bits_with_blocks(self, block_stripes: usize) -> u64 {
        self.bits + self.stripes * BLOCK_BITS / block_stripes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use makruk_rules::Role;

    /// Numbers below 2^32 in no order.
    fn scattered(number: u64) -> u64 {
        let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    }

    #[test]
    fn the_fast_piece_is_that_whose_positions_cost_least() {
        let layout = Layout::new("KRPvK".parse::<Material>().unwrap());
        let sample = |slab: usize| {
            // By the pawn's square, which is fixed in the stripes of a rook, one of two values is the likelier.
            let code = |offset: u64| {
                let likelier = scattered(layout.squares_at(offset)[0].index() as u64) % 2;
                (likelier ^ u64::from(scattered(offset << 8 | slab as u64).is_multiple_of(4))) as u16
            };
            Sample { slab, codes: (0..layout.slab_len()).map(code).collect(), reference: None }
        };
        assert!(layout.axes()[0].piece.role == Role::Pawn && layout.axes()[1].piece.role == Role::Rook);
        // With this number of slabs the survey looks at every stripe of a rook, but at every third of a pawn.
        let samples: Vec<Sample> = (0..170).map(sample).collect();
        let SideCodec { codec, .. } = Trainer::new(&layout, Metric::Dtm, Color::White, 2).train(samples, None);
        assert_eq!(codec.stripes.fast_piece().role, Role::Rook);
    }
}
