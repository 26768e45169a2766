//! The check of all values, slab by slab.

use std::collections::HashMap;
use std::sync::Arc;

use makruk_format::index::{Layout, Stripes};
use makruk_format::{AnyValue, FileTable, Listed, Storage, ValueList};
use makruk_rules::Color;
use makruk_tables::material::Material;
use makruk_tables::tablebase::{DistancesSide, SideReader, TableId, Tablebase};
use makruk_tables::value::{Bounds, Distances, Metric, Score, Value};

use super::consistency::{Consistency, WrongTotal, WrongValue};
use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;

/// Checks all values of a material, and the totals of its headers.
pub(super) fn check(
    tables: &Tablebase,
    material: Material,
    progress: &dyn Progress,
) -> Result<Consistency, BuildError> {
    let mut found = Consistency::new(material);
    // An omitted side comes first: the other side's values follow from it, unless its list lacks some.
    let dtm = tables.table::<Value>(TableId { material, metric: Metric::Dtm })?;
    let mut sides = Color::ALL;
    sides.sort_by_key(|&side| dtm.storage(side) != Storage::Absent);
    for (before, side) in (0..).zip(sides) {
        progress.check()?;
        let Some(check) = SideCheck::new(tables, material, side)? else { break };
        let slabs = check.layout().slabs();
        let positions = |slab: usize| slab as u64 * check.layout().slab_len();
        let mut counts = Counts::new();
        let batch = 4 * rayon::current_num_threads();
        for first in (0..slabs).step_by(batch) {
            progress.check()?;
            progress.verified(before * positions(slabs) + positions(first), 2 * positions(slabs));
            for (report, more) in try_map(first..slabs.min(first + batch), |slab| check.slab(slab))? {
                found.merge(report);
                more.into_iter().for_each(|(value, positions)| *counts.entry(value).or_default() += positions);
            }
        }
        found.wrong_totals.extend(check.wrong_totals(&counts));
        if check.compared.iter().any(|table| table.lacks_one_of(&counts)) {
            break;
        }
    }
    Ok(found)
}

/// The number of full-board positions that have a value under a metric.
type Counts = HashMap<(Metric, AnyValue), u64>;

/// The values of one side to move.
struct SideCheck<'a> {
    material: Material,
    side: Color,
    stripes: Stripes,
    /// The values that the moves make, by distance.
    by_moves: Vec<Arc<dyn SideReader>>,
    /// The distances that files store.
    stored: Option<DistancesSide>,
    /// The category table, if its file stores the side.
    category: Option<&'a FileTable<Bounds>>,
    /// By code of DTM and of DTZ, or of DTM again, that of the class in `compared`.
    classes: Vec<Vec<u16>>,
    /// By table.
    compared: Vec<Compared>,
}

/// A table's values.
struct Compared {
    metric: Metric,
    /// The values that moves may make, and their codes; `None` for a value that the list lacks.
    expected: Vec<(AnyValue, Option<u16>)>,
    /// The list, with the header's numbers of positions.
    listed: Vec<(AnyValue, u64)>,
    /// Whether the file stores the side. Otherwise the values are counted only.
    is_stored: bool,
}

impl<'a> SideCheck<'a> {
    fn new(tables: &'a Tablebase, material: Material, side: Color) -> Result<Option<SideCheck<'a>>, BuildError> {
        let Some(stripes) = Stripes::of_last_axis(Layout::new(material)) else { return Ok(None) };
        let (mut by_moves, mut compared) = (Vec::new(), Vec::new());
        for &metric in material.distance_metrics() {
            let id = TableId { material, metric };
            let table = tables.table::<Value>(id)?;
            let list = &table.spec().values[side];
            let reader = tables.side_by_moves(id, side)?;
            let expected = reader.values().iter().map(|&value| (value.into(), list.code(value))).collect();
            let is_stored = table.storage(side) != Storage::Absent;
            compared.push(Compared { metric, expected, listed: listed(list), is_stored });
            by_moves.push(reader);
        }
        let stored = if compared[0].is_stored { Some(tables.distances_side(material, side)?) } else { None };
        let category = tables.table::<Bounds>(TableId { material, metric: Metric::Category })?;
        let list = &category.spec().values[side];
        let mut expected: Vec<(AnyValue, Option<u16>)> =
            (0..).zip(list.entries()).map(|(code, entry)| (entry.0.into(), Some(code))).collect();
        let mut unlisted = HashMap::new();
        let mut class = |dtm: Value, dtz: Value| {
            let score = Score::from(Distances { dtm, dtz });
            list.class(score).unwrap_or_else(|| {
                *unlisted.entry(score).or_insert_with(|| {
                    expected.push((score.into(), None));
                    expected.len() as u16 - 1
                })
            })
        };
        let (mates, conversions) = (by_moves[0].values(), by_moves[by_moves.len() - 1].values());
        let classes = mates.iter().map(|&dtm| conversions.iter().map(|&dtz| class(dtm, dtz)).collect()).collect();
        let is_stored = category.storage(side) != Storage::Absent;
        let category = is_stored.then_some(category);
        compared.push(Compared { metric: Metric::Category, expected, listed: listed(list), is_stored });
        Ok(Some(SideCheck { material, side, stripes, by_moves, stored, category, classes, compared }))
    }

    fn layout(&self) -> &Layout {
        self.stripes.layout()
    }

    /// Checks the values of a slab, and counts them: the values in the file, or an omitted side's values by its moves.
    fn slab(&self, slab: usize) -> Result<(Consistency, Counts), BuildError> {
        let mut report = Consistency::new(self.material);
        let mut expected = [Vec::new(), Vec::new()];
        for (reader, codes) in self.by_moves.iter().zip(&mut expected) {
            reader.slab(slab, codes)?;
        }
        let [mates, conversions] = &expected;
        let conversions = if self.by_moves.len() == 1 { mates } else { conversions };
        let [mut dtm, mut dtz, mut category] = [const { Vec::new() }; 3];
        if let Some(stored) = &self.stored {
            stored.slab(slab, &mut dtm, &mut dtz)?;
        }
        if let Some(table) = self.category {
            table.slab_codes(self.side, slab, &mut category)?;
        }
        let mut counts: Vec<Vec<u64>> = self.compared.iter().map(Compared::zeros).collect();
        self.stripes.for_each_legal(slab, None, self.side, |offset| {
            report.positions += 1;
            let (mate, conversion) = (mates[offset], conversions[offset]);
            for (table, counts) in self.compared.iter().zip(&mut counts) {
                let (expected, found) = match table.metric {
                    Metric::Dtm => (mate, &dtm),
                    Metric::Dtz => (conversion, &dtz),
                    Metric::Category => (self.classes[usize::from(mate)][usize::from(conversion)], &category),
                };
                if !table.is_stored {
                    counts[usize::from(expected)] += 1;
                    continue;
                }
                let (found, (value, code)) = (found[offset], table.expected[usize::from(expected)]);
                counts[usize::from(found)] += 1;
                if code != Some(found) {
                    let number = slab as u64 * self.layout().slab_len() + offset as u64;
                    report.add_wrong(WrongValue {
                        metric: table.metric,
                        position: self.layout().position_at(self.side, number).expect("a legal position"),
                        number,
                        found: table.listed[usize::from(found)].0,
                        expected: value,
                    });
                }
            }
        });
        let weight = self.layout().kings().weight(slab);
        let of_table = |(table, counts): (&Compared, Vec<u64>)| {
            let metric = table.metric;
            let counted = counts.into_iter().enumerate().filter(|&(_, count)| count > 0);
            counted.map(|(code, count)| ((metric, table.counted(code)), count * weight)).collect::<Vec<_>>()
        };
        let counts = self.compared.iter().zip(counts).flat_map(of_table).collect();
        Ok((report, counts))
    }

    /// The totals of the headers that are not those that were counted, and those of values that a list lacks.
    fn wrong_totals(&self, counts: &Counts) -> Vec<WrongTotal> {
        let mut wrong = Vec::new();
        for table in &self.compared {
            let unlisted = table.expected.iter().filter(|(_, code)| code.is_none()).map(|&(value, _)| (value, 0));
            for (value, found) in table.listed.iter().copied().chain(unlisted) {
                let expected = counts.get(&(table.metric, value)).copied().unwrap_or(0);
                if found != expected {
                    wrong.push(WrongTotal { metric: table.metric, side: self.side, value, found, expected });
                }
            }
        }
        wrong
    }
}

impl Compared {
    /// Whether the list lacks a value that was counted.
    fn lacks_one_of(&self, counts: &Counts) -> bool {
        self.expected.iter().any(|&(value, code)| code.is_none() && counts.contains_key(&(self.metric, value)))
    }

    /// Room for the numbers of positions by code: of the list, or of an omitted side's expected values.
    fn zeros(&self) -> Vec<u64> {
        vec![0; if self.is_stored { self.listed.len() } else { self.expected.len() }]
    }

    /// The value of such a code.
    fn counted(&self, code: usize) -> AnyValue {
        if self.is_stored { self.listed[code].0 } else { self.expected[code].0 }
    }
}

/// The values of a list, with the header's numbers of positions.
fn listed<V: Listed + Into<AnyValue>>(list: &ValueList<V>) -> Vec<(AnyValue, u64)> {
    list.entries().iter().map(|&(value, positions)| (value.into(), positions)).collect()
}
