//! The tables that `serve` and `site` build first.

use std::path::Path;

/// Builds what is missing of all materials of 3 to `men` men.
///
/// # Errors
///
/// If the folder cannot be made, or a material cannot be built.
#[cfg(feature = "build")]
pub(crate) fn build_up_to(men: u8, folder: &Path) -> anyhow::Result<()> {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use makruk_generator::{Console, Options, build};
    use makruk_tables::format::TableFolder;
    use makruk_tables::material::Material;

    let materials = (3..=usize::from(men)).flat_map(Material::all);
    let console = Console::new(Arc::new(AtomicBool::new(false)));
    build(&TableFolder::create(folder)?, materials, &Options::default(), &console)?;
    Ok(())
}

/// Fails: this program cannot build tables.
#[cfg(not(feature = "build"))]
pub(crate) fn build_up_to(_: u8, _: &Path) -> anyhow::Result<()> {
    anyhow::bail!("this program was built without the feature `build`; makruk-gen builds tables")
}
