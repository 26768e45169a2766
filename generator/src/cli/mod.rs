//! The command line of `makruk-gen`.

mod build;
mod info;
mod manifest;
mod plan;
mod signals;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use makruk_locate::locate;
use makruk_tables::format::{Access, TableFolder};
use makruk_tables::material::Material;

/// Builds, checks and describes endgame tables of Makruk (Thai chess).
#[derive(Parser)]
#[command(name = "makruk-gen", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build what is missing of some sets and of all sets that captures lead to from them.
    #[command(after_long_help = build::AFTER_HELP, after_help = build::AFTER_HELP)]
    Build(build::BuildArgs),
    /// Check tables: every checksum, and every value against its successors.
    Verify(verify::VerifyArgs),
    /// Totals of a set: won, drawn and lost positions, the longest win, bytes.
    Info(info::InfoArgs),
    /// Length and checksum of each table, to be compared with others'.
    Manifest(manifest::ManifestArgs),
    /// What a build takes: positions, memory, disk and work of each set, in build order.
    Plan(plan::PlanArgs),
}

/// Where tables are.
#[derive(Args)]
struct Folder {
    /// The table folder. Otherwise MAKRUK_TABLES, ./tables/data if it is there, or the user's data folder.
    #[arg(long = "tables", value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Folder {
    fn path(&self) -> PathBuf {
        locate(self.tables.as_deref())
    }

    fn open(&self) -> Result<TableFolder> {
        Ok(TableFolder::open_existing(self.path())?.with_access(access()))
    }
}

/// How this program reads tables: through maps.
#[allow(unsafe_code)]
fn access() -> Access {
    // SAFETY: tables are published by renaming a finished file and never written again by this program. Who modifies one in
    // place while this program runs breaks the rules of FORMAT.md.
    unsafe { Access::mapped() }
}

/// How many threads.
#[derive(Args)]
struct Threads {
    /// Threads, each of which takes some memory; all cores if not given.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    fn number(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// How much memory there is.
#[derive(Args)]
struct Memory {
    /// Memory that a set may take, in GiB; a set that needs more is refused before it is begun. A build may take all that
    /// is installed, if not given.
    #[arg(long = "memory", value_name = "GIB")]
    memory: Option<f64>,
}

impl Memory {
    fn bytes(&self) -> Result<Option<u64>> {
        match self.memory {
            Some(gib) if gib.is_finite() && gib > 0.0 => Ok(Some((gib * f64::from(1 << 30)) as u64)),
            Some(gib) => anyhow::bail!("--memory is {gib}: expected a number of GiB above 0, such as 4"),
            None => Ok(None),
        }
    }
}

/// Which sets.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Sets {
    /// All sets of 3 to N men, kings included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Material sets, such as KRRvKR, with the sets that captures lead to.
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
}

impl Sets {
    /// The sets asked for and their descendants, children first; K v K, which has no table, is refused.
    fn in_build_order(&self) -> Result<Vec<Material>> {
        let asked = match self.men {
            Some(men) => (3..=usize::from(men)).flat_map(Material::all).collect(),
            None => self.sets.clone(),
        };
        check_sets(&asked)?;
        Ok(Material::with_descendants(asked))
    }
}

fn check_sets(sets: &[Material]) -> Result<()> {
    anyhow::ensure!(!sets.contains(&Material::BARE_KINGS), "KvK has no table: two bare kings always draw");
    Ok(())
}

/// Runs the command.
pub(crate) fn run() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Build(args) => build::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Manifest(args) => manifest::run(&args),
        Command::Plan(args) => plan::run(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            say(&format!("makruk-gen: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// A line on standard error, which nobody may be reading any more.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Bytes in GiB.
fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// Text on standard output, which nobody may be reading any more.
fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a value as one line of JSON.
fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut line = serde_json::to_string(value).context("JSON could not be written")?;
    line.push('\n');
    print(&line);
    Ok(())
}
