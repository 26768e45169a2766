//! Reads the distances of many positions in the order of the tables.

use std::ops::Range;

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::format::Storage;
use makruk_tables::rules::{ByColor, Position};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Distances, Metric, Value};

use super::candidate::Candidate;
use super::position_draw::PositionDraw;

/// A probe takes about as long as this number of cells of a slab that is decoded as a whole.
const DECODED_CELLS_PER_PROBE: u64 = 64;
/// The same for a side that is derived.
const DERIVED_CELLS_PER_PROBE: u64 = 256;
/// The most probes of one task.
const PROBES_PER_TASK: usize = 512;

/// Consecutive candidates that one task reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReadTask {
    /// The places in the list of candidates.
    pub(super) range: Range<usize>,
    /// Whether their slab is decoded as a whole.
    is_whole_slab: bool,
}

/// The reader of the materials of a draw.
#[derive(Debug)]
pub(super) struct DistanceReader {
    /// By material and side to move.
    cells_per_probe: Vec<ByColor<u64>>,
}

impl DistanceReader {
    /// A reader of the tables of a draw.
    ///
    /// # Errors
    ///
    /// With `is_strict`, if a table is missing or damaged.
    pub(super) fn new<S: SlabSource>(
        prober: &Prober<S>,
        draw: &PositionDraw,
        is_strict: bool,
    ) -> Result<DistanceReader, ProbeError> {
        let mut cells_per_probe = Vec::new();
        for layout in draw.layouts() {
            let material = layout.material();
            let mut cells = ByColor::from_fn(|_| DECODED_CELLS_PER_PROBE);
            if let Some(tablebase) = prober.source().tablebase() {
                for &metric in material.distance_metrics() {
                    match tablebase.table::<Value>(TableId { material, metric }) {
                        Ok(table) if metric == Metric::Dtm => {
                            cells = ByColor::from_fn(|side| match table.storage(side) {
                                Storage::Absent => DERIVED_CELLS_PER_PROBE,
                                _ => DECODED_CELLS_PER_PROBE,
                            });
                        }
                        Err(error) if is_strict => return Err(error.into()),
                        Ok(_) | Err(_) => {}
                    }
                }
            }
            cells_per_probe.push(cells);
        }
        Ok(DistanceReader { cells_per_probe })
    }

    /// The tasks for candidates in the order of their places.
    pub(super) fn tasks(&self, draw: &PositionDraw, candidates: &[Candidate]) -> Vec<ReadTask> {
        let mut tasks: Vec<ReadTask> = Vec::new();
        let mut start = 0;
        let cell = |candidate: &Candidate| draw.cell_at(candidate.place);
        for group in candidates.chunk_by(|one, other| cell(one).shares_slab(&cell(other))) {
            let (first, end) = (cell(&group[0]), start + group.len());
            let is_whole_slab = group.len() as u64 * self.cells_per_probe[first.material][first.side] >= first.slab_len;
            match tasks.last_mut() {
                Some(last) if !is_whole_slab && !last.is_whole_slab && last.range.len() < PROBES_PER_TASK => {
                    last.range.end = end;
                }
                _ => tasks.push(ReadTask { range: start..end, is_whole_slab }),
            }
            start = end;
        }
        tasks
    }

    /// The distances of a task's positions, in order.
    pub(super) fn read<S: SlabSource>(
        &self,
        prober: &Prober<S>,
        draw: &PositionDraw,
        task: &ReadTask,
        candidates: &[Candidate],
        positions: &[Position],
    ) -> Result<Vec<Distances>, ProbeError> {
        let (true, Some(tablebase), Some(first)) =
            (task.is_whole_slab, prober.source().tablebase(), candidates.first())
        else {
            return positions.iter().map(|position| prober.distances(position)).collect();
        };
        let first = draw.cell_at(first.place);
        let side = tablebase.distances_side(first.layout.material(), first.side)?;
        let (mut dtm, mut dtz) = (Vec::new(), Vec::new());
        side.slab(first.slab, &mut dtm, &mut dtz)?;
        let (dtm_values, dtz_values) = (side.dtm_values(), side.dtz_values());
        let distances = |candidate: &Candidate| {
            let at = draw.cell_at(candidate.place).offset;
            match dtm_values[usize::from(dtm[at])] {
                Value::Draw => Distances::DRAW,
                won_or_lost => Distances { dtm: won_or_lost, dtz: dtz_values[usize::from(dtz[at])] },
            }
        };
        Ok(candidates.iter().map(distances).collect())
    }
}
