//! Training sets: every field of records against the prober, their distributions against counts of all positions, and the
//! packed format against a decoder of its own.

mod distributions;
mod formats;
mod records;
mod unpacked;

use makruk_probe::{Prober, Tablebase};
use makruk_research::Silent;
use makruk_research::training::{
    PositionSource, TrainingError, TrainingPosition, TrainingSet, TrainingSettings, Weighting,
};
use makruk_tables::material::Material;

use crate::common::prober;

fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// Positions drawn from materials.
fn source(names: &[&str]) -> PositionSource {
    PositionSource::Drawn { materials: materials(names), weighting: Weighting::Positions }
}

/// The records of a set, as they were rendered.
fn positions(
    prober: &Prober<Tablebase>,
    source: PositionSource,
    settings: TrainingSettings,
    records: std::ops::Range<u64>,
) -> Result<Vec<TrainingPosition>, TrainingError> {
    let set = TrainingSet::new(prober, source, settings)?;
    let found = std::sync::Mutex::new(Vec::new());
    // Records are rendered on many threads: each is passed on by its place in the list.
    let render = |position: &TrainingPosition, bytes: &mut Vec<u8>| {
        let mut found = found.lock().unwrap();
        bytes.extend_from_slice(&(found.len() as u32).to_le_bytes());
        found.push(position.clone());
    };
    let mut order = Vec::new();
    let sink = |bytes: &[u8]| -> Result<(), TrainingError> {
        order.extend(bytes.chunks(4).map(|place| u32::from_le_bytes(place.try_into().unwrap())));
        Ok(())
    };
    set.run(records, render, sink, &mut Silent)?;
    let found = found.into_inner().unwrap();
    Ok(order.into_iter().map(|place| found[place as usize].clone()).collect())
}
