//! The tables of a command, and the session that probes them.

use std::path::PathBuf;

use clap::Args;
use makruk_answers::{Ask, Refusal};
#[cfg(feature = "remote")]
use makruk_answers::{Door, Remedy, ask_in_rounds};
use makruk_console::{is_address, locate};
use makruk_probe::{Access, Prober, Tablebase};
#[cfg(feature = "remote")]
use makruk_remote::RemoteTables;
use makruk_rules::{CountingRules, Fen};
#[cfg(any(feature = "build", feature = "research"))]
use makruk_tables::material::Material;

use super::remedy::DOOR;
#[cfg(feature = "remote")]
use super::remedy::sentence;

/// The options of the tables.
#[derive(Args, Clone, Debug)]
pub(crate) struct TableArgs {
    /// The folder of the tables; otherwise MAKRUK_TABLES, ./tables/data or `tables` beside the program if it exists, or
    /// the user's data folder. For `query` and `analyse` also the address of a site of tables
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
    #[cfg(feature = "remote")]
    remote: Option<RemoteTables>,
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

    /// As [`TableArgs::open`]; the tables may be those of a site, for [`ProbeSession::ask`].
    ///
    /// # Errors
    ///
    /// The same, or if the site cannot be read.
    #[cfg(feature = "remote")]
    pub(crate) fn open_or_connect(&self) -> anyhow::Result<ProbeSession> {
        let folder = locate(self.tables.as_deref());
        if !is_address(&folder) {
            return self.open();
        }
        anyhow::ensure!(!self.build, "--build needs a folder: {} is an address", folder.display());
        let url: makruk_remote::MirrorUrl = folder.to_string_lossy().parse()?;
        let caches = makruk_console::remote_caches();
        let remote = RemoteTables::open(url, RemoteTables::SILENCE, caches.as_deref())?;
        Ok(ProbeSession { remote: Some(remote), ..self.open_folder(PathBuf::new(), &CountingRules::MAKRUK)? })
    }

    /// As [`TableArgs::open`]: this program cannot connect.
    #[cfg(not(feature = "remote"))]
    pub(crate) fn open_or_connect(&self) -> anyhow::Result<ProbeSession> {
        let folder = locate(self.tables.as_deref());
        let is_here = !is_address(&folder);
        anyhow::ensure!(
            is_here,
            "this program was built without the feature `remote`, which reads {}",
            folder.display()
        );
        self.open()
    }

    /// As [`TableArgs::open`], for other counting rules.
    pub(crate) fn open_for(&self, rules: &CountingRules) -> anyhow::Result<ProbeSession> {
        let folder = locate(self.tables.as_deref());
        anyhow::ensure!(!is_address(&folder), "this command needs a folder: {} is an address", folder.display());
        self.open_folder(folder, rules)
    }

    fn open_folder(&self, folder: PathBuf, rules: &CountingRules) -> anyhow::Result<ProbeSession> {
        #[cfg(not(feature = "build"))]
        anyhow::ensure!(!self.build, "this program was built without the feature `build`; makruk-gen builds tables");
        Ok(ProbeSession {
            #[cfg(feature = "build")]
            builder: self.build.then(|| super::table_builder::TableBuilder::new(folder.clone())),
            #[cfg(feature = "remote")]
            remote: None,
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
    /// The answer to a question.
    ///
    /// # Errors
    ///
    /// If it has no answer.
    pub(crate) fn ask<Q: Ask>(&self, question: Q) -> Result<Q::Answer, Box<Refusal>> {
        #[cfg(feature = "remote")]
        if let Some(remote) = &self.remote {
            let door = Door { remedy: Remedy::Site, ..DOOR };
            return ask_in_rounds(question, remote.prober(), door, || remote.fetch().map_err(|error| sentence(&error)));
        }
        question.ask(self.prober.clone(), DOOR)
    }

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
