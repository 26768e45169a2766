//! The check of some positions, one by one.

use std::ops::Range;

use makruk_format::index::Layout;
use makruk_format::{AnyValue, Storage};
use makruk_rules::{Color, Position};
use makruk_tables::material::Material;
use makruk_tables::minimax;
use makruk_tables::tablebase::{TableId, Tablebase};
use makruk_tables::value::{Bounds, Distances, Metric, Score, Value};

use super::consistency::{Consistency, WrongValue};
use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;

/// The number of places that one thread checks at a time.
const CHUNK: u64 = 256;
/// The number of chunks between two calls of `progress`, which may not be called from rayon's threads.
const BATCH: usize = 64;

/// Checks the positions at some numbers, spread over each side to move.
pub(super) fn check(
    tables: &Tablebase,
    material: Material,
    places: u64,
    progress: &dyn Progress,
) -> Result<Consistency, BuildError> {
    let layout = Layout::new(material);
    let mut found = Consistency::new(material);
    for (side, before) in Color::ALL.into_iter().zip([0, places]) {
        let chunks: Vec<Range<u64>> =
            (0..places).step_by(CHUNK as usize).map(|first| first..places.min(first + CHUNK)).collect();
        for batch in chunks.chunks(BATCH) {
            progress.check()?;
            progress.verified(before + batch[0].start, 2 * places);
            let check = |chunk: &Range<u64>| check_chunk(tables, &layout, side, chunk.clone());
            try_map(batch, check)?.into_iter().for_each(|part| found.merge(part));
        }
    }
    progress.verified(2 * places, 2 * places);
    Ok(found)
}

fn check_chunk(
    tables: &Tablebase,
    layout: &Layout,
    side: Color,
    places: Range<u64>,
) -> Result<Consistency, BuildError> {
    let numbers = layout.slabs() as u64 * layout.slab_len();
    let mut report = Consistency::new(layout.material());
    for place in places {
        let number = spread(place) % numbers;
        let Some(position) = layout.position_at(side, number) else { continue };
        report.positions += 1;
        for (metric, found, expected) in compared(tables, layout.material(), side, &position)? {
            if found != expected {
                report.add_wrong(WrongValue { metric, position: position.clone(), number, found, expected });
            }
        }
    }
    Ok(report)
}

/// The values of a position under each metric: the one in the table, and the one that the moves make.
fn compared(
    tables: &Tablebase,
    material: Material,
    side: Color,
    position: &Position,
) -> Result<Vec<(Metric, AnyValue, AnyValue)>, BuildError> {
    let mut all = Vec::new();
    let mut both = [Value::Draw; 2];
    for (&metric, value) in material.distance_metrics().iter().zip(&mut both) {
        let rules = (metric == Metric::Dtz).then(|| tables.rules());
        *value = minimax(position, rules, |after| tables.value(after, metric))?;
        all.push((metric, tables.value(position, metric)?.into(), (*value).into()));
    }
    let [dtm, dtz] = both;
    let score = Score::from(Distances { dtm, dtz: if material.has_dtz() { dtz } else { dtm } });
    let table = tables.table::<Bounds>(TableId { material, metric: Metric::Category })?;
    let list = &table.spec().values[side];
    let class = list.class(score).map_or(Bounds::exactly(score), |class| list.entries()[usize::from(class)].0);
    let found = tables.bounds(position)?;
    // Bounds that are derived from captures may be in no list.
    let is_right = table.storage(side) == Storage::Absent && class.contain(score) && found.contain(score);
    all.push((Metric::Category, if is_right { class } else { found }.into(), class.into()));
    Ok(all)
}

/// The number of a place: splitmix64, which spreads consecutive places over all numbers.
const fn spread(at: u64) -> u64 {
    let mut x = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
