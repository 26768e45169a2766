//! What a build will take, worked out before it starts.

use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Role};
use serde::Serialize;

use crate::budget::Memory;
use crate::geometry::Geometry;

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
    /// The most memory that it takes to build it, in bytes; see [`memory_bytes`](crate::memory_bytes).
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

/// What layers take at most, as far as seen, for each word of 64 positions.
const MOST_LAYER_BYTES: u64 = 240;

/// How many times shorter layers and captures are in a working file, at the least.
const PACKED: u64 = 3;

/// The work of building a set in position-passes: positions as the solver holds them, like men told apart, times the
/// passes over them that a set of so many men takes on the whole. A core does some 8 billion in a second.
pub fn work(set: Material) -> u64 {
    let geometry = Geometry::new(set);
    let cells = 2 * 64 * (geometry.slabs() * geometry.slab_words()) as u64;
    let passes = 40 * (set.men() as u64 - 2);
    cells * passes * set.distance_metrics().len() as u64
}

/// The plan of one set, to be built with so many threads.
pub fn plan(set: Material, folder: Option<&TableFolder>, threads: usize) -> SetPlan {
    let geometry = Geometry::new(set);
    let positions = geometry.layout().positions().iter().sum::<u64>();
    let words = (geometry.slabs() * geometry.slab_words()) as u64;
    let memory = Memory::of(&geometry);
    let metrics = set.table_metrics();
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
