//! The memory that a build takes, by its use.

use makruk_tables::index::Layout;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::derived_side_bytes;

use crate::budget::{Budget, KEPT_BYTES, SAMPLE_POSITIONS, SAMPLE_SLABS, SMALL};
use crate::options::StoredSides;
use crate::solve::attack::Attack;
use crate::solve::bitset::PositionSet;
use crate::solve::capture_seeds::{self, CaptureSeeds};
use crate::solve::decision_log::{DecisionLog, SlabDecisions};
use crate::solve::geometry::Geometry;

/// The program itself, its threads' stacks, tables of moves.
const PROGRAM_BYTES: u64 = 32 << 20;

/// The most passes that decide something in a slab, for each attacker and side to move. The longest wins of three, four and
/// five men have 16, 57 and 177 moves; the longest known of six men has 216.
const fn most_passes(men: usize) -> u64 {
    match men {
        ..=3 => 20,
        4 => 64,
        5 => 200,
        _ => 512,
    }
}

/// A vector that grows holds its content, and while it is copied to a larger one of twice the length, both.
const GROWTH: u64 = 3;

/// The most bytes of a block for each code.
const BLOCK_BYTES_PER_CODE: u64 = 3;

/// A code of a position.
const CODE_BYTES: u64 = size_of::<u16>() as u64;

/// A position's place in a slab, in the file's order or in the solver's.
const PLACE_BYTES: u64 = size_of::<u32>() as u64;

impl Budget {
    /// The most memory that building a material with so many threads takes, in bytes.
    ///
    /// Four sets of positions are always in memory. Decisions stay there as far as the budget allows; the rest goes to files.
    pub fn memory_bytes(&self, material: Material, threads: usize) -> u64 {
        MemoryPlan::of(&Geometry::new(material), self).total(threads as u64)
    }
}

/// The memory that building a material may take, by its use, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlan {
    /// The sets of positions.
    sets: u64,
    /// The decisions under one metric that stay in memory.
    pub decisions: u64,
    /// The places of the decisions under one metric.
    log: u64,
    /// The number of metrics whose decisions are there at one time.
    pub metrics: u64,
    /// Capture seeds that stay in memory, by the side that captures.
    pub seeds: ByColor<u64>,
    /// The place in its file of each position that a capture leads to.
    child_places: u64,
    /// Captures and decisions that one thread makes of one slab.
    thread_solving: u64,
    /// Slabs of children.
    children: u64,
    /// Samples, codes and blocks on their way to the file.
    writing: u64,
    /// Codes of the slab that one thread writes.
    thread_writing: u64,
}

impl MemoryPlan {
    /// The memory for a material of this shape.
    pub(crate) fn of(geometry: &Geometry, budget: &Budget) -> MemoryPlan {
        let layout = geometry.layout();
        let material = layout.material();
        let slabs = geometry.slabs() as u64;
        let slab_words = geometry.slab_words() as u64;
        let (slab_bits, words) = (64 * slab_words, slabs * slab_words);
        let men = ByColor::from_fn(|color| material.side(color).total() as u64);
        // The bits in which a man of the mover, the king included, shares its square with one of the opponent's: one in 64.
        let captures = ByColor::from_fn(|mover: Color| (men[mover] + 1) * men[!mover]);
        let in_memory = material.men() <= budget.men_in_memory;
        let (decisions, kept_metrics, seeds) = if in_memory {
            let seeds = captures.map(|captures| CaptureSeeds::SEED_BYTES * captures * words);
            (budget.decision_bytes_per_word * words, material.distance_metrics().len() as u64, seeds)
        } else {
            (0, 1, ByColor::default())
        };
        let most = |counts: ByColor<u64>| counts.white.max(counts.black);
        // The slab of a child has a 64th of the positions: it lacks one man.
        let child_slabs = most(men) * slab_words * capture_seeds::CHILD_CELL_BYTES;
        let found = GROWTH * capture_seeds::DECIDED_BYTES + CaptureSeeds::SEED_BYTES;
        let pass = GROWTH * geometry.rows() as u64 * SlabDecisions::max_row_bytes(geometry.row_words());
        let sampled = (SAMPLE_POSITIONS / layout.slab_len()).max(SAMPLE_SLABS).min(slabs);
        let batch = (budget.batch_positions + slab_bits).min(slabs * slab_bits);
        MemoryPlan {
            sets: Attack::SETS * PositionSet::bytes(geometry),
            decisions,
            log: 2 * 2 * most_passes(material.men()) * slabs * DecisionLog::ENTRY_BYTES,
            metrics: kept_metrics,
            seeds,
            child_places: (men.white + men.black) * slab_words * PLACE_BYTES,
            thread_solving: (most(captures) * slab_words * found + child_slabs).max(pass),
            children: children_bytes(material),
            // Codes and the reference's codes of the sample, blocks, the order of a slab.
            writing: 2 * CODE_BYTES * sampled * layout.slab_len()
                + BLOCK_BYTES_PER_CODE * batch
                + 2 * PLACE_BYTES * slab_bits,
            // Codes in the solver's order and in the file's, of this metric and of that which it refers to.
            thread_writing: 2 * 2 * CODE_BYTES * slab_bits,
        }
    }

    /// Do the decisions under one metric stay while the next is solved? In files they would take too much room.
    pub(crate) fn keeps_decisions(&self) -> bool {
        self.decisions > 0
    }

    /// The memory needed at one time.
    pub(crate) fn total(&self, threads: u64) -> u64 {
        let solving = self.seeds.white + self.seeds.black + self.child_places + threads * self.thread_solving;
        let writing = self.writing + threads * self.thread_writing;
        let decisions = self.metrics * (self.decisions + self.log);
        PROGRAM_BYTES + self.sets + decisions + self.children + solving.max(writing)
    }
}

/// The memory for children, in bytes: decoded slabs of small materials and of omitted sides, and the working memory of
/// deriving these.
fn children_bytes(material: Material) -> u64 {
    let mut sides: Vec<(Material, Color)> = Vec::new();
    let mut working = 0;
    for piece in material.pieces() {
        let left = material.without(piece).filter(|left| left.material != Material::BARE_KINGS);
        let Some(Oriented { material: child, orientation }) = left else {
            continue;
        };
        // The side that lost the man is to move.
        let side = orientation.color(piece.color);
        let is_omitted = !StoredSides::Usual.of(child)[side];
        if (child.men() <= SMALL || is_omitted) && !sides.contains(&(child, side)) {
            sides.push((child, side));
            working += if is_omitted { derived_side_bytes(child, side) } else { 0 };
        }
    }
    let codes = |&(child, side): &(Material, Color)| Layout::new(child).positions()[side];
    KEPT_BYTES.min(CODE_BYTES * sides.iter().map(codes).sum::<u64>()) + working
}

/// The most memory that building a material with so many threads takes under the usual [`Budget`], in bytes.
pub fn memory_bytes(material: Material, threads: usize) -> u64 {
    Budget::default().memory_bytes(material, threads)
}
