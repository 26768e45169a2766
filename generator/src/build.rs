//! Building tables: what is missing, children first.

use std::time::Instant;

use makruk_tables::format::{
    FileTable, FormatError, Kind, Metric, MovesLeft, Problem, Storage, TableFolder, remove_stale_temporaries,
};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, CountingRules};
use makruk_tables::tablebase::SideSource;

use crate::built::{Built, WrittenTable};
use crate::child::{cached, stored_tables};
use crate::error::BuildError;
use crate::options::{Options, default_threads};
use crate::progress::Progress;
use crate::solve::{MemoryLimit, Solver};
use crate::wdl::{JustSolved, stores, write_wdl};
use crate::write::Output;

/// Builds what is missing of these sets and of all that captures lead to from them.
///
/// # Errors
///
/// The first that stops the build. Tables finished before are whole and stay; nothing half-written does.
pub fn build(
    folder: &TableFolder,
    sets: impl IntoIterator<Item = Material>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<Built>, BuildError> {
    let sets = Material::with_descendants(sets);
    for &set in &sets {
        crate::check_men(set)?;
    }
    remove_stale_temporaries(folder.path())?;
    let mut missing = Vec::new();
    for set in sets {
        if !missing_metrics(folder, set)?.is_empty() {
            missing.push(set);
        }
    }
    check_memory(&missing, options)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build()?;
    pool.install(|| {
        let mut built = Vec::new();
        progress.begin(&missing);
        for set in missing {
            let start = Instant::now();
            let stored = stored_tables(folder, &options.rules);
            progress.material(set);
            // Another build in the same folder may have been quicker. If both solve a set, both write the same bytes.
            let mut written = Vec::new();
            // A DTZ table that only lacked the DTM table it refers to is whole again as soon as that is there: look twice.
            for _ in set.table_metrics() {
                let metrics = missing_metrics(folder, set)?;
                if metrics.is_empty() {
                    break;
                }
                written.extend(build_set(folder, set, &metrics, &stored, options, progress)?);
            }
            if written.is_empty() {
                progress.already_built(set);
                continue;
            }
            let done = Built { material: set, tables: written, seconds: start.elapsed().as_secs_f64() };
            progress.built(&done);
            built.push(done);
        }
        Ok(built)
    })
}

/// The metrics of a set for which the folder has no table of this format version. A table of a newer version is not
/// replaced; nor is a DTZ table only because the DTM table is missing that it refers to.
fn missing_metrics(folder: &TableFolder, set: Material) -> Result<Vec<Metric>, BuildError> {
    let mut missing = Vec::new();
    for &metric in set.table_metrics() {
        match folder.open_set(&Layout::new(set), metric) {
            Ok(_) => {}
            Err(_) if metric == Metric::Dtz && missing.contains(&Metric::Dtm) && stands_alone(folder, set, metric) => {}
            Err(error) if is_replaceable(&error) => missing.push(metric),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(missing)
}

/// Is a table sound as far as can be seen without the one it refers to?
fn stands_alone(folder: &TableFolder, set: Material, metric: Metric) -> bool {
    FileTable::open(&folder.path_of(&set.to_string(), metric), folder.access()).is_ok()
}

fn is_replaceable(error: &FormatError) -> bool {
    match error.problem() {
        Problem::NoFolder => false,
        Problem::Older { .. } => true,
        _ => matches!(error.kind(), Kind::Missing | Kind::Corrupt),
    }
}

/// Refuses a build of which a set does not fit, and says what would fit.
fn check_memory(missing: &[Material], options: &Options) -> Result<(), BuildError> {
    let Some(allowed) = options.memory else { return Ok(()) };
    let threads = options.threads.unwrap_or_else(default_threads);
    let need = |set| options.budget.memory_bytes(set, threads);
    let Some(&material) = missing.iter().find(|&&set| need(set) > allowed) else { return Ok(()) };
    let fits = |set: &Material| {
        Material::with_descendants([*set]).iter().all(|&below| !missing.contains(&below) || need(below) <= allowed)
    };
    let fitting = missing.iter().copied().filter(fits).collect();
    Err(BuildError::Memory { material, need: need(material), allowed, fitting })
}

/// Solves one set whose children are there and writes its tables, replacing what has their names.
///
/// # Errors
///
/// If the set has too many men, a child is missing, the files cannot be written, or `progress` stops it.
pub fn build_set(
    folder: &TableFolder,
    set: Material,
    metrics: &[Metric],
    children: &dyn SideSource,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<WrittenTable>, BuildError> {
    crate::check_men(set)?;
    let layout = Layout::new(set);
    let children = &cached(children);
    let mut solver = Solver::new(set, MemoryLimit::Plan(folder.path()), &options.budget)?;
    let output = Output { folder, layout: &layout, options, progress };
    let mut written = Vec::new();
    for &metric in set.distance_metrics() {
        if metrics.contains(&metric) {
            solver.solve(metric, &options.rules, children, progress)?;
            let (mates, solved) = (solver.solved(Metric::Dtm), solver.solved(metric));
            let solved = solved.as_ref().expect("it was just solved");
            written.push(output.write_solved(metric, solved, mates.as_ref())?);
        }
    }
    if metrics.contains(&Metric::Wdl) {
        if solver.solved(Metric::Dtm).is_none() && lacks_distances(folder, &layout, &options.rules)? {
            solver.solve(Metric::Dtm, &options.rules, children, progress)?;
        }
        let (mates, events) = (solver.solved(Metric::Dtm), solver.solved(Metric::Dtz));
        let solved = JustSolved { mates: mates.as_ref(), events: events.as_ref() };
        written.push(write_wdl(&output, solved, children)?);
    }
    Ok(written)
}

/// Whether a WDL table needs distances that no file has: with a bare king those of his side to move may be left out, and have
/// to be solved once more.
fn lacks_distances(folder: &TableFolder, layout: &Layout, rules: &CountingRules) -> Result<bool, FormatError> {
    let set = layout.material();
    if set.is_armed() {
        return Ok(false);
    }
    let dtm = folder.open_set(layout, Metric::Dtm)?;
    let lacks = |side| {
        let left = MovesLeft::of(set, rules);
        dtm.storage(side) == Storage::Absent && stores(&dtm, &dtm.spec().values[side], left, layout, side)
    };
    Ok(Color::ALL.into_iter().any(lacks))
}
