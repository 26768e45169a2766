//! Reads the distances of many positions in the order of the tables.

use std::ops::Range;

use makruk_probe::{ProbeError, Prober, SlabSource};
use makruk_tables::value::{Distances, Value};

use super::candidate::Candidate;

/// A slab is decoded as a whole if at least one of so many of its cells is asked for: a cell of a whole slab takes about so many
/// times less than a probe.
const CELLS_PER_PROBE: u64 = 64;
/// The most probes of one task.
const PROBES_PER_TASK: usize = 512;

/// Consecutive candidates that one task reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReadTask {
    /// The places in the list of candidates.
    pub(super) range: Range<usize>,
    /// Is their slab decoded as a whole?
    is_whole_slab: bool,
}

/// The tasks for candidates in the order of their places. `slab_len` gives the cells of a slab of a material.
pub(super) fn read_tasks(candidates: &[Candidate], slab_len: impl Fn(usize) -> u64) -> Vec<ReadTask> {
    let mut tasks: Vec<ReadTask> = Vec::new();
    let slab = |candidate: &Candidate| {
        let len = slab_len(candidate.material);
        (candidate.material, candidate.side, candidate.number / len, len)
    };
    let mut start = 0;
    for group in candidates.chunk_by(|one, other| slab(one) == slab(other)) {
        let end = start + group.len();
        let len = group.first().map_or(0, |first| slab(first).3);
        let is_whole_slab = group.len() as u64 * CELLS_PER_PROBE >= len;
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

/// The distances of a task's candidates, in order.
pub(super) fn read<S: SlabSource>(
    prober: &Prober<S>,
    task: &ReadTask,
    candidates: &[Candidate],
    slab_len: impl Fn(usize) -> u64,
) -> Result<Vec<Distances>, ProbeError> {
    let (true, Some(tablebase), Some(first)) = (task.is_whole_slab, prober.source().tablebase(), candidates.first())
    else {
        return candidates.iter().map(|candidate| prober.distances(&candidate.position)).collect();
    };
    let len = slab_len(first.material);
    let material = makruk_tables::material::Material::of(first.position.board())?.material;
    let side = tablebase.distances_side(material, first.side)?;
    let (mut dtm, mut dtz) = (Vec::new(), Vec::new());
    side.slab((first.number / len) as usize, &mut dtm, &mut dtz)?;
    let value = |candidate: &Candidate| {
        let at = (candidate.number % len) as usize;
        let dtm = side.dtm_values()[usize::from(dtm[at])];
        if dtm == Value::Draw {
            return Distances::DRAW;
        }
        Distances { dtm, dtz: side.dtz_values()[usize::from(dtz[at])] }
    };
    Ok(candidates.iter().map(value).collect())
}
