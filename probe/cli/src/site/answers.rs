//! The answers of a site that read more of the tables than a browser should: lists, statistics and samples.

use std::collections::HashSet;
use std::path::Path;

use makruk_answers::Refusal;
use makruk_probe::{Prober, Tablebase};
use makruk_research::{
    ExampleSave, ExampleSaves, MaterialList, SaveTotals, TableStatistics, known_longest_positions, longest_positions,
};
use makruk_tables::material::Material;
use makruk_tables::tablebase::{Inventory, TableId};
use makruk_tables::value::Value;

type Make = fn(&Prober<Tablebase>, Material) -> anyhow::Result<Vec<u8>>;

/// The answers about a material, by name.
pub(super) const OF_MATERIAL: [(&str, Make); 3] = [("statistics", statistics), ("saves", saves), ("counts", counts)];

/// The materials that have all of their tables of distances.
pub(super) fn materials(folder: &Path) -> Vec<Material> {
    let tables = Inventory::of([folder]);
    let is_whole = |&material: &Material| {
        material.distance_metrics().iter().all(|&metric| tables.has(TableId { material, metric }))
    };
    tables.materials().filter(is_whole).collect()
}

/// The list of materials, of which these have tables.
pub(super) fn list(prober: &Prober<Tablebase>, materials: &[Material]) -> anyhow::Result<Vec<u8>> {
    let present: HashSet<Material> = materials.iter().copied().collect();
    let list = MaterialList::read(prober, None, &present, Refusal::build_command, || true);
    Ok(serde_json::to_vec(&list)?)
}

/// The statistics of a material's tables, with the longest wins.
fn statistics(prober: &Prober<Tablebase>, material: Material) -> anyhow::Result<Vec<u8>> {
    let mut statistics = TableStatistics::read(prober, material)?;
    for (metric, summary) in statistics.summaries() {
        let id = TableId { material, metric };
        let checksum = prober.source().table::<Value>(id)?.header().checksum();
        let found = match known_longest_positions(id, checksum) {
            Some(known) => Some(known),
            None => longest_positions(prober, id, |_, _| true)?,
        };
        found.iter().for_each(|found| summary.add_longest(found));
    }
    Ok(serde_json::to_vec(&statistics)?)
}

/// Some saves of a material.
fn saves(prober: &Prober<Tablebase>, material: Material) -> anyhow::Result<Vec<u8>> {
    let saves = ExampleSave::find(prober, material, || true)?.unwrap_or_default();
    Ok(serde_json::to_vec(&ExampleSaves { material, saves })?)
}

/// The numbers of a material's saves.
fn counts(prober: &Prober<Tablebase>, material: Material) -> anyhow::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&SaveTotals::read(prober, material, 0, || true)?)?)
}
