//! `makruk-gen verify`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{BuildError, Console, metrics, verify_consistency};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

use super::{Folder, check_sets, stop_on_ctrl_c};

/// The most men of a set whose values are held in memory to be compared.
const MOST_MEN: usize = 5;

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// Material sets; all sets that the folder has tables of, if none is given.
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
    #[command(flatten)]
    folder: Folder,
    /// Compare so many positions of each side to move with their successors, instead of all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "checksums")]
    sample: Option<u64>,
    /// Check the files alone: every checksum and every code, no position.
    #[arg(long)]
    checksums: bool,
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
    let progress = Console::new(stop_on_ctrl_c()?);
    let mut sound = true;
    for set in sets {
        let whole = files_are_whole(&folder, set);
        sound &= whole;
        if whole && !args.checksums {
            sound &= values_follow(&folder, set, args.sample, &progress)?;
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the files of a set: every checksum, every code.
fn files_are_whole(folder: &TableFolder, set: Material) -> bool {
    let mut whole = true;
    for &metric in metrics(set) {
        match folder.open(&set.to_string(), metric).and_then(|table| table.verify()) {
            Ok(verified) => println!("{set} {metric}: sound, {} blocks, {} bytes", verified.blocks, verified.bytes),
            Err(error) => {
                whole = false;
                eprintln!("makruk-gen: {error}");
            }
        }
    }
    whole
}

/// Compares the values of a set with its successors' values.
fn values_follow(folder: &TableFolder, set: Material, sample: Option<u64>, progress: &Console) -> Result<bool> {
    if set.men() > MOST_MEN {
        println!("{set}: values not compared, that is for sets of up to {MOST_MEN} men");
        return Ok(true);
    }
    let found = match verify_consistency(folder, set, sample, &CountingRules::MAKRUK, progress) {
        Ok(found) => found,
        Err(BuildError::Format(error)) => {
            eprintln!("makruk-gen: {set}: values cannot be compared: {error}");
            return Ok(false);
        }
        Err(error) => return Err(error.into()),
    };
    if found.is_sound() {
        println!("{set}: {} positions follow from their moves", found.positions);
        return Ok(true);
    }
    eprintln!("makruk-gen: {set}: {} values of {} positions are wrong", found.wrong, found.positions);
    for wrong in &found.examples {
        eprintln!("  {wrong}");
    }
    for wrong in &found.wrong_totals {
        eprintln!("  {wrong}");
    }
    Ok(false)
}
