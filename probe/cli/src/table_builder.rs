//! Builds the tables that positions lack.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use makruk_answers::Refusal;
use makruk_generator::{Console, MOST_MEN_IN_MEMORY, Options, build};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

use super::remedy::sentence;

/// Builds each material at most once.
pub(crate) struct TableBuilder {
    folder: PathBuf,
    seen: HashSet<Material>,
}

impl TableBuilder {
    /// A builder into a folder, which the first build creates.
    pub(crate) fn new(folder: PathBuf) -> TableBuilder {
        TableBuilder { folder, seen: HashSet::new() }
    }

    /// Builds the missing tables of a material and of those that captures and promotions lead to. Progress and errors
    /// go to standard error.
    pub(crate) fn build(&mut self, material: Material, rules: &CountingRules) {
        if material == Material::BARE_KINGS || !self.seen.insert(material) {
            return;
        }
        if material.men() > MOST_MEN_IN_MEMORY {
            eprintln!(
                "makruk-probe: {material} has {} men, --build builds materials of up to {MOST_MEN_IN_MEMORY}; \
                 `{}` takes more time and memory",
                material.men(),
                Refusal::build_command(material)
            );
            return;
        }
        if let Err(error) = self.try_build(material, rules) {
            eprintln!("makruk-probe: cannot build {material}: {}", sentence(error.as_ref()));
        }
    }

    fn try_build(&self, material: Material, rules: &CountingRules) -> anyhow::Result<()> {
        let folder = TableFolder::create(&self.folder)?;
        let options = Options { rules: rules.clone(), ..Options::default() };
        build(&folder, [material], &options, &Console::new(Arc::new(AtomicBool::new(false))))?;
        Ok(())
    }
}
