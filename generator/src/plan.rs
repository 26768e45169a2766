//! What a build will take, worked out before it starts.

use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, Role};
use serde::Serialize;

use crate::geometry::Geometry;
use crate::kept::KEPT_BYTES;
use crate::left_out::LeftOut;
use crate::solve::GROUP_BYTES;
use crate::stored::SMALL;
use crate::write::{BATCH_POSITIONS, SAMPLE_POSITIONS, SAMPLE_SLABS, StoredSides};

/// What one set takes. The fields' names are those of `plan --json`.
#[derive(Clone, Debug, Serialize)]
pub struct SetPlan {
    /// The set's canonical name.
    pub material: String,
    /// Men, kings included.
    pub men: usize,
    /// The sets that captures lead to.
    pub children: Vec<String>,
    /// Positions in the index, both sides to move.
    pub positions: u64,
    /// The most memory that it takes to build it, in bytes; see [`memory_bytes`].
    pub memory_bytes: u64,
    /// Its files, in bytes: as they are where they are there, else a guess.
    pub disk_bytes: u64,
    /// Disk in the table folder that it takes besides while it is solved, in bytes: a guess on the large side.
    pub working_bytes: u64,
    /// Work in position-passes; see [`work`].
    pub work: u64,
    /// The names of its files.
    pub files: Vec<String>,
    /// Are all of them in the folder?
    pub built: bool,
    /// Does this version solve so many men, and is there memory for this set and all below it?
    pub buildable: bool,
}

/// The distances that a set is solved for.
pub fn metrics(set: Material) -> &'static [Metric] {
    if set.is_armed() { &Metric::DISTANCES } else { &[Metric::Dtm] }
}

/// The metrics a set has tables for: distances, and the category that follows from them.
pub fn tables(set: Material) -> &'static [Metric] {
    if set.is_armed() { &Metric::ALL } else { &[Metric::Dtm, Metric::Wdl] }
}

/// The most men with which some of what solving finds is kept in memory; with more all of it goes to files.
pub const MOST_MEN_IN_MEMORY: usize = 5;

/// How many bytes of layers stay in memory for each word of 64 positions: most sets' layers are no larger, the longest
/// endings' are six times that.
const LAYER_BYTES: u64 = 24;

/// What layers take at most, as far as seen, for each word of 64 positions.
const MOST_LAYER_BYTES: u64 = 240;

/// How many times shorter layers and captures are in a working file, at the least.
const PACKED: u64 = 3;

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
    kept: u64,
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
            (LAYER_BYTES * words, metrics(set).len() as u64, meetings.map(|meetings| 4 * meetings * words))
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
    fn total(&self, threads: u64) -> u64 {
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
        let Some((child, reversed)) = set.without(piece).filter(|&(child, _)| child != Material::BARE_KINGS) else {
            continue;
        };
        // The side that lost the man is to move.
        let side = if reversed { !piece.color } else { piece.color };
        let is_left_out = !StoredSides::Usual.of(child)[side];
        if (child.men() <= SMALL || is_left_out) && !sides.contains(&(child, side)) {
            sides.push((child, side));
            working += if is_left_out { LeftOut::memory(child, side) } else { 0 };
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

/// The threads that a build has if none are asked for.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The work of building a set in position-passes: positions as the solver holds them, like men told apart, times the
/// passes over them that a set of so many men takes on the whole. A core does some 8 billion in a second.
pub fn work(set: Material) -> u64 {
    let geometry = Geometry::new(set);
    let cells = 2 * 64 * (geometry.slabs() * geometry.slab_words()) as u64;
    let passes = 40 * (set.men() as u64 - 2);
    cells * passes * metrics(set).len() as u64
}

/// The plan of one set, to be built with so many threads.
pub fn plan(set: Material, folder: Option<&TableFolder>, threads: usize) -> SetPlan {
    let geometry = Geometry::new(set);
    let positions = geometry.layout().positions().iter().sum::<u64>();
    let words = (geometry.slabs() * geometry.slab_words()) as u64;
    let memory = Memory::of(&geometry);
    let metrics = tables(set);
    let name = set.to_string();
    let sizes: Vec<Option<u64>> = metrics
        .iter()
        .map(|&metric| std::fs::metadata(folder?.path_of(&name, metric)).ok().map(|file| file.len()))
        .collect();
    let found = memory.events.white + memory.events.black + memory.kept * MOST_LAYER_BYTES * words;
    SetPlan {
        men: set.men(),
        children: set.children().iter().map(Material::to_string).collect(),
        positions,
        memory_bytes: memory.total(threads as u64),
        disk_bytes: sizes
            .iter()
            .zip(metrics)
            .map(|(size, &metric)| size.unwrap_or(guess(set, metric, positions)))
            .sum(),
        working_bytes: found.saturating_sub(memory.kept * memory.layers) / PACKED,
        work: work(set),
        files: metrics.iter().map(|metric| format!("{name}.{metric}")).collect(),
        built: sizes.iter().all(Option::is_some),
        buildable: crate::check_men(set).is_ok(),
        material: name,
    }
}

/// A guess at the size of a table, in bytes.
///
/// Sizes are far apart: what is all drawn takes next to nothing. Whether a side can win at all is told roughly by the
/// worth of its men: with that of khon and met, or of three mets, it mates a bare king. Then the numbers below are what
/// samples of the 35 largest tables of five men come to on the whole; single tables are right to a factor of three.
fn guess(set: Material, metric: Metric, positions: u64) -> u64 {
    let worth = |color| -> u32 {
        let men = set.side(color);
        men.roles().map(|role| men.count(role) * worth_of(role)).sum()
    };
    let per_thousand = match (worth(Color::White).max(worth(Color::Black)) >= MATING_WORTH, set.is_armed(), metric) {
        (false, _, _) => 3,
        (true, _, Metric::Wdl) => 20,
        (true, false, _) => 130,
        (true, true, Metric::Dtm) => 95,
        (true, true, _) => 65,
    };
    positions * per_thousand / 1000
}

/// What mates a bare king.
const MATING_WORTH: u32 = 9;

/// The worth of a man for mating, a met's being 3.
fn worth_of(role: Role) -> u32 {
    match role {
        Role::Rook => 10,
        Role::Khon => 6,
        Role::Knight => 4,
        Role::Met => 3,
        Role::King | Role::Pawn => 0,
    }
}
