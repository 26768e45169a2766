//! Building the tables that a position lacks.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use makruk_generator::{Console, MOST_MEN_IN_MEMORY, Options, build};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

/// Builds each set at most once.
pub(super) struct Builder {
    folder: PathBuf,
    seen: HashSet<Material>,
}

impl Builder {
    /// A builder into a folder, made when the first table is.
    pub(super) fn new(folder: PathBuf) -> Builder {
        Builder { folder, seen: HashSet::new() }
    }

    /// Builds what is missing of a set and of those that captures lead to. Progress and errors go to standard error.
    pub(super) fn build(&mut self, set: Material, rules: &CountingRules) {
        if set == Material::BARE_KINGS || !self.seen.insert(set) {
            return;
        }
        if set.men() > MOST_MEN_IN_MEMORY {
            eprintln!(
                "makruk-probe: {set} has {} men, --build builds sets of up to {MOST_MEN_IN_MEMORY}: \
                 makruk-gen build {set} takes more time and memory",
                set.men()
            );
            return;
        }
        if let Err(error) = self.try_build(set, rules) {
            eprintln!("makruk-probe: {set} could not be built: {error:#}");
        }
    }

    fn try_build(&self, set: Material, rules: &CountingRules) -> anyhow::Result<()> {
        let folder = TableFolder::create(&self.folder)?;
        let options = Options { rules: rules.clone(), ..Options::default() };
        build(&folder, [set], &options, &Console::new(Arc::new(AtomicBool::new(false))))?;
        Ok(())
    }
}
