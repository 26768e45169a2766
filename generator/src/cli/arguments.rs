//! The arguments that several commands have.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use makruk_console::locate;
use makruk_format::{Access, TableFolder};
use makruk_generator::Options;
use makruk_tables::material::Material;

/// The table folder.
#[derive(Args)]
pub(super) struct Folder {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder
    #[arg(long = "tables", value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Folder {
    pub(super) fn path(&self) -> PathBuf {
        locate(self.tables.as_deref())
    }

    pub(super) fn open(&self) -> Result<TableFolder> {
        Ok(TableFolder::open_existing(self.path())?.with_access(access()))
    }
}

/// The access of this program to table files: through maps.
#[allow(unsafe_code)]
pub(super) fn access() -> Access {
    // SAFETY: a table is published by renaming a finished file, and this program never writes to it again. FORMAT.md
    // forbids everyone else to modify a published table in place.
    unsafe { Access::mapped() }
}

/// Whether only errors are printed.
#[derive(Args)]
pub(super) struct Quiet {
    /// Print errors only: no progress, no results.
    #[arg(long)]
    pub(super) quiet: bool,
}

/// The arguments of a build or of its plan.
#[derive(Args)]
pub(super) struct PlannedBuild {
    #[command(flatten)]
    pub(super) materials: Materials,
    #[command(flatten)]
    pub(super) folder: Folder,
    /// Threads, each of which takes some memory; all cores if not given
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory that the build of a material may take, in GiB. If a material needs more, the build packs its data and
    /// uses working files, which takes longer. If the memory is too small even for that, the material is refused before
    /// it begins. By default a build may take the least of what is installed, what its control group allows and what
    /// the process may take: `plan` prints it.
    #[arg(long = "memory", value_name = "GIB")]
    memory: Option<f64>,
}

impl PlannedBuild {
    /// The options, with the limit of memory that was given.
    pub(super) fn options(&self) -> Result<Options> {
        let memory = match self.memory {
            Some(gib) if gib.is_finite() && gib > 0.0 => Some((gib * f64::from(1 << 30)) as u64),
            Some(gib) => anyhow::bail!("--memory is {gib}: expected a number of GiB above 0, such as 4"),
            None => None,
        };
        Ok(Options { threads: self.threads.map(usize::from), memory, ..Options::default() })
    }
}

/// The materials that a command is about.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct Materials {
    /// All materials of 3 to N men, kings included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Materials, such as KRRvKR (king and two rooks against king and rook), with all that captures lead to.
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
}

impl Materials {
    /// The materials asked for and all that captures lead to, children first. K v K, which has no table, is refused.
    pub(super) fn in_build_order(&self) -> Result<Vec<Material>> {
        let asked = match self.men {
            Some(men) => (3..=usize::from(men)).flat_map(Material::all).collect(),
            None => self.materials.clone(),
        };
        refuse_bare_kings(&asked)?;
        Ok(Material::with_descendants(asked))
    }
}

pub(super) fn refuse_bare_kings(materials: &[Material]) -> Result<()> {
    anyhow::ensure!(!materials.contains(&Material::BARE_KINGS), "KvK has no table: two bare kings always draw");
    Ok(())
}
