//! The command `makruk-gen manifest`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use makruk_console::warn;
use makruk_generator::{Manifest, counted};
use makruk_tables::material::Material;

use super::arguments::{Folder, Materials};
use super::print::print;

#[derive(Args)]
pub(super) struct ManifestArgs {
    #[command(flatten)]
    materials: Materials,
    #[command(flatten)]
    folder: Folder,
    /// Compare the tables with the lines of this manifest for these materials, instead of printing the manifest of the
    /// tables.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

pub(super) fn run(args: &ManifestArgs) -> Result<ExitCode> {
    let materials = args.materials.in_build_order()?;
    let folder = args.folder.open()?;
    let Some(path) = &args.check else {
        print(&Manifest::of(&folder, materials.into_iter().flat_map(Material::tables))?.to_string());
        return Ok(ExitCode::SUCCESS);
    };
    let mut manifest = read_manifest(path)?;
    manifest.tables.retain(|line| materials.contains(&line.id.material));
    let differences = manifest.differences(&folder);
    differences.iter().for_each(|difference| warn(difference));
    let compared = counted(manifest.tables.len() as u64, "table");
    let differ = if differences.len() == 1 { "differs" } else { "differ" };
    print(&format!("{compared} compared, {} {differ}\n", differences.len()));
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads a list that the user names.
pub(super) fn read_manifest(path: &Path) -> Result<Manifest> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Manifest::parse(&text).with_context(|| format!("{} is not a manifest", path.display()))
}
