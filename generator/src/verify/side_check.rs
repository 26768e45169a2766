//! The check of all positions, or a sample of them, with one side to move.

use std::collections::HashMap;
use std::ops::Range;

use makruk_tables::format::AnyValue;
use makruk_tables::rules::Color;
use makruk_tables::value::{Distances, Metric};

use super::consistency::WrongValue;
use super::minimax::Minimax;
use super::values::{BATCH_CHUNKS, CHUNK_PLACES, CheckedTable, Codes, Part};
use crate::error::BuildError;
use crate::parallel::try_map;
use crate::progress::Progress;

/// The most wrong values that a report has as examples.
pub(super) const MOST_EXAMPLES: usize = 10;

/// The number of places between two such calls.
const BATCH_PLACES: u64 = BATCH_CHUNKS as u64 * CHUNK_PLACES;

/// The treatment of one table's values with a side to move.
pub(super) struct Task<'a> {
    metric: Metric,
    table: &'a dyn CheckedTable,
    kind: TaskKind,
}

enum TaskKind {
    /// The values are compared with those that the moves give.
    Compare,
    /// No file has the values: the moves give them. They are kept if the other side is compared with them.
    Derive(Option<Codes>),
}

impl<'a> Task<'a> {
    /// The treatment of a table: values are compared, unless the file omits the side and all positions are checked.
    pub(super) fn new(minimax: &'a Minimax<'_>, metric: Metric, side: Color, sample: Option<u64>) -> Option<Task<'a>> {
        let table = minimax.table(metric)?;
        let is_derived = sample.is_none() && table.omits(side);
        let kind = match metric {
            // Readers derive bounds, which may be in no list.
            Metric::Category if table.omits(side) => TaskKind::Derive(None),
            _ if is_derived => TaskKind::Derive(Some(Codes::zeros(table.entries(side).len(), minimax.numbers()))),
            _ => TaskKind::Compare,
        };
        Some(Task { metric, table, kind })
    }

    /// The metric and its codes, if they were derived and kept.
    pub(super) fn into_derived(self) -> Option<(Metric, Codes)> {
        match self.kind {
            TaskKind::Derive(codes) => codes.map(|codes| (self.metric, codes)),
            TaskKind::Compare => None,
        }
    }
}

/// Consecutive places that one thread checks.
struct Chunk<'a> {
    places: Range<u64>,
    /// By table.
    tasks: Vec<ChunkTask<'a>>,
}

/// A task's share in a chunk.
struct ChunkTask<'a> {
    metric: Metric,
    table: &'a dyn CheckedTable,
    kind: ChunkTaskKind<'a>,
}

enum ChunkTaskKind<'a> {
    Compare,
    Derive(Option<Part<'a>>),
}

/// Cuts a batch of places into chunks, each with its shares of the tasks.
fn chunks<'a>(batch: Range<u64>, tasks: &'a mut [Task<'_>]) -> Vec<Chunk<'a>> {
    let places = |first| first..batch.end.min(first + CHUNK_PLACES);
    let firsts = batch.clone().step_by(CHUNK_PLACES as usize);
    let mut chunks: Vec<Chunk<'a>> = firsts.map(|first| Chunk { places: places(first), tasks: Vec::new() }).collect();
    for Task { metric, table, kind } in tasks {
        let kinds: Vec<ChunkTaskKind<'a>> = match kind {
            TaskKind::Compare => chunks.iter().map(|_| ChunkTaskKind::Compare).collect(),
            TaskKind::Derive(None) => chunks.iter().map(|_| ChunkTaskKind::Derive(None)).collect(),
            TaskKind::Derive(Some(codes)) => {
                let parts = codes.parts(batch.clone(), CHUNK_PLACES);
                parts.into_iter().map(|part| ChunkTaskKind::Derive(Some(part))).collect()
            }
        };
        for (chunk, kind) in chunks.iter_mut().zip(kinds) {
            chunk.tasks.push(ChunkTask { metric: *metric, table: *table, kind });
        }
    }
    chunks
}

/// The outcome of checking some positions with one side to move.
#[derive(Default)]
pub(super) struct Report {
    /// The number of legal positions.
    pub positions: u64,
    /// The number of wrong values.
    pub wrong: u64,
    /// The first wrong values.
    pub examples: Vec<WrongValue>,
    /// By table, then code: the number of full-board positions.
    pub counts: Vec<Vec<u64>>,
    /// The numbers of full-board positions whose values the lists of omitted sides lack.
    pub unlisted: HashMap<(Metric, AnyValue), u64>,
}

impl Report {
    /// Both reports, of the same side to move, in one. Its examples do not depend on the order in which threads found
    /// them.
    pub(super) fn merge(mut self, mut other: Report) -> Report {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.examples.append(&mut other.examples);
        self.examples.sort_by_key(|wrong| (wrong.number, wrong.metric));
        self.examples.truncate(MOST_EXAMPLES);
        for (counts, other) in self.counts.iter_mut().zip(other.counts) {
            counts.iter_mut().zip(other).for_each(|(count, other)| *count += other);
        }
        for (value, positions) in other.unlisted {
            *self.unlisted.entry(value).or_default() += positions;
        }
        self
    }
}

/// A legal position that is checked.
struct CheckedPosition {
    /// Its number.
    number: u64,
    /// The number at which tables have it.
    home: u64,
    /// Its place in the chunk.
    place: u64,
    /// The values that its moves give.
    expected: Distances,
}

/// The place of a position's value in the list of a table.
enum Place {
    /// The code.
    Listed(usize),
    /// The list lacks the value.
    Unlisted(Metric, AnyValue),
}

/// The check of the positions with one side to move.
pub(super) struct SideCheck<'a> {
    pub minimax: &'a Minimax<'a>,
    /// The metrics of the tables.
    pub metrics: &'a [Metric],
    pub side: Color,
    /// The number of places: numbers of the side, or numbers in the sample.
    pub places: u64,
    pub is_sample: bool,
}

impl SideCheck<'_> {
    /// Checks all places. `done` receives the number of places checked so far.
    pub(super) fn run(
        &self,
        tasks: &mut [Task<'_>],
        done: &dyn Fn(u64),
        progress: &dyn Progress,
    ) -> Result<Report, BuildError> {
        let mut report = self.empty_report();
        for first in (0..self.places).step_by(BATCH_PLACES as usize) {
            progress.check()?;
            done(first);
            let batch = first..self.places.min(first + BATCH_PLACES);
            let reports = try_map(chunks(batch, tasks), |chunk| self.check_chunk(chunk))?;
            report = reports.into_iter().fold(report, Report::merge);
        }
        Ok(report)
    }

    /// The report of no position.
    fn empty_report(&self) -> Report {
        let tables = self.metrics.iter().filter_map(|&metric| self.minimax.table(metric));
        let counts = tables.map(|table| vec![0; table.entries(self.side).len()]).collect();
        Report { counts, ..Report::default() }
    }

    fn check_chunk(&self, mut chunk: Chunk<'_>) -> Result<Report, BuildError> {
        let mut report = self.empty_report();
        for (place, at) in (0..).zip(chunk.places) {
            let number = if self.is_sample { spread(at) % self.minimax.numbers() } else { at };
            let Some((home, expected)) = self.minimax.expected(self.side, number)? else { continue };
            report.positions += 1;
            let checked = CheckedPosition { number, home, place, expected };
            let weight = self.minimax.weight(number);
            for (table, task) in chunk.tasks.iter_mut().enumerate() {
                match self.check_value(task, &checked, &mut report)? {
                    Place::Listed(code) => report.counts[table][code] += weight,
                    Place::Unlisted(metric, value) => *report.unlisted.entry((metric, value)).or_default() += weight,
                }
            }
        }
        Ok(report)
    }

    /// Compares or derives one value of a position. Returns its place in the list.
    fn check_value(
        &self,
        task: &mut ChunkTask<'_>,
        checked: &CheckedPosition,
        report: &mut Report,
    ) -> Result<Place, BuildError> {
        let &mut ChunkTask { metric, table, ref mut kind } = task;
        let expected = table.expected(self.side, checked.expected);
        match kind {
            ChunkTaskKind::Derive(part) => {
                if let Some(part) = part {
                    part.set(checked.place, expected.unwrap_or(0));
                }
                Ok(expected.map_or_else(|value| Place::Unlisted(metric, value), Place::Listed))
            }
            ChunkTaskKind::Compare => {
                let code = table.found(self.side, checked.home)?;
                if expected != Ok(code) {
                    report.wrong += 1;
                    let position = self.minimax.position(self.side, checked.number);
                    let found = table.value_of_code(self.side, code);
                    let expected = expected.map_or_else(|value| value, |code| table.value_of_code(self.side, code));
                    report.examples.push(WrongValue { metric, position, number: checked.number, found, expected });
                }
                Ok(Place::Listed(code))
            }
        }
    }
}

/// The number of a sample's place: splitmix64, which spreads consecutive places over all numbers.
const fn spread(at: u64) -> u64 {
    let mut x = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
