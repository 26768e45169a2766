//! Builds tables: those that positions lack, and those of all materials of some men.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use makruk_answers::Refusal;
use makruk_console::warn;
use makruk_format::TableFolder;
use makruk_generator::{Console, MOST_MEN_IN_MEMORY, Options, build};
use makruk_rules::CountingRules;
use makruk_tables::material::Material;

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
            warn(&format!(
                "makruk-probe: {material} has {} men, --build builds materials of up to {MOST_MEN_IN_MEMORY}; \
                 `{}` takes more time and memory",
                material.men(),
                Refusal::build_command(material)
            ));
            return;
        }
        let options = Options { rules: rules.clone(), ..Options::default() };
        if let Err(error) = build_missing(&self.folder, [material], options) {
            warn(&format!("makruk-probe: cannot build {material}: {}", sentence(error.as_ref())));
        }
    }
}

/// Builds what is missing of all materials of 3 to `men` men.
///
/// # Errors
///
/// If the folder cannot be made, or a material cannot be built.
#[cfg(feature = "serve")]
pub(crate) fn build_up_to(men: u8, folder: &Path) -> anyhow::Result<()> {
    build_missing(folder, (3..=usize::from(men)).flat_map(Material::all), Options::default())
}

fn build_missing(folder: &Path, materials: impl IntoIterator<Item = Material>, options: Options) -> anyhow::Result<()> {
    build(&TableFolder::create(folder)?, materials, &options, &Console::new(Arc::new(AtomicBool::new(false))))?;
    Ok(())
}
