//! The command `makruk-gen build`.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_console::{StopSignal, warn};
use makruk_format::{MaterialTotals, TableFolder};
use makruk_generator::{BuildError, Built, Console, Gib, Options, Unfinished, build, counted, plans, unfinished};
use makruk_rules::printable;
use makruk_tables::material::Material;
use serde::Serialize;

use super::allowed_memory::AllowedMemory;
use super::arguments::{PlannedBuild, Quiet, access};
use super::print::print_json;

#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    build: PlannedBuild,
    #[command(flatten)]
    quiet: Quiet,
    /// Print one JSON object per material that was built, with the seconds of each part of the work
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

/// A material that was built, as JSON.
#[derive(Serialize)]
struct BuiltJson<'a> {
    material: Material,
    seconds: f64,
    /// Seconds by the name of a part.
    parts: BTreeMap<&'static str, f64>,
    #[serde(flatten)]
    totals: &'a MaterialTotals,
}

pub(super) fn run(args: &BuildArgs) -> Result<ExitCode> {
    let materials = args.build.materials.in_build_order()?;
    let mut options = args.build.options()?;
    options.memory.get_or_insert_with(|| AllowedMemory::here().bytes);
    let folder = TableFolder::create(args.build.folder.path())?.with_access(access());
    warn_of_disk(&folder, &materials, &options);
    let planned = materials.clone();
    let stop = StopSignal::watch()?;
    let console = Console::new(stop.flag());
    let console = if args.quiet.quiet { console.quiet() } else { console };
    let built = match build(&folder, materials, &options, &console) {
        Err(error @ BuildError::Stopped) => {
            warn(&format!("makruk-gen: {error}"));
            report_unfinished(&folder, &planned);
            return Ok(stop.exit_status().into());
        }
        Err(error) => {
            report_unfinished(&folder, &planned);
            return Err(error.into());
        }
        Ok(built) => built,
    };
    if args.quiet.quiet {
        return Ok(ExitCode::SUCCESS);
    }
    if args.json {
        for Built { material, totals, seconds, .. } in &built {
            let parts = console.times(*material).map(|(part, seconds)| (part.name(), seconds)).into();
            print_json(&BuiltJson { material: *material, seconds: *seconds, parts, totals })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if built.is_empty() {
        warn(&format!("nothing to do: all tables are in {}", folder.path().display()));
        return Ok(ExitCode::SUCCESS);
    }
    // The tables are built, whether or not anybody reads the summary.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "{:<9} {:>5} {:>10} {:>13} {:>13} {:>13} {:>13} {:>12} {:>8}",
        "material", "mate", "conversion", "White wins", "Black wins", "draws", "in the count", "bytes", "seconds"
    );
    let (mut bytes, mut seconds, mut parts) = (0, 0.0, BTreeMap::new());
    for done in &built {
        let line = &done.totals;
        let _ = writeln!(
            out,
            "{:<9} {:>5} {:>10} {:>13} {:>13} {:>13} {:>13} {:>12} {:>8.1}",
            done.material.to_string(),
            line.longest_mate,
            line.longest_conversion,
            line.white,
            line.black,
            line.drawn,
            line.within_count,
            line.bytes,
            done.seconds,
        );
        bytes += line.bytes;
        seconds += done.seconds;
        for (part, seconds) in console.times(done.material) {
            *parts.entry(part).or_insert(0.0) += seconds;
        }
    }
    let materials = counted(built.len() as u64, "material");
    let folder = printable(&folder.path().to_string_lossy());
    let _ = writeln!(out, "{materials}, {bytes} bytes of distances in {folder}, {seconds:.1} s");
    let parts: Vec<String> = parts.iter().map(|(part, seconds)| format!("{} {seconds:.1} s", part.name())).collect();
    let _ = writeln!(out, "of which {}", parts.join(", "));
    Ok(ExitCode::SUCCESS)
}

/// The tables of these materials that an interrupted build has begun to solve; none if the folder cannot be read.
fn begun(folder: &TableFolder, materials: &[Material]) -> Vec<Unfinished> {
    let mut begun = unfinished(folder).unwrap_or_default();
    begun.retain(|unfinished| materials.contains(&unfinished.table.material));
    begun
}

/// Names the checkpoints from which the same command continues.
fn report_unfinished(folder: &TableFolder, materials: &[Material]) {
    // A table that is there keeps its checkpoint until the material's others are.
    let unfinished = begun(folder, materials).into_iter().filter(|unfinished| !folder.contains(unfinished.table));
    for Unfinished { table, path, bytes } in unfinished {
        let path = path.display();
        warn(&format!(
            "makruk-gen: {path} ({bytes} bytes) has the finished plies of {table}: the same command continues after them"
        ));
    }
}

/// Warns if the plan needs more disk than is free. The build still runs: the plan is a high estimate, and a full disk
/// damages no table that is complete.
fn warn_of_disk(folder: &TableFolder, materials: &[Material], options: &Options) {
    let (mut tables, mut working) = (0, 0);
    for plan in plans(materials, Some(folder), options).filter(|plan| !plan.built) {
        working = working.max(plan.working_bytes);
        tables += plan.disk_bytes;
    }
    // Working files of an interrupted build are used again.
    let used: u64 = begun(folder, materials).iter().map(|unfinished| unfinished.bytes).sum();
    match fs4::available_space(folder.path()).map(|free| free + used) {
        Ok(free) if tables + working > free => warn(&format!(
            "makruk-gen: {} has {:.1} free, but the plan needs up to {:.1} for tables and {:.1} for working files",
            folder.path().display(),
            Gib(free),
            Gib(tables),
            Gib(working),
        )),
        _ => {}
    }
}
