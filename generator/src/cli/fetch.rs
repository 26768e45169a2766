//! The command `makruk-gen fetch`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use makruk_console::{StopSignal, warn};
use makruk_format::{TableFolder, TableId};
use makruk_generator::{
    FetchError, FetchLimits, FetchProgress, Gib, Manifest, ManifestLine, MirrorUrl, counted, fetch, missing_tables,
};
use makruk_rules::printable;
use makruk_tables::material::Material;

use super::arguments::{Folder, Materials, Quiet, access};
use super::build::free_disk;
use super::manifest::read_manifest;
use super::print::print;

/// The time between two lines without a terminal.
const LOG_EVERY: Duration = Duration::from_secs(10);

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
    let bytes: u64 = missing.iter().map(|table| table.line.bytes - table.begun).sum();
    let tables = |number: usize| counted(number as u64, "table");
    if args.dry_run {
        let line =
            |table: &makruk_generator::MissingTable| format!("{}\t{}\n", table.line.id, table.line.bytes - table.begun);
        let there = list.len() - missing.len();
        let lines: String = missing.iter().map(line).collect();
        print(&format!("{lines}{} to fetch, {bytes} bytes; {} there\n", tables(missing.len()), there));
        return Ok(ExitCode::SUCCESS);
    }
    let Some(folder) = folder.filter(|_| !missing.is_empty()) else {
        if !args.quiet.quiet {
            warn(&format!("nothing to do: all tables are in {}", path.display()));
        }
        return Ok(ExitCode::SUCCESS);
    };
    if let Some(free) = free_disk(folder.path()) {
        ensure!(
            bytes <= free,
            "{} has {} free, but the tables need {}: free some space, or name another folder with --tables",
            path.display(),
            Gib(free),
            Gib(bytes)
        );
    }
    let stop = StopSignal::watch()?;
    let console = FetchConsole::new(bytes, missing.len(), args.quiet.quiet, stop.flag());
    let fetched = fetch(&folder, &missing, &args.from, &FetchLimits::default(), &console);
    console.bar.finish_and_clear();
    match fetched {
        Err(error @ FetchError::Stopped) => {
            warn(&format!("makruk-gen: {error}"));
            Ok(stop.exit_status().into())
        }
        Err(error) => Err(error.into()),
        Ok(()) => {
            if !args.quiet.quiet {
                let (folder, seconds) = (path.to_string_lossy(), console.begun.elapsed().as_secs_f64());
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
    let ids = |&material: &Material| material.table_metrics().iter().map(move |&metric| TableId { material, metric });
    let line = |id| {
        let line = listed.get(&id).cloned();
        line.with_context(|| match list {
            Some(path) => format!("{} has no line for {id}: name a list that has one", path.display()),
            None => format!("the program's own list has no line for {id}: name a list that you trust with --manifest"),
        })
    };
    materials.iter().flat_map(ids).map(line).collect()
}

/// The progress on standard error: a bar on a terminal, lines now and then elsewhere.
struct FetchConsole {
    bar: ProgressBar,
    is_quiet: bool,
    tables: usize,
    fetched: AtomicU64,
    begun: Instant,
    logged: Mutex<Instant>,
    stop: Arc<AtomicBool>,
}

impl FetchConsole {
    fn new(bytes: u64, tables: usize, is_quiet: bool, stop: Arc<AtomicBool>) -> FetchConsole {
        let bar = if is_quiet { ProgressBar::hidden() } else { ProgressBar::new(bytes) };
        let style = "{prefix} [{bar:14}] {percent:>3}% {elapsed}, {eta} left  {binary_bytes_per_sec} {wide_msg}";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_prefix(format!("0/{tables}"));
        let begun = Instant::now();
        FetchConsole { bar, is_quiet, tables, fetched: AtomicU64::new(0), begun, logged: Mutex::new(begun), stop }
    }
}

impl FetchProgress for FetchConsole {
    fn bytes(&self, number: i64) {
        match u64::try_from(number) {
            Ok(more) => self.bar.inc(more),
            // The bar's length does not have the bytes of an earlier run.
            Err(_) => self.bar.inc_length(number.unsigned_abs()),
        }
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if self.bar.is_hidden() && !self.is_quiet && logged.elapsed() >= LOG_EVERY {
            *logged = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = 100 * done / all.max(1);
            let fetched = self.fetched.load(Ordering::Relaxed);
            warn(&format!("{fetched} of {} tables fetched; {percent}% of {all} bytes", self.tables));
        }
    }

    fn fetched(&self, table: TableId) {
        let number = self.fetched.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.set_prefix(format!("{number}/{} {table}", self.tables));
    }

    fn refused(&self, sentence: &str) {
        self.bar.suspend(|| warn(&format!("makruk-gen: {sentence}")));
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
