//! `makruk-gen verify`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{BuildError, Console, MOST_MEN_IN_MEMORY, Progress, verify_consistency};
use makruk_tables::format::{Metric, TableFolder};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

use super::signals::Signals;
use super::{Folder, check_sets, say};

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// Material sets; all sets that the folder has tables of, if none is given.
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
    #[command(flatten)]
    folder: Folder,
    /// Check the values of N positions of each side to move, spread over the set, instead of all, and of the files only what
    /// these take: a quick look, however large the tables are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Check the files only: checksums, lengths, codes.
    #[arg(long, conflicts_with = "sample")]
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
    let signals = Signals::watch()?;
    let console = Console::new(signals.stop());
    console.verify(&sets);
    let mut sound = true;
    for set in sets {
        sound &= match check_set(&folder, set, args, &console) {
            Err(error) if signals.have_come() => {
                say(&format!("makruk-gen: {error}"));
                return Ok(signals.exit_code());
            }
            checked => checked?,
        };
    }
    console.finish();
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks a set's files, then, if they are sound, its values; says what was found.
fn check_set(folder: &TableFolder, set: Material, args: &VerifyArgs, console: &Console) -> Result<bool> {
    console.set(set);
    if args.sample.is_none() && !check_files(folder, set, console) {
        return Ok(false);
    }
    if args.checksums {
        return Ok(true);
    }
    check_values(folder, set, args.sample, console)
}

/// Goes through a set's files.
fn check_files(folder: &TableFolder, set: Material, console: &Console) -> bool {
    // Who keeps no light tables has none to be checked.
    let here = |metric: Metric| metric != Metric::Wdl || folder.contains(&set.to_string(), metric);
    for &metric in set.table_metrics().iter().filter(|&&metric| here(metric)) {
        match folder.open_set(&Layout::new(set), metric).and_then(|table| table.verify()) {
            Ok(verified) => {
                console
                    .say(&format!("{set} {metric}: file sound, {} blocks, {} bytes", verified.blocks, verified.bytes));
            }
            Err(error) => {
                console.complain(&error.to_string());
                return false;
            }
        }
    }
    true
}

/// Compares values with what moves make them.
fn check_values(folder: &TableFolder, set: Material, sample: Option<u64>, console: &Console) -> Result<bool> {
    if sample.is_none() && set.men() > MOST_MEN_IN_MEMORY {
        console.complain(&format!("{set} has {} men, its values do not fit into memory: give --sample N", set.men()));
        return Ok(false);
    }
    let checked = match verify_consistency(folder, set, sample, &CountingRules::MAKRUK, console) {
        Err(BuildError::Stopped) => anyhow::bail!("stopped"),
        Err(error) => {
            console.complain(&format!("the values of {set} could not be checked: {error}"));
            return Ok(false);
        }
        Ok(checked) => checked,
    };
    if checked.is_sound() {
        console.say(&checked.to_string());
    } else {
        console.complain(&checked.to_string());
    }
    Ok(checked.is_sound())
}
