//! What a build will take, worked out before it starts.

use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;
use serde::Serialize;

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
    /// Memory while it is solved, in bytes.
    pub memory_bytes: u64,
    /// Its files, in bytes: as they are if built, else a guess from the number of positions.
    pub disk_bytes: u64,
    /// Work in position-passes: positions, times the passes over them that a set of so many men takes on the whole.
    pub work: u64,
    /// Are all its tables in the folder?
    pub built: bool,
}

/// The metrics a set has tables for.
pub fn metrics(set: Material) -> &'static [Metric] {
    if set.is_armed() { &Metric::ALL } else { &[Metric::Dtm] }
}

/// The most men with which what solving finds is kept in memory; with more it goes to files without names.
pub const MOST_MEN_IN_MEMORY: usize = 5;

/// Memory for solving a set, in bytes.
///
/// Four sets of positions are always in memory: the undecided of both sides to move, and both frontiers. Up to
/// `MOST_MEN_IN_MEMORY` men so is what is found, at most a bit and a half for each position of both sides to move, and
/// the capture cells, four bytes for each, of which there is one wherever two men of different colours share a square.
pub fn memory_bytes(set: Material) -> u64 {
    let geometry = Geometry::new(set);
    let words = (geometry.slabs() * geometry.slab_words()) as u64;
    let sets = 4 * 8 * words;
    let mut found = 0;
    if set.men() <= MOST_MEN_IN_MEMORY {
        let (white, black) = (set.side(Color::White).total() as u64, set.side(Color::Black).total() as u64);
        let meetings = white * (black + 1) + black * (white + 1);
        found = 3 * 8 * words + 4 * meetings * words;
    }
    // Codes and blocks wait to be written; a child's slab for each thread; the program itself.
    let fixed = 3 * crate::write::BATCH_POSITIONS + (128 << 20);
    sets + found + fixed
}

/// The plan of one set.
pub fn plan(set: Material, folder: Option<&TableFolder>) -> SetPlan {
    let layout = Layout::new(set);
    let positions = layout.positions().iter().sum::<u64>();
    let metrics = metrics(set);
    let files: Vec<Option<u64>> = metrics
        .iter()
        .map(|&metric| {
            let path = folder?.path_of(&set.to_string(), metric);
            std::fs::metadata(path).ok().map(|file| file.len())
        })
        .collect();
    // Tables of five men take one byte for about 20 positions.
    let guess = positions / 20;
    let passes = 40 * (set.men() as u64 - 2);
    SetPlan {
        material: set.to_string(),
        men: set.men(),
        children: set.children().iter().map(Material::to_string).collect(),
        positions,
        memory_bytes: memory_bytes(set),
        disk_bytes: files.iter().map(|bytes| bytes.unwrap_or(guess)).sum(),
        work: positions * passes * metrics.len() as u64,
        built: files.iter().all(Option::is_some),
    }
}
