//! Checks that tables agree with the rules: one ply of minimax over the successors' values gives every value.
//!
//! The check and the solver share the crate `makruk_tables`: the index, the rules' attack tables and counts, and the
//! reader of tables. They share nothing of the solver itself: neither its geometry nor its kernels, its exit seeds or
//! its decision log. The check lists the moves of single positions forwards, where the solver moves rows of positions
//! backwards. A sample that needs an omitted side takes its values from the reader, which derives them by a minimax of
//! its own.

mod consistency;
mod exits;
mod minimax;
mod omitted;
mod setup;
mod side_check;
mod values;

use makruk_tables::format::{Listed, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::rules::{ByColor, Color, CountingRules};
use makruk_tables::value::Metric;

use crate::child::stored_tables;
use crate::error::BuildError;
use crate::progress::Progress;
use minimax::Minimax;
use omitted::with_omitted;
use side_check::{MOST_EXAMPLES, Report, SideCheck, Task};
use values::Reading;

pub use consistency::{Consistency, WrongTotal, WrongValue};

/// Compares the values of a material with those that one ply of minimax gives, under every metric. That covers mates,
/// stalemates, captures and promotions into other tables, and the count that such a move begins.
///
/// With `sample`, that many numbers spread over each side to move are checked, and each value is read by itself.
/// Otherwise all numbers and the header's totals are checked. Then memory holds all values of the material and of those
/// that exits lead to: one byte each, two where a side has more than 256 values.
///
/// # Errors
///
/// A table of the material or of one that exits lead to is missing or damaged; or `progress` asks to stop.
pub fn verify_consistency(
    folder: &TableFolder,
    material: Material,
    sample: Option<u64>,
    rules: &CountingRules,
    progress: &dyn Progress,
) -> Result<Consistency, BuildError> {
    let reading = if sample.is_some() { Reading::Single } else { Reading::Whole };
    let stored = stored_tables(folder, rules);
    let mut minimax = Minimax::new(&stored, material, rules, reading, progress)?;
    if reading == Reading::Whole {
        minimax.replace_children(|child, reached| with_omitted(&stored, child, reached, rules, progress))?;
    }
    minimax.read_category(&stored, reading)?;
    let metrics: Vec<Metric> = Metric::ALL.into_iter().filter(|&metric| minimax.table(metric).is_some()).collect();
    let places = sample.unwrap_or(minimax.numbers());
    let mut reports = ByColor::<Report>::default();
    // The values of an omitted side are derived first: those of the other side are compared with them.
    let mut sides = Color::ALL;
    sides.sort_by_key(|&side| !minimax.table(Metric::Dtm).is_some_and(|table| table.omits(side)));
    for (side, before) in sides.into_iter().zip([0, places]) {
        let tasks = metrics.iter().filter_map(|&metric| Task::new(&minimax, metric, side, sample));
        let mut tasks: Vec<Task<'_>> = tasks.collect();
        let check = SideCheck { minimax: &minimax, metrics: &metrics, side, places, is_sample: sample.is_some() };
        reports[side] = check.run(&mut tasks, &|done| progress.verified(before + done, 2 * places), progress)?;
        let derived: Vec<_> = tasks.into_iter().filter_map(Task::into_derived).collect();
        for (metric, codes) in derived {
            if let Some(table) = minimax.table_mut(metric) {
                table.set(side, codes);
            }
        }
    }
    progress.verified(2 * places, 2 * places);
    let mut wrong_totals = if sample.is_some() { Vec::new() } else { wrong_totals(&minimax, &metrics, &reports) };
    wrong_totals.extend(unlisted(&reports));
    let ByColor { white, black } = reports;
    Ok(Consistency {
        material,
        positions: white.positions + black.positions,
        wrong: white.wrong + black.wrong,
        examples: white.examples.into_iter().chain(black.examples).take(MOST_EXAMPLES).collect(),
        wrong_totals,
    })
}

/// The totals of the headers that are not those of the positions that were counted.
fn wrong_totals(minimax: &Minimax<'_>, metrics: &[Metric], reports: &ByColor<Report>) -> Vec<WrongTotal> {
    let mut wrong = Vec::new();
    for (at, &metric) in metrics.iter().enumerate() {
        let Some(table) = minimax.table(metric) else { continue };
        for side in Color::ALL {
            let totals = table.entries(side).into_iter().zip(&reports[side].counts[at]);
            let differing = totals.filter(|&((_, found), &expected)| found != expected);
            wrong.extend(differing.map(|((value, found), &expected)| WrongTotal {
                metric,
                side,
                value,
                found,
                expected,
            }));
        }
    }
    wrong
}

/// The values of positions that the list of an omitted side lacks.
fn unlisted(reports: &ByColor<Report>) -> Vec<WrongTotal> {
    let of_side = |side: Color| {
        let total = move |(&(metric, value), &expected)| WrongTotal { metric, side, value, found: 0, expected };
        reports[side].unlisted.iter().map(total)
    };
    let mut all: Vec<WrongTotal> = Color::ALL.into_iter().flat_map(of_side).collect();
    all.sort_by_key(|total| (total.side, total.metric, total.value.number()));
    all
}
