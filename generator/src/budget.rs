//! What is held in memory at a time, and what that comes to.

use makruk_tables::index::Layout;
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{ByColor, Color};
use makruk_tables::tablebase::derived_side_bytes;

use crate::geometry::Geometry;
use crate::options::StoredSides;

/// The most men with which some of what solving finds is kept in memory; with more all of it goes to files.
pub const MOST_MEN_IN_MEMORY: usize = 5;

/// How many bytes of layers stay in memory for each word of 64 positions: most sets' layers are no larger, the longest
/// endings' are six times that.
const LAYER_BYTES: u64 = 24;

/// How many bytes of a set a pass goes through before it puts away what it decided there.
pub(crate) const GROUP_BYTES: usize = 1 << 26;

/// How many positions are turned into codes and compressed at a time: their blocks wait in memory meanwhile.
pub(crate) const BATCH_POSITIONS: u64 = 1 << 25;

/// How many positions models are learned from; they wait in memory meanwhile.
pub(crate) const SAMPLE_POSITIONS: u64 = 6 << 20;

/// The fewest slabs that models are learned from.
pub(crate) const SAMPLE_SLABS: u64 = 3;

/// The most that is kept of children, in bytes.
pub(crate) const KEPT_BYTES: u64 = 2 << 30;

/// The most men with which a side that is stored is worth keeping: it takes some megabytes. Larger sets leave the room to what
/// their files leave out, which takes far longer.
pub(crate) const SMALL: usize = 4;

/// The program itself, its threads' stacks, tables of moves.
const PROGRAM_BYTES: u64 = 32 << 20;

/// What is kept for each slab: where its layers lie, 32 bytes for each of up to 200 moves, attacks and sides to move.
const SLAB_BYTES: u64 = 2 * 2 * 200 * 32;

/// The memory that solving a set may take, by what it is for, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Four sets of positions: what is undecided with either side to move, and both frontiers. And what is kept for each
    /// slab.
    sets: u64,
    /// What is decided under one metric, as far as it does not go to a file.
    pub layers: u64,
    /// How many metrics' layers there are at one time.
    pub kept: u64,
    /// Capture cells by the side that captures, as far as they don't go to files.
    pub events: ByColor<u64>,
    /// What a pass has decided and not put away yet.
    pass: u64,
    /// Lists of captures that one thread makes.
    thread_events: u64,
    /// What is kept of children.
    children: u64,
    /// Codes and blocks on their way to the file.
    writing: u64,
    /// Codes of the slab that one thread writes.
    thread_codes: u64,
}

impl Memory {
    /// The memory of a set of this shape.
    pub(crate) fn of(geometry: &Geometry) -> Memory {
        let set = geometry.layout().material();
        let slab_words = geometry.slab_words() as u64;
        let words = geometry.slabs() as u64 * slab_words;
        let side = ByColor::from_fn(|color| set.side(color).total() as u64);
        // One capture cell for each 64 cells and each man of the mover, the king included, with each man he may take.
        let meetings = ByColor::from_fn(|mover: Color| (side[mover] + 1) * side[!mover]);
        let (layers, kept, events) = if set.men() <= MOST_MEN_IN_MEMORY {
            (LAYER_BYTES * words, set.distance_metrics().len() as u64, meetings.map(|meetings| 4 * meetings * words))
        } else {
            (0, 1, ByColor::default())
        };
        let group = words.min((GROUP_BYTES as u64 / 8).max(slab_words));
        let batch = (64 * words).min(BATCH_POSITIONS + 64 * slab_words);
        let slab_len = geometry.layout().slab_len();
        let slabs = (SAMPLE_POSITIONS / slab_len).max(SAMPLE_SLABS).min(geometry.slabs() as u64);
        let sample = slabs * slab_len;
        Memory {
            sets: 4 * 8 * words + kept * SLAB_BYTES * geometry.slabs() as u64,
            layers,
            kept,
            events,
            // A word and its part of a row's head; rarely more than half of all words in one pass.
            pass: 9 * group,
            // A move and a cell, twelve bytes with the copy in order; a child's values, of which each has a 64th of the
            // positions.
            thread_events: slab_words * (12 * meetings.white.max(meetings.black) + 4 * (side.white + side.black)),
            children: children_bytes(set),
            // Blocks of at most three bytes a code; the slabs that models are learned from, with what they refer to; the order of
            // a slab, and what that is made from.
            writing: 3 * batch + 4 * sample + 2 * 4 * 64 * slab_words,
            // Codes in the solver's order and in the file's, and what they refer to.
            thread_codes: 3 * 2 * 64 * slab_words,
        }
    }

    /// Do the layers of one metric stay while the next is solved? In files they would take too much room.
    pub(crate) fn keeps_layers(&self) -> bool {
        self.layers > 0
    }

    /// All that is needed at one time.
    pub(crate) fn total(&self, threads: u64) -> u64 {
        let solving = self.events.white + self.events.black + self.pass + threads * self.thread_events;
        let writing = self.writing + threads * self.thread_codes;
        self.sets + self.kept * self.layers + self.children + solving.max(writing) + PROGRAM_BYTES
    }
}

/// What the children take at most, in bytes: codes that are worth keeping, of small sets and of what files leave out, and what
/// it takes to work that out.
fn children_bytes(set: Material) -> u64 {
    let mut sides: Vec<(Material, Color)> = Vec::new();
    let mut working = 0;
    for piece in set.pieces() {
        let left = set.without(piece).filter(|left| left.material != Material::BARE_KINGS);
        let Some(Oriented { material: child, orientation }) = left else {
            continue;
        };
        // The side that lost the man is to move.
        let side = orientation.color(piece.color);
        let is_left_out = !StoredSides::Usual.of(child)[side];
        if (child.men() <= SMALL || is_left_out) && !sides.contains(&(child, side)) {
            sides.push((child, side));
            working += if is_left_out { derived_side_bytes(child, side) } else { 0 };
        }
    }
    let codes = |&(child, side): &(Material, Color)| Layout::new(child).positions()[side];
    KEPT_BYTES.min(2 * sides.iter().map(codes).sum::<u64>()) + working
}

/// The most memory that building a set with so many threads takes, in bytes.
///
/// Four sets of positions are always in memory. What is found stays there as far as room is foreseen for it; the rest
/// goes to files. The children's files are mapped, and no part of this: their pages are the system's to drop.
pub fn memory_bytes(set: Material, threads: usize) -> u64 {
    Memory::of(&Geometry::new(set)).total(threads as u64)
}
