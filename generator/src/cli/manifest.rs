//! `makruk-gen manifest`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use makruk_generator::Manifest;

use super::{Folder, Sets, print, say};

#[derive(Args)]
pub(super) struct ManifestArgs {
    #[command(flatten)]
    sets: Sets,
    #[command(flatten)]
    folder: Folder,
    /// Compare the tables with this manifest instead of printing theirs: its lines for these sets.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

pub(super) fn run(args: &ManifestArgs) -> Result<ExitCode> {
    let sets = args.sets.in_build_order()?;
    let folder = args.folder.open()?;
    let Some(path) = &args.check else {
        print(&Manifest::of(&folder, sets)?.to_string());
        return Ok(ExitCode::SUCCESS);
    };
    let text = std::fs::read_to_string(path).with_context(|| format!("{} can't be read", path.display()))?;
    let mut manifest = Manifest::parse(&text).with_context(|| format!("{} is no manifest", path.display()))?;
    manifest.tables.retain(|line| sets.contains(&line.set));
    let differences = manifest.differences(&folder);
    differences.iter().for_each(|difference| say(difference));
    print(&format!("{} tables compared, {} differ\n", manifest.tables.len(), differences.len()));
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
