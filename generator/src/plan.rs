//! What a build will take, worked out before it starts.

use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
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

/// Memory for solving a set, in bytes.
///
/// Position sets: legality (4), one attack (escapes, open, checked) and its two frontiers, both attackers' outcomes (4);
/// distances take up to 8 planes for each side to move. Capture events take 4 bytes for each cell in which two men of
/// different colours share a square; with the lists they are sorted from while they are found, 12 bytes in all.
pub fn memory_bytes(set: Material) -> u64 {
    let geometry = Geometry::new(set);
    let words = (geometry.slabs() * geometry.slab_words()) as u64;
    let bitsets = 4 + 5 + 4 + 16;
    let meetings: u64 = [makruk_tables::rules::Color::White, makruk_tables::rules::Color::Black]
        .into_iter()
        .map(|color| (set.side(color).total() * (set.side(!color).total() + 1)) as u64)
        .sum();
    let batch = 3 * (1 << 25);
    words * 8 * bitsets + meetings * words * 4 + batch + (64 << 20)
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
