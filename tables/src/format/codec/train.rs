//! Training a side's model on some slabs.
//!
//! Whole numbers only: the same slabs give the same model on every machine.

use super::block::{Codec, MAX_BLOCK_STRIPES, SideCodec};
use super::clustering::Clustering;
use super::model::Model;
use super::sample::{COST_FRACTION_BITS, Costs, Sample, StripeSample};
use crate::index::{Layout, Stripes};
use crate::material::Material;
use crate::rules::Color;

/// Stripes that take fewer bytes than this on average share a block with others.
const JOINED_BYTES: u64 = 6;
/// The number of such stripes in a block.
const JOINED_STRIPES: usize = 2;
/// Below this number of entries in the sample, a model has the smallest tables.
const SMALL: u64 = 1 << 15;
/// From this number of entries on, a model has the largest tables.
const LARGE: u64 = 1 << 20;
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
    values: usize,
}

/// A model, and its cost on the sample.
struct Trained {
    model: Model,
    /// The bits that the sample takes.
    bits: u64,
    /// The stripes of the sample.
    stripes: u64,
}

impl<'a> Trainer<'a> {
    /// A trainer for a side with `values` values in its list.
    pub fn new(layout: &'a Layout, side: Color, values: usize) -> Trainer<'a> {
        Trainer { layout, side, values }
    }

    /// Chooses the fast piece, the model and the size of blocks that make the sample smallest. With a reference, which is the
    /// codec of the same side in the table that this one refers to, fast piece and size of blocks are the reference's.
    ///
    /// # Panics
    ///
    /// If the material has no man but the kings.
    pub fn train(&self, sample: &[Sample], reference: Option<&SideCodec>) -> SideCodec {
        let stripes = match reference {
            Some(SideCodec(codec)) => codec.stripes.clone(),
            None => self.choose_stripes(sample).expect("a material with tables has an axis"),
        };
        let trained = self.train_model(&stripes, sample);
        let block_stripes = match reference {
            Some(SideCodec(codec)) => codec.block_stripes,
            None => trained.block_stripes(),
        };
        SideCodec(Codec { stripes, side: self.side, block_stripes, model: trained.model })
    }

    /// The stripes of the axis that costs least; the first of several. `None` if there is no axis.
    fn choose_stripes(&self, sample: &[Sample]) -> Option<Stripes> {
        let axes = 0..self.layout.axes().len();
        let all = axes.filter_map(|axis| Stripes::new(self.layout.clone(), axis));
        all.min_by_key(|stripes| (self.survey(stripes, sample), stripes.axis()))
    }

    /// An estimate of the cost with these stripes: from few of them, and without clusters.
    fn survey(&self, stripes: &Stripes, sample: &[Sample]) -> u64 {
        let statistics = StripeSample::new(stripes, self.side, sample, SURVEY_ENTRIES).statistics(self.values, 1);
        let costs = Costs::new();
        let symbols: u64 = statistics.contexts.iter().map(|counts| costs.of_context(counts)).sum();
        let cost = symbols + statistics.escapes(&costs).1;
        if chooses_by_sums(self.layout.material()) {
            return cost;
        }
        // The samples of a pawn and of like men have fewer legal positions than those of others.
        let positions: u64 = statistics.contexts.iter().flatten().copied().map(u64::from).sum();
        (cost << POSITION_FRACTION_BITS) / positions.max(1)
    }

    /// Trains a model for these stripes.
    fn train_model(&self, stripes: &Stripes, sample: &[Sample]) -> Trained {
        let (buckets, clusters) = match StripeSample::entries(stripes, sample) {
            0..SMALL => (1, 12),
            SMALL..LARGE => (6, 40),
            _ => (24, 128),
        };
        let statistics = StripeSample::new(stripes, self.side, sample, MOST_ENTRIES).statistics(self.values, buckets);
        let costs = Costs::new();
        let (code_frequencies, escape_cost) = statistics.escapes(&costs);
        let Clustering { cluster_of, clusters, cost } = Clustering::of(&statistics.contexts, clusters, &costs);
        Trained {
            model: Model::new(statistics.mode, &statistics.bounds, cluster_of, clusters, &code_frequencies),
            bits: (cost + escape_cost) >> COST_FRACTION_BITS,
            stripes: statistics.stripes,
        }
    }
}

/// Whether the fast piece is chosen by the cost of the whole sample, not of a position, as in the first version of the format. The
/// choice is worse where men are alike, but these materials keep their bytes.
fn chooses_by_sums(material: Material) -> bool {
    material.men() <= 5 && !material.has_pawns()
}

impl Trained {
    /// The number of stripes in a block. Stripes with next to nothing in them are many to a block: the index would otherwise
    /// be most of the file.
    fn block_stripes(&self) -> usize {
        let Trained { bits, stripes, .. } = *self;
        if bits * (MAX_BLOCK_STRIPES as u64) < stripes * 8 {
            MAX_BLOCK_STRIPES
        } else if bits < stripes * 8 * JOINED_BYTES {
            JOINED_STRIPES
        } else {
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Role;

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
        // Of so many slabs the survey looks at every stripe of a rook, but at every third of a pawn.
        let samples: Vec<Sample> = (0..170).map(sample).collect();
        let SideCodec(codec) = Trainer::new(&layout, Color::White, 2).train(&samples, None);
        assert_eq!(codec.stripes.fast_piece().role, Role::Rook);
    }
}
