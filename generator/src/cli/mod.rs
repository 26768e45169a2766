//! The command line of `makruk-gen`.

mod allowed_memory;
mod build;
mod info;
mod manifest;
mod manuals;
mod plan;
mod remedy;
mod signals;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use makruk_tables::format::{Access, TableFolder};
use makruk_tables::material::Material;
use makruk_tables::programs::{locate, sentence};

/// Endgame tablebase of Makruk (Thai chess): build, check and describe its tables.
#[derive(Parser)]
#[command(name = "makruk-gen", version, after_long_help = manuals::PROGRAM)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the missing tables of materials and of all materials that captures lead to.
    #[command(after_long_help = manuals::BUILD)]
    Build(build::BuildArgs),
    /// Check tables: every checksum, and every value against its successors.
    #[command(after_long_help = manuals::VERIFY)]
    Verify(verify::VerifyArgs),
    /// The tables that are there; or totals of a material: won, drawn and lost positions, the longest wins, bytes.
    #[command(after_long_help = manuals::INFO)]
    Info(info::InfoArgs),
    /// Length and checksum of each table, for comparison with the tables of others.
    #[command(after_long_help = manuals::MANIFEST)]
    Manifest(manifest::ManifestArgs),
    /// The cost of a build: positions, memory, disk and work of each material, in build order.
    #[command(after_long_help = manuals::PLAN)]
    Plan(plan::PlanArgs),
    /// Write manual pages and shell completions to a folder.
    #[command(hide = true)]
    Manuals(manuals::ManualsArgs),
}

/// The table folder.
#[derive(Args)]
struct Folder {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data if it exists, or the user's data folder
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

/// The access of this program to table files: through maps.
#[allow(unsafe_code)]
fn access() -> Access {
    // SAFETY: a table is published by renaming a finished file, and this program never writes to it again. FORMAT.md
    // forbids everyone else to modify a published table in place.
    unsafe { Access::mapped() }
}

/// The number of threads.
#[derive(Args)]
struct Threads {
    /// Threads, each of which takes some memory; all cores if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    fn number(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

/// The memory limit.
#[derive(Args)]
struct Memory {
    /// Memory that the build of a material may take, in GiB. If a material needs more, the build packs its data and
    /// uses working files, which takes longer. If the memory is too small even for that, the material is refused before
    /// it begins. By default a build may take the least of what is installed, what its control group allows and what
    /// the process may take: `plan` prints it.
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

/// Whether only errors are printed.
#[derive(Args)]
struct Quiet {
    /// Print errors only: no progress, no results.
    #[arg(long)]
    quiet: bool,
}

/// The materials that a command is about.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Materials {
    /// All materials of 3 to N men, kings included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Materials, such as KRRvKR (king and two rooks against king and rook), with all that captures lead to.
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
}

impl Materials {
    /// The materials asked for and all that captures lead to, children first. K v K, which has no table, is refused.
    fn in_build_order(&self) -> Result<Vec<Material>> {
        let asked = match self.men {
            Some(men) => (3..=usize::from(men)).flat_map(Material::all).collect(),
            None => self.materials.clone(),
        };
        refuse_bare_kings(&asked)?;
        Ok(Material::with_descendants(asked))
    }
}

fn refuse_bare_kings(materials: &[Material]) -> Result<()> {
    anyhow::ensure!(!materials.contains(&Material::BARE_KINGS), "KvK has no table: two bare kings always draw");
    Ok(())
}

/// Runs the command.
pub(crate) fn run() -> ExitCode {
    let command = makruk_tables::programs::arguments::<Cli>("makruk-gen").command;
    let outcome = match command {
        Command::Build(args) => build::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Manifest(args) => manifest::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Manuals(args) => manuals::run(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            warn(&format!("makruk-gen: {}", sentence(error.as_ref(), remedy::remedy)));
            ExitCode::FAILURE
        }
    }
}

/// Prints a line on standard error. The program continues if the reader is gone.
fn warn(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints text on standard output. The program continues if the reader is gone.
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
