//! `makruk-gen verify`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::metrics;
use makruk_tables::material::Material;

use super::{Folder, check_sets};

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// Material sets; all sets that the folder has tables of, if none is given.
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
    #[command(flatten)]
    folder: Folder,
}

pub(super) fn run(args: &VerifyArgs) -> Result<ExitCode> {
    check_sets(&args.sets)?;
    let folder = args.folder.open()?;
    let mut sets = args.sets.clone();
    if sets.is_empty() {
        sets = folder.list()?.iter().filter_map(|name| name.material.parse().ok()).collect();
        sets.sort_by_key(|set: &Material| (set.men(), *set));
        sets.dedup();
    }
    let mut sound = true;
    for set in sets {
        for &metric in metrics(set) {
            match folder.open(&set.to_string(), metric).and_then(|table| table.verify()) {
                Ok(verified) => println!("{set} {metric}: sound, {} blocks, {} bytes", verified.blocks, verified.bytes),
                Err(error) => {
                    sound = false;
                    eprintln!("makruk-gen: {error}");
                }
            }
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
