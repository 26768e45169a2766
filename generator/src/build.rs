//! Building the missing tables, children first.

use std::time::Instant;

use makruk_format::index::Layout;
use makruk_format::{AnyValue, FileTable, MaterialTotals, TableFolder, TableId, remove_stale_temporaries};
use makruk_tables::material::Material;
use makruk_tables::tablebase::SideSource;
use makruk_tables::value::Metric;

use crate::child::{cached, stored_tables_within};
use crate::distance_source::{DistanceSource, Known};
use crate::error::BuildError;
use crate::memory_plan::MemoryPlan;
use crate::new_table::NewTable;
use crate::options::{Options, default_threads};
use crate::output::Output;
use crate::progress::{Built, Progress, Unbuilt, WrittenTable};
use crate::promotions::{Promotions, WithKept, promoted};
use crate::solve::file_order::Encoder;
use crate::solve::geometry::Geometry;
use crate::solve::{self, MemoryLimit, Solver, SolverRoom};
use crate::unfinished::{part_of, remove, remove_stale};

/// Builds the missing tables of these materials and of all that captures lead to from them.
///
/// # Errors
///
/// The first that stops the build. Tables finished before are whole and stay; nothing half-written does.
pub fn build(
    folder: &TableFolder,
    materials: impl IntoIterator<Item = Material>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<Built>, BuildError> {
    let materials = Material::with_descendants(materials);
    materials.iter().try_for_each(|&material| BuildError::check_men(material))?;
    remove_stale_temporaries(folder.path())?;
    let agenda = Agenda::new(folder, materials)?;
    remove_stale(folder, |material| agenda.is_finished(folder, material))?;
    agenda.check_memory(options)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build()?;
    pool.install(|| {
        let mut built = Vec::new();
        let mut promotions = Promotions::of(agenda.missing.iter().map(|unbuilt| unbuilt.material));
        progress.begin(&agenda.missing);
        for &Unbuilt { material, .. } in &agenda.missing {
            let start = Instant::now();
            progress.material(material);
            // Another build in the same folder may have finished the material since the agenda was made. If both solve
            // it, both write the same bytes.
            let metrics = missing_metrics(folder, material)?;
            if metrics.is_empty() {
                progress.already_built(material);
                promotions.give_up(material);
                continue;
            }
            let tables = build_missing(folder, material, metrics, options, progress, &promotions)?;
            promotions.give_up(material);
            let totals = MaterialTotals::read(folder, material, &options.rules)?;
            let done = Built { material, tables, totals, seconds: start.elapsed().as_secs_f64() };
            progress.built(&done);
            built.push(done);
        }
        // All tables are in the folder now. No fetch needs the parts that it has received of them.
        for &material in &agenda.materials {
            material.tables().for_each(|id| remove(&part_of(folder.path(), id)));
        }
        Ok(built)
    })
}

/// The materials of a build, children before parents.
struct Agenda {
    /// Every material, built or not.
    materials: Vec<Material>,
    /// The materials that lack tables.
    missing: Vec<Unbuilt>,
}

impl Agenda {
    fn new(folder: &TableFolder, materials: Vec<Material>) -> Result<Agenda, BuildError> {
        let mut agenda = Agenda { materials, missing: Vec::new() };
        for material in in_order(&agenda.materials) {
            let metrics = missing_metrics(folder, material)?;
            if !metrics.is_empty() {
                agenda.missing.push(Unbuilt { material, metrics });
            }
        }
        Ok(agenda)
    }

    /// Whether a material lacks tables.
    fn lacks(&self, material: Material) -> bool {
        self.missing.iter().any(|unbuilt| unbuilt.material == material)
    }

    /// Whether a material needs no solving: this build has nothing to do for it, or all of its tables are there.
    fn is_finished(&self, folder: &TableFolder, material: Material) -> bool {
        if self.materials.contains(&material) {
            return !self.lacks(material);
        }
        material.tables().all(|id| folder.contains(id))
    }

    /// Refuses a build with a material that does not fit into memory, and lists those that do.
    fn check_memory(&self, options: &Options) -> Result<(), BuildError> {
        let Some(allowed) = options.memory else { return Ok(()) };
        let threads = options.threads.unwrap_or_else(default_threads);
        let need = |material| options.budget.least_memory_bytes(material, threads);
        let too_large = self.missing.iter().map(|unbuilt| unbuilt.material).find(|&material| need(material) > allowed);
        let Some(material) = too_large else { return Ok(()) };
        // A material fits if all below it fit. Those that are built need no memory.
        let mut fitting: Vec<Material> = Vec::new();
        for &material in &self.materials {
            let fits = !self.lacks(material) || need(material) <= allowed;
            if fits && material.children().iter().all(|child| fitting.contains(child)) {
                fitting.push(material);
            }
        }
        fitting.retain(|&material| self.lacks(material));
        Err(BuildError::Memory { material, need: need(material), allowed, fitting })
    }
}

/// The order in which materials are built: those with fewer men first. Of as many men, each follows those that its
/// promotions lead to as soon as it can.
fn in_order(materials: &[Material]) -> Vec<Material> {
    fn visit(material: Material, ordered: &mut Vec<Material>) {
        if !ordered.contains(&material) {
            promoted(material).for_each(|child| visit(child, ordered));
            ordered.push(material);
        }
    }
    // Those with the most pawns first, so that each brings those that its promotions lead to.
    let mut last_first: Vec<Material> = materials.iter().rev().copied().collect();
    last_first.sort_by_key(|material| material.men());
    let mut ordered = Vec::new();
    last_first.into_iter().for_each(|material| visit(material, &mut ordered));
    ordered
}

/// Builds the tables of a material that are missing, `metrics` being theirs.
fn build_missing(
    folder: &TableFolder,
    material: Material,
    mut metrics: Vec<Metric>,
    options: &Options,
    progress: &dyn Progress,
    promotions: &Promotions,
) -> Result<Vec<WrittenTable>, BuildError> {
    let (_, plan) = planned(material, options);
    let stored = stored_tables_within(folder, &options.rules, plan.deriving);
    let children = &WithKept { promotions, source: &stored };
    let mut written = Vec::new();
    if material.has_dtz() && metrics.contains(&Metric::Dtm) && !metrics.contains(&Metric::Dtz) {
        // The folder has a DTZ table that may refer to the missing DTM table. It is whole again if the DTM table that
        // is built now is the one that it refers to, and missing otherwise.
        written.extend(build_keeping(folder, material, &[Metric::Dtm], children, options, progress)?);
        metrics = missing_metrics(folder, material)?;
    }
    if !metrics.is_empty() {
        written.extend(build_keeping(folder, material, &metrics, children, options, progress)?);
    }
    Ok(written)
}

/// The metrics for which the folder has no table of a material in this format version. Tables of a newer version,
/// tables under a wrong name and files that are not tables are kept. So is a DTZ table whose only defect is a missing
/// DTM table.
fn missing_metrics(folder: &TableFolder, material: Material) -> Result<Vec<Metric>, BuildError> {
    let mut missing = Vec::new();
    for id in material.tables() {
        match folder.open::<AnyValue>(id) {
            Ok(_) => {}
            Err(_) if id.metric == Metric::Dtz && missing.contains(&Metric::Dtm) && stands_alone(folder, id) => {}
            Err(error) if error.kind().is_made_anew() => missing.push(id.metric),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(missing)
}

/// Whether a table can be opened without the one that it refers to.
fn stands_alone(folder: &TableFolder, id: TableId) -> bool {
    FileTable::<AnyValue>::open(&folder.path_of(id), folder.access()).is_ok()
}

/// The shape of a material, and the memory that its build may take.
fn planned(material: Material, options: &Options) -> (Geometry, MemoryPlan) {
    let geometry = Geometry::within(material, &options.budget);
    let threads = options.threads.unwrap_or_else(default_threads) as u64;
    let plan = MemoryPlan::within(&geometry, &options.budget, threads, options.memory);
    (geometry, plan)
}

/// Solves one material whose children have tables, and writes its tables under these metrics, replacing older ones.
///
/// # Errors
///
/// If the material has too many men, a child is missing, the files cannot be written, or `progress` stops it.
pub fn build_material(
    folder: &TableFolder,
    material: Material,
    metrics: &[Metric],
    children: &dyn SideSource,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<WrittenTable>, BuildError> {
    let children = WithKept { promotions: &Promotions::default(), source: children };
    build_keeping(folder, material, metrics, &children, options, progress)
}

/// As [`build_material`]; what promotions lead to is kept.
pub(crate) fn build_keeping(
    folder: &TableFolder,
    material: Material,
    metrics: &[Metric],
    children: &WithKept<'_>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Vec<WrittenTable>, BuildError> {
    BuildError::check_men(material)?;
    // In the order in which they refer to each other.
    let metrics: Vec<Metric> = material.tables().map(|id| id.metric).filter(|of| metrics.contains(of)).collect();
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let layout = Layout::new(material);
    let (geometry, plan) = planned(material, options);
    let (promotions, children) = (children.promotions, &cached(children, plan.children_cache()));
    let mut room = SolverRoom::new(geometry, plan, MemoryLimit::Plan(folder.path()), &options.budget)?;
    let decisions = {
        let mut solver = Solver::new(&mut room)?;
        for &metric in metrics.iter().filter(|metric| metric.is_distance()) {
            solver.solve(metric, &options.rules, children, progress)?;
        }
        solver.decisions
    };
    // Nothing is solved any more, and training takes the memory instead.
    drop(room.arena);
    let known = |metric| match decisions.iter().find(|&&(of, _)| of == metric) {
        Some((_, decisions)) => Ok(Known::Solved(Encoder::new(&room.geometry, decisions))),
        None => folder.open(TableId { material, metric }).map(|table| Known::Stored(Box::new(table))),
    };
    let dtz = if material.has_dtz() && metrics != [Metric::Dtm] { Some(known(Metric::Dtz)?) } else { None };
    let source = DistanceSource { material, dtm: known(Metric::Dtm)?, dtz, children };
    let output = Output { folder, layout: &layout, options, progress };
    let tables = metrics.iter().map(|&metric| NewTable::new(&output, metric, &metrics, &source));
    let kept = promotions.begin(&source, folder.path())?;
    let written = output.write(tables.collect::<Result<_, _>>()?, &source, &kept)?;
    promotions.keep(material, kept);
    drop(source);
    solve::finish(decisions, material, folder.path());
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_follow_soon_after_what_their_promotions_lead_to() {
        let ordered = in_order(&Material::with_descendants(Material::all(5)));
        let place = |material| ordered.iter().position(|&other| other == material);
        for (number, &material) in ordered.iter().enumerate() {
            let mut children = material.children().into_iter().filter(|&child| child != Material::BARE_KINGS);
            assert!(children.all(|child| place(child).is_some_and(|child| child < number)), "{material}");
        }
        let mut promotions = Promotions::of(ordered.iter().copied());
        let mut most = 0;
        for (number, &material) in ordered.iter().enumerate() {
            promotions.give_up(material);
            let waiting = ordered[..=number].iter().filter(|&&material| promotions.wants(material));
            most = most.max(waiting.count());
        }
        assert_eq!((most, promotions.wants("KMvK".parse().unwrap())), (2, false));
    }
}
