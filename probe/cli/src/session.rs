//! The tables of a command, and the session that probes them.

use std::path::PathBuf;

use clap::Args;
use makruk_console::locate;
use makruk_probe::{Access, Prober, Tablebase};
use makruk_rules::{CountingRules, Fen};
#[cfg(any(feature = "build", feature = "research"))]
use makruk_tables::material::Material;

/// The options of the tables.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArgs {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Build the tables that are missing, with those that captures and promotions lead to
    #[arg(long)]
    #[cfg_attr(not(feature = "build"), arg(hide = true))]
    build: bool,
}

/// A prober, and the builder of the tables that it lacks.
pub(crate) struct ProbeSession {
    pub(crate) prober: Prober,
    #[cfg(feature = "build")]
    builder: Option<super::table_builder::TableBuilder>,
}

impl TableArgs {
    /// Begins a session. It opens no table, so a missing folder is reported with the first position.
    ///
    /// # Errors
    ///
    /// If this program cannot build tables, and is to.
    pub(crate) fn open(&self) -> anyhow::Result<ProbeSession> {
        self.open_for(&CountingRules::MAKRUK)
    }

    /// As [`TableArgs::open`], for other counting rules.
    pub(crate) fn open_for(&self, rules: &CountingRules) -> anyhow::Result<ProbeSession> {
        let folder = locate(self.tables.as_deref());
        #[cfg(not(feature = "build"))]
        anyhow::ensure!(!self.build, "this program was built without the feature `build`; makruk-gen builds tables");
        Ok(ProbeSession {
            #[cfg(feature = "build")]
            builder: self.build.then(|| super::table_builder::TableBuilder::new(folder.clone())),
            prober: Prober::new(Tablebase::builder().folders([folder]).access(access()).rules(rules.clone()).build()),
        })
    }
}

/// The access of this program to table files: by maps.
#[allow(unsafe_code)]
fn access() -> Access {
    // SAFETY: tables are published by renaming a finished file and never written again by this program. FORMAT.md
    // forbids others to modify a table in place.
    unsafe { Access::mapped() }
}

impl ProbeSession {
    /// Builds the missing tables of positions, if the session builds tables.
    pub(crate) fn prepare_for(&mut self, positions: impl FnOnce(&CountingRules) -> Vec<Fen>) {
        #[cfg(feature = "build")]
        if self.builder.is_some() {
            for fen in positions(self.prober.rules()) {
                if let Ok(oriented) = Material::of(fen.position.board()) {
                    self.prepare(oriented.material);
                }
            }
        }
        #[cfg(not(feature = "build"))]
        let _ = positions;
    }

    /// Builds the missing tables of a material, if the session builds tables. A failure is printed; the next probe then
    /// fails because the table is missing.
    #[cfg(any(feature = "build", feature = "research"))]
    pub(crate) fn prepare(&mut self, material: Material) {
        #[cfg(feature = "build")]
        if let Some(builder) = &mut self.builder {
            builder.build(material, self.prober.rules());
        }
        #[cfg(not(feature = "build"))]
        let _ = material;
    }
}
