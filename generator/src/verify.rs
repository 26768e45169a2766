//! Checks that tables agree with the rules: every value is what its successors' values make it.
//!
//! Nothing here is shared with the solver. Positions come out of the index, moves out of the rules' attack tables, values
//! out of the files, and one ply of minimax must give the value that the file has.

mod captures;
mod minimax;
mod setup;
mod values;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use makruk_tables::format::{Metric, TableFolder, Value};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules, Position};
use rayon::prelude::*;

use crate::child::stored_tables;
use crate::error::BuildError;
use crate::progress::Progress;
use minimax::Minimax;
use values::{Codes, Part, Reading};

/// How many wrong values are kept as examples.
const EXAMPLES: usize = 10;

/// How many numbers of a side to move one task looks at.
const CHUNK: u64 = 1 << 14;

/// What a check of a set has found.
#[derive(Clone, Debug)]
pub struct Consistency {
    /// The set.
    pub set: Material,
    /// How many legal positions were looked at, each in every metric of the set.
    pub positions: u64,
    /// How many values were wrong.
    pub wrong: u64,
    /// The first wrong values, at most ten.
    pub examples: Vec<WrongValue>,
    /// Totals of the header that are not those of the values; none if only a sample was looked at.
    pub wrong_totals: Vec<WrongTotal>,
}

/// A value that does not follow from the position's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// The table's metric.
    pub metric: Metric,
    /// The position, in the colours of the set's name.
    pub position: Position,
    /// Its number within its side of the table.
    pub number: u64,
    /// What the table says.
    pub found: Value,
    /// What the values of its successors say.
    pub expected: Value,
}

/// A number of positions in the header that is not the number of positions in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTotal {
    /// The table's metric.
    pub metric: Metric,
    /// The side to move.
    pub side: Color,
    /// The value that is counted.
    pub value: Value,
    /// What the header says.
    pub found: u64,
    /// How many there are: distinct legal positions on the full board.
    pub expected: u64,
}

impl Consistency {
    /// Was everything as it should be?
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.wrong_totals.is_empty()
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Consistency { set, positions, wrong, examples, wrong_totals } = self;
        if self.is_sound() {
            return write!(f, "{set}: {positions} positions have the values that their moves make");
        }
        write!(f, "{set}: {wrong} values of {positions} positions are wrong: build the set again")?;
        examples.iter().try_for_each(|example| write!(f, "\n  {example}"))?;
        wrong_totals.iter().try_for_each(|total| write!(f, "\n  {total}"))
    }
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongValue { metric, position, number, found, expected } = self;
        write!(f, "{metric} of {position:?} (number {number}) is {found:?}: its moves make it {expected:?}")
    }
}

impl fmt::Display for WrongTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongTotal { metric, side, value, found, expected } = self;
        write!(f, "{metric}: the header counts {found} of {value:?} with {side} to move, the table has {expected}")
    }
}

/// Compares the values of a set with what one ply of minimax makes of its successors' values, under all its metrics (the
/// light table may be missing): mates, stalemates, captures into other tables, the count that a baring capture starts.
///
/// With `sample`, so many numbers spread over each side to move are looked at, each value being read by itself. Otherwise all
/// are, and the header's totals too; then all values of the set and of those that captures lead to are held in memory: one
/// byte each, two where a side has more than 256 values.
///
/// # Errors
///
/// A table of the set or of one that captures lead to is missing or damaged; or `progress` asks to stop.
pub fn verify_consistency(
    folder: &TableFolder,
    set: Material,
    sample: Option<u64>,
    rules: &CountingRules,
    progress: &dyn Progress,
) -> Result<Consistency, BuildError> {
    let reading = if sample.is_some() { Reading::Single } else { Reading::Whole };
    let stored = stored_tables(folder, rules);
    let mut minimax = Minimax::new(&stored, set, rules, reading)?;
    let metrics: Vec<Metric> = set.table_metrics().iter().copied().filter(|&metric| minimax.knows(metric)).collect();
    let totals: Vec<ByColor<Vec<AtomicU64>>> = metrics
        .iter()
        .map(|&metric| ByColor::from_fn(|side| minimax.list(metric, side).iter().map(|_| AtomicU64::new(0)).collect()))
        .collect();
    let positions = AtomicU64::new(0);
    let wrong = AtomicU64::new(0);
    let examples = Mutex::new(Vec::new());
    let numbers = minimax.numbers();
    let looked_at = sample.unwrap_or(numbers);
    let of = 2 * looked_at;
    let mut done = 0;
    // What no file has is worked out first, for the other side to be compared with.
    let mut sides = Color::ALL;
    sides.sort_by_key(|&side| !minimax.lacks(Metric::Dtm, side));
    for side in sides {
        let mut tasks: Vec<Task> = Vec::new();
        for &metric in &metrics {
            let lacks = sample.is_none() && minimax.lacks(metric, side);
            tasks.push(match metric {
                // What a light table leaves out follows from what it has; that is tried with samples.
                Metric::Wdl if lacks => Task::Skip,
                _ if lacks => Task::WorkOut(Codes::zeros(minimax.list(metric, side).len(), numbers)),
                _ => Task::Compare,
            });
        }
        // A batch between two calls of `progress`, which may not be called from rayon's threads.
        for batch in (0..looked_at).step_by((CHUNK * 64) as usize) {
            progress.check()?;
            progress.verified(done, of);
            let end = looked_at.min(batch + CHUNK * 64);
            let mut chunks: Vec<(u64, Vec<TaskPart<'_>>)> =
                (batch..end).step_by(CHUNK as usize).map(|first| (first, Vec::new())).collect();
            for task in &mut tasks {
                task.part(batch..end, &mut chunks);
            }
            chunks.into_par_iter().try_for_each(|(first, mut parts)| -> Result<(), BuildError> {
                let mut counted: Vec<Vec<u64>> =
                    metrics.iter().map(|&metric| vec![0; minimax.list(metric, side).len()]).collect();
                let mut legal = 0;
                for at in first..end.min(first + CHUNK) {
                    let number = if sample.is_some() { spread(at) % numbers } else { at };
                    let Some((home, expected)) = minimax.expected(side, number)? else { continue };
                    legal += 1;
                    for ((&metric, part), counted) in metrics.iter().zip(&mut parts).zip(&mut counted) {
                        let expected = expected.of(metric, minimax.left());
                        let code = match part {
                            TaskPart::Skip => continue,
                            TaskPart::WorkOut(codes) => {
                                let code = minimax.code_of(metric, side, expected);
                                codes.set(at - first, code);
                                if minimax.list(metric, side)[code].0 == expected {
                                    counted[code] += minimax.weight(number);
                                }
                                continue;
                            }
                            TaskPart::Compare => {
                                let (code, found) = minimax.found(metric, side, home)?;
                                if found != expected {
                                    wrong.fetch_add(1, Relaxed);
                                    let position = minimax.position(side, number);
                                    let example = WrongValue { metric, position, number, found, expected };
                                    examples.lock().unwrap_or_else(PoisonError::into_inner).push(example);
                                }
                                code
                            }
                        };
                        counted[code] += minimax.weight(number);
                    }
                }
                positions.fetch_add(legal, Relaxed);
                for (totals, counted) in totals.iter().zip(&counted) {
                    for (total, counted) in totals[side].iter().zip(counted) {
                        total.fetch_add(*counted, Relaxed);
                    }
                }
                Ok(())
            })?;
            done += end - batch;
            keep_first(&mut examples.lock().unwrap_or_else(PoisonError::into_inner));
        }
        for (&metric, task) in metrics.iter().zip(tasks) {
            if let Task::WorkOut(codes) = task {
                minimax.set(metric, side, codes);
            }
        }
    }
    progress.verified(of, of);
    let mut wrong_totals = Vec::new();
    if sample.is_none() {
        for (&metric, totals) in metrics.iter().zip(&totals) {
            for side in Color::ALL.into_iter().filter(|&side| !minimax.lacks(metric, side)) {
                for (&(value, found), total) in minimax.list(metric, side).iter().zip(&totals[side]) {
                    let expected = total.load(Relaxed);
                    if found != expected {
                        wrong_totals.push(WrongTotal { metric, side, value, found, expected });
                    }
                }
            }
        }
    }
    let mut examples = examples.into_inner().unwrap_or_else(PoisonError::into_inner);
    keep_first(&mut examples);
    Ok(Consistency { set, positions: positions.into_inner(), wrong: wrong.into_inner(), examples, wrong_totals })
}

/// What is done with the values of one metric and side to move.
enum Task {
    /// They are compared with what the moves make them.
    Compare,
    /// They become what the moves make them.
    WorkOut(Codes),
    /// Nothing.
    Skip,
}

/// The part of a task that concerns some numbers.
enum TaskPart<'a> {
    Compare,
    WorkOut(Part<'a>),
    Skip,
}

impl Task {
    /// Gives each chunk of a run of numbers its part.
    fn part<'a>(&'a mut self, numbers: std::ops::Range<u64>, chunks: &mut [(u64, Vec<TaskPart<'a>>)]) {
        match self {
            Task::Compare => chunks.iter_mut().for_each(|(_, parts)| parts.push(TaskPart::Compare)),
            Task::Skip => chunks.iter_mut().for_each(|(_, parts)| parts.push(TaskPart::Skip)),
            Task::WorkOut(codes) => {
                for ((_, parts), part) in chunks.iter_mut().zip(codes.parts(numbers, CHUNK)) {
                    parts.push(TaskPart::WorkOut(part));
                }
            }
        }
    }
}

/// Drops all but the first few, so that examples do not depend on the order in which threads found them.
fn keep_first(examples: &mut Vec<WrongValue>) {
    examples.sort_by_key(|wrong| (wrong.position.turn(), wrong.number, wrong.metric));
    examples.truncate(EXAMPLES);
}

/// The number of a sample's place: splitmix64, which spreads consecutive places over all numbers.
const fn spread(at: u64) -> u64 {
    let mut x = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
