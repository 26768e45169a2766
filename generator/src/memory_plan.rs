//! The memory that a build takes, by its use.

use makruk_format::TableId;
use makruk_format::index::Layout;
use makruk_rules::{ByColor, Color, Role};
use makruk_tables::material::Material;
use makruk_tables::tablebase::derived_side_bytes;
use makruk_tables::value::Metric;

use crate::options::{Budget, KEPT_BYTES, SAMPLE_POSITIONS, SAMPLE_SLABS, SMALL, StoredSides};
use crate::solve::attack::Attack;
use crate::solve::bitset::PositionSet;
use crate::solve::decision_log::DecisionLog;
use crate::solve::exit_seeds::{self, ExitSeeds};
use crate::solve::geometry::Geometry;
use crate::solve::groups::Groups;
use crate::solve::slab_decisions::SlabDecisions;
use crate::solve::word_rows::SentWords;

/// The program itself, its threads' stacks, tables of moves.
const PROGRAM_BYTES: u64 = 32 << 20;
/// The counts of symbols in each context, which a thread keeps while it trains a model.
const TRAINING_BYTES: u64 = 6 << 20;

/// The most passes that decide something in a slab, for each attacker and side to move. The longest wins of three, four
/// and five men have 16, 57 and 177 moves; the longest known of six men has 216.
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

/// The most bytes of a position in the blocks of a table of distances: a symbol and a code take 12 bits each. In those
/// of a category table it takes one at most.
const BLOCK_BYTES: u64 = 3;
const CATEGORY_BYTES: u64 = 1;

/// The squares of a side's unpromoted pawns.
const PAWN_SQUARES: u64 = Color::White.pawn_squares().0.count_ones() as u64;

/// A code of a position.
const CODE_BYTES: u64 = size_of::<u16>() as u64;

/// A position's place in a slab.
const PLACE_BYTES: u64 = size_of::<u32>() as u64;

impl Budget {
    /// The most memory that building a material with `threads` threads takes, in bytes, if there is no limit.
    ///
    /// Four sets of positions are in memory. Decisions stay there as far as the budget allows; the rest goes to files.
    pub fn memory_bytes(&self, material: Material, threads: usize) -> u64 {
        MemoryPlan::of(&Geometry::within(material, self), self).total(threads as u64)
    }

    /// The least memory in which a material can be built, in bytes. Only the slabs that a pass needs at one time are in
    /// memory; all other sets of positions are packed and in working files.
    pub fn least_memory_bytes(&self, material: Material, threads: usize) -> u64 {
        let plan = MemoryPlan::within(&Geometry::within(material, self), self, threads as u64, Some(0));
        plan.total(threads as u64)
    }
}

/// The memory that building a material may take, by its use, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlan {
    /// Lists of the moves from row to row.
    row_moves: u64,
    /// The planes of all sets that are in memory whole.
    pub planes: usize,
    /// These planes, and the index of all.
    sets: u64,
    /// All sets of positions, whole.
    all_sets: u64,
    /// The bytes of packed planes that stay in memory; `None` if all planes are there whole.
    pub packed: Option<u64>,
    /// The decisions under one metric that stay in memory.
    pub decisions: u64,
    /// The places of the decisions under one metric.
    log: u64,
    /// Whether all decisions go to a checkpoint, from which a build that was killed goes on.
    pub checkpoints: bool,
    /// The number of metrics. The decisions under all of them stay until the tables are written.
    pub metrics: u64,
    /// All exit seeds of an attacker, by the side that moves.
    pub exit_seeds: ByColor<u64>,
    /// Exit seeds that stay in memory, by the side that moves.
    pub seeds: ByColor<u64>,
    /// The place in its file of each position that an exit leads to.
    child_places: u64,
    /// Exits and decisions that one thread makes of one slab.
    thread_solving: u64,
    /// Slabs of children that are cached.
    children: u64,
    /// The slabs that children's omitted sides are derived from.
    pub deriving: u64,
    /// Blocks on their way to the file.
    writing: u64,
    /// The sample of a table that one thread trains, or the codes of the slab that it writes.
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
        let pawns = ByColor::from_fn(|color| u64::from(material.side(color).count(Role::Pawn)));
        // Words in which every pawn but some is on one of its 24 squares, like men told apart.
        let words_but = |free_pawns: u64| {
            (free_pawns..pawns.white + pawns.black).fold(words, |words, _| (words * PAWN_SQUARES).div_ceil(64))
        };
        // Of 64 bits, one has a man of the mover, the king included, on the square of a certain man of the opponent;
        // and 8 have a certain pawn on its promotion rank.
        let exits = ByColor::from_fn(|mover: Color| (men[mover] + 1) * men[!mover] + 8 * pawns[mover]);
        let all_exits = ByColor::from_fn(|mover: Color| {
            let captures = (men[mover] + 1) * men[!mover] * words_but(0);
            captures + 8 * pawns[mover] * words_but(1)
        });
        let most = |counts: ByColor<u64>| counts.white.max(counts.black);
        // The positions and the cells, all men told apart, of a slab of each child.
        let in_children = |count: fn(Material) -> u64| {
            let of_mover = |mover| material.exits(mover).map(|exit| count(exit.child.material)).sum();
            most(ByColor::from_fn(of_mover))
        };
        let child_positions = in_children(|child| Layout::new(child).slab_len());
        let child_cells = in_children(|child| 1 << (6 * (child.men() - 2)));
        let in_memory = material.men() <= budget.men_in_memory;
        let exit_seeds = all_exits.map(|exits| ExitSeeds::SEED_BYTES * exits);
        let (decisions, seeds) = if in_memory {
            (budget.decision_bytes_per_word * words_but(0), exit_seeds)
        } else {
            (0, ByColor::default())
        };
        let child_slabs = child_positions * exit_seeds::CHILD_CELL_BYTES;
        let found = GROWTH * exit_seeds::DECIDED_BYTES + ExitSeeds::SEED_BYTES;
        let sent = if geometry.row_words() == 1 { SentWords::bytes(geometry.rows()) } else { 0 };
        let pass = GROWTH * SlabDecisions::max_bytes(geometry.slab_words()) + sent;
        let sampled = (SAMPLE_POSITIONS / layout.slab_len()).max(SAMPLE_SLABS).min(slabs);
        let waiting = budget.waiting_positions.max(layout.slab_len()).min(slabs * slab_bits);
        let (children, deriving) = children_bytes(geometry);
        let planes = Attack::planes(geometry, geometry.slabs());
        let metrics = material.distance_metrics().len() as u64;
        let block_bytes = BLOCK_BYTES * metrics + CATEGORY_BYTES;
        MemoryPlan {
            row_moves: geometry.row_moves_bytes(),
            planes,
            sets: sets_bytes(geometry, planes),
            all_sets: sets_bytes(geometry, planes),
            packed: None,
            decisions,
            log: 2 * 2 * most_passes(material.men()) * slabs * DecisionLog::ENTRY_BYTES,
            checkpoints: !in_memory,
            metrics,
            exit_seeds,
            seeds,
            child_places: child_cells * PLACE_BYTES,
            thread_solving: (most(exits) * slab_words * found + child_slabs).max(pass),
            children,
            deriving: deriving.min(MOST_DERIVING),
            writing: block_bytes * waiting,
            // At first a sample of one metric, or of two where a table refers to another; then codes in the solver's
            // order, in the file's of DTM, DTZ, the table that is encoded and what is kept for promotions, and blocks.
            thread_writing: (metrics * CODE_BYTES * sampled * layout.slab_len())
                .max(CODE_BYTES * slab_bits + (4 * CODE_BYTES + block_bytes) * layout.slab_len())
                + TRAINING_BYTES,
        }
    }

    /// The memory for a material of this shape within a limit in bytes. Where all sets are too large, planes that have
    /// no room are packed, and decisions and exit seeds go to files.
    pub(crate) fn within(geometry: &Geometry, budget: &Budget, threads: u64, limit: Option<u64>) -> MemoryPlan {
        let whole = MemoryPlan::of(geometry, budget);
        let Some(limit) = limit.filter(|&limit| whole.total(threads) > limit) else { return whole };
        let planes = Attack::planes(geometry, Groups::closed(geometry).largest());
        let least = MemoryPlan {
            planes,
            sets: sets_bytes(geometry, planes),
            packed: Some(0),
            children: 0,
            deriving: whole.deriving.min(LEAST_DERIVING),
            decisions: 0,
            seeds: ByColor::default(),
            ..whole
        };
        let share = limit.saturating_sub(least.total(threads)) / CHILDREN_SHARE;
        let children = whole.children.min(share);
        let deriving = whole.deriving.min(least.deriving + share);
        MemoryPlan { children, deriving, ..least }.with_planes(geometry, threads, limit)
    }

    /// The plan with as many planes whole as a limit in bytes has room for, while the others are packed.
    fn with_planes(self, geometry: &Geometry, threads: u64, limit: u64) -> MemoryPlan {
        let room = limit.saturating_sub(self.fixed() + self.solving(threads));
        let others = self.all_sets - self.sets;
        // Of the room, `whole` bytes are for whole planes: room = whole + (others - whole) / PACKED_PLANES.
        let whole = (PACKED_PLANES * room).saturating_sub(others) / (PACKED_PLANES - 1);
        let planes = self.planes + (whole.min(others) / (size_of::<u64>() * geometry.plane_words()) as u64) as usize;
        let planned = MemoryPlan { planes, sets: sets_bytes(geometry, planes), ..self };
        let packed = limit.saturating_sub(planned.fixed() + planned.solving(threads));
        MemoryPlan { packed: Some(packed), ..planned }
    }

    /// The most bytes of packed planes that wait in a working file: a high estimate.
    pub(crate) fn planes_in_files(&self) -> u64 {
        self.packed.map_or(0, |packed| ((self.all_sets - self.sets) / PACKED_PLANES).saturating_sub(packed))
    }

    /// The bytes of children's slabs that may be cached.
    pub(crate) fn children_cache(&self) -> u64 {
        if self.packed.is_some() { self.children } else { KEPT_BYTES }
    }

    /// The memory needed at one time.
    pub(crate) fn total(&self, threads: u64) -> u64 {
        self.fixed() + (self.solving(threads) + self.packed.unwrap_or(0)).max(self.writing(threads))
    }

    /// The memory that both solving and writing need.
    fn fixed(&self) -> u64 {
        let decisions = self.metrics * (self.decisions + self.log);
        PROGRAM_BYTES + self.row_moves + decisions + self.children + self.deriving
    }

    /// The memory that solving alone needs, besides packed planes.
    fn solving(&self, threads: u64) -> u64 {
        self.sets + self.seeds.white + self.seeds.black + self.child_places + threads * self.thread_solving
    }

    /// The memory that writing alone needs.
    fn writing(&self, threads: u64) -> u64 {
        self.writing + threads * self.thread_writing
    }
}

/// The least factor by which all sets are shorter when their planes are packed.
const PACKED_PLANES: u64 = 3;

/// The most bytes of slabs that sides are derived from; and the fewest, with which slabs are read several times.
const MOST_DERIVING: u64 = 2 << 30;
const LEAST_DERIVING: u64 = 256 << 20;

/// The slabs of children that are cached, and those that sides are derived from, each take the memory that a limit
/// leaves, divided by this.
const CHILDREN_SHARE: u64 = 4;

/// The bytes of an attack's sets, with the words of `planes` planes.
fn sets_bytes(geometry: &Geometry, planes: usize) -> u64 {
    let words = (size_of::<u64>() * planes * geometry.plane_words()) as u64;
    words + Attack::SETS as u64 * PositionSet::index_bytes(geometry)
}

/// The memory for children, in bytes: decoded slabs of small materials and of omitted sides; and the memory beyond
/// which sides are derived no faster.
fn children_bytes(geometry: &Geometry) -> (u64, u64) {
    let material = geometry.layout().material();
    let mut sides: Vec<(Material, Color)> = Vec::new();
    let (mut codes, mut working) = (0, 0);
    for exit in Color::ALL.into_iter().flat_map(|mover| material.exits(mover)) {
        let (child, side) = (exit.child.material, exit.turn());
        if child == Material::BARE_KINGS || sides.contains(&(child, side)) {
            continue;
        }
        sides.push((child, side));
        let layout = Layout::new(child);
        let is_omitted = StoredSides::Usual.omittable(TableId { material: child, metric: Metric::Dtm })[side];
        // Parts of slabs, which promotions lead to, are not cached.
        let is_cached = exit.promoted().is_none() && (child.men() <= SMALL || is_omitted);
        codes += if is_cached { layout.positions()[side] } else { 0 };
        working += if is_omitted { derived_side_bytes(child, side) } else { 0 };
    }
    (KEPT_BYTES.min(CODE_BYTES * codes), working)
}
