//! The command `makruk-gen fetch`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use makruk_console::{StopSignal, warn};
use makruk_format::{TableFolder, TableId};
use makruk_generator::{
    FetchConsole, FetchError, FetchLimits, Manifest, ManifestLine, MirrorUrl, MissingTable, counted, fetch,
    missing_tables,
};
use makruk_rules::printable;
use makruk_tables::material::Material;

use super::arguments::{Folder, Materials, Quiet, access};
use super::manifest::read_manifest;
use super::print::print;

#[derive(Args)]
pub(super) struct FetchArgs {
    #[command(flatten)]
    materials: Materials,
    /// The address of a folder of tables, or of a site that `makruk-probe site` made. Several are tried in turn
    #[arg(long, value_name = "URL", required_unless_present = "dry_run")]
    from: Vec<MirrorUrl>,
    #[command(flatten)]
    folder: Folder,
    /// Another list of tables than the program's own, which has those of up to five men and some of six. A list decides
    /// which bytes are right: name one that you trust
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Print the tables that would be fetched, and their bytes; fetch none
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    quiet: Quiet,
}

pub(super) fn run(args: &FetchArgs) -> Result<ExitCode> {
    let path = args.folder.path();
    let list = lines(&args.materials.in_build_order()?, args.manifest.as_deref())?;
    let folder = match (args.dry_run, path.exists()) {
        (true, false) => None,
        (true, true) => Some(TableFolder::open_existing(&path)?),
        (false, _) => Some(TableFolder::create(&path)?),
    };
    let folder = folder.map(|folder| folder.with_access(access()));
    let missing = missing_tables(folder.as_ref(), &list)?;
    let bytes: u64 = missing.iter().map(MissingTable::bytes_left).sum();
    let tables = |number: usize| counted(number as u64, "table");
    let Some(folder) = folder.filter(|_| !args.dry_run) else {
        let line = |table: &MissingTable| format!("{}\t{}\n", table.line.id, table.bytes_left());
        let there = list.len() - missing.len();
        let lines: String = missing.iter().map(line).collect();
        print(&format!("{lines}{} to fetch, {bytes} bytes; {} there\n", tables(missing.len()), there));
        return Ok(ExitCode::SUCCESS);
    };
    let (stop, begun) = (StopSignal::watch()?, Instant::now());
    let fetched = fetch(
        &folder,
        &missing,
        &args.from,
        &FetchLimits::default(),
        &FetchConsole::new(&missing, args.quiet.quiet, stop.flag()),
    );
    match fetched {
        Err(error @ FetchError::Stopped) => {
            warn(&format!("makruk-gen: {error}"));
            Ok(stop.exit_status().into())
        }
        Err(error) => Err(error.into()),
        Ok(()) => {
            if !args.quiet.quiet && missing.is_empty() {
                warn(&format!("nothing to do: all tables are in {}", path.display()));
            } else if !args.quiet.quiet {
                let (folder, seconds) = (path.to_string_lossy(), begun.elapsed().as_secs_f64());
                let tables = tables(missing.len());
                print(&format!("{tables}, {bytes} bytes fetched into {}, {seconds:.1} s\n", printable(&folder)));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The lines of the list for all tables of some materials.
fn lines(materials: &[Material], list: Option<&Path>) -> Result<Vec<ManifestLine>> {
    let manifest = match list {
        Some(path) => read_manifest(path)?,
        None => Manifest::own(),
    };
    let listed: HashMap<TableId, ManifestLine> = manifest.tables.into_iter().map(|line| (line.id, line)).collect();
    let line = |id| {
        let line = listed.get(&id).cloned();
        line.with_context(|| match list {
            Some(path) => format!("{} has no line for {id}: name a list that has one", path.display()),
            None => format!("the program's own list has no line for {id}: name a list that you trust with --manifest"),
        })
    };
    materials.iter().copied().flat_map(Material::tables).map(line).collect()
}
