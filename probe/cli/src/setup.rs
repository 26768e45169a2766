//! What the subcommands share: where the tables are, and whether to build those that are missing.

use std::path::PathBuf;

use clap::Args;
use makruk_locate::locate;
use makruk_probe::{Access, Prober, Tablebase};
use makruk_tables::material::Material;

/// Where the tables are.
#[derive(Args, Clone, Debug)]
pub(super) struct Setup {
    /// The folder of the tables; else MAKRUK_TABLES, ./tables/data if it is there, or the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Build the tables that are missing, with those that captures lead to
    #[cfg(feature = "build")]
    #[arg(long)]
    build: bool,
}

/// A prober, and what may build tables for it.
pub(super) struct Desk {
    /// The prober.
    pub(super) prober: Prober,
    #[cfg(feature = "build")]
    builder: Option<super::build::Builder>,
}

impl Setup {
    /// Opens nothing yet: a folder that is missing shows with the first position.
    pub(super) fn open(&self) -> Desk {
        let folder = locate(self.tables.as_deref());
        Desk {
            #[cfg(feature = "build")]
            builder: self.build.then(|| super::build::Builder::new(folder.clone())),
            prober: Prober::new(Tablebase::builder().folder(folder).access(access()).build()),
        }
    }
}

/// How this program reads tables: through maps.
#[allow(unsafe_code)]
fn access() -> Access {
    // SAFETY: tables are published by renaming a finished file and never written again by this program. Who modifies one in
    // place while this program runs breaks the rules of FORMAT.md.
    unsafe { Access::mapped() }
}

impl Desk {
    /// Builds what is missing of a set, if that was asked for. What goes wrong is told to the user, who then learns from
    /// the position's own error that its table is missing.
    pub(super) fn prepare(&mut self, set: Material) {
        #[cfg(feature = "build")]
        if let Some(builder) = &mut self.builder {
            builder.build(set, self.prober.rules());
        }
        #[cfg(not(feature = "build"))]
        let _ = set;
    }
}
