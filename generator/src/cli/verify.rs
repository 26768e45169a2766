//! The command `makruk-gen verify`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_console::{StopSignal, sentence, warn};
use makruk_format::{AnyValue, TableFolder};
use makruk_generator::{BuildError, Console, Progress, counted, remedy, verify_consistency};
use makruk_rules::CountingRules;
use makruk_tables::material::Material;

use super::arguments::{Folder, Quiet, refuse_bare_kings};

#[derive(Args)]
pub(super) struct VerifyArgs {
    /// Materials. The default is every material with a table in the folder.
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
    #[command(flatten)]
    folder: Folder,
    /// Check the values of N positions of each side to move, spread over the material, and read only the blocks that
    /// they need. This suits tables of any size.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Check the files alone: checksums, lengths, codes.
    #[arg(long, conflicts_with = "sample")]
    checksums: bool,
    #[command(flatten)]
    quiet: Quiet,
}

pub(super) fn run(args: &VerifyArgs) -> Result<ExitCode> {
    refuse_bare_kings(&args.materials)?;
    let folder = args.folder.open()?;
    let mut materials = args.materials.clone();
    if materials.is_empty() {
        materials = folder.list()?.iter().map(|id| id.material).collect();
        materials.sort_by_key(|material: &Material| (material.men(), *material));
        materials.dedup();
        anyhow::ensure!(
            !materials.is_empty(),
            "{} has no tables, so nothing is verified; --tables names another folder",
            folder.path().display()
        );
    }
    let stop = StopSignal::watch()?;
    let console = Console::new(stop.flag());
    let console = if args.quiet.quiet { console.quiet() } else { console };
    console.verify(&materials);
    let mut verified = true;
    for material in materials {
        verified &= match check_material(&folder, material, args, &console) {
            // There is no other error than that of the stop.
            Err(_) if stop.was_received() => {
                warn("makruk-gen: stopped");
                return Ok(stop.exit_status().into());
            }
            checked => checked?,
        };
    }
    console.finish();
    Ok(if verified { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the files of a material, then, if they are intact, its values, and prints the outcome.
fn check_material(folder: &TableFolder, material: Material, args: &VerifyArgs, console: &Console) -> Result<bool> {
    console.material(material);
    if args.sample.is_none() && !check_files(folder, material, console)? {
        return Ok(false);
    }
    if args.checksums {
        return Ok(true);
    }
    check_values(folder, material, args.sample, console)
}

/// Checks the files of a material.
fn check_files(folder: &TableFolder, material: Material, console: &Console) -> Result<bool> {
    for id in material.tables() {
        console.check()?;
        match folder.open::<AnyValue>(id).and_then(|table| table.verify()) {
            Ok(verified) => {
                console.print(&format!(
                    "{material} {}: file verified, {}, {} bytes",
                    id.metric,
                    counted(verified.blocks, "block"),
                    verified.bytes
                ));
            }
            Err(error) => {
                console.warn(&format!("makruk-gen: {}", sentence(&error, remedy)));
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Compares the values of a material with those that its moves give.
fn check_values(folder: &TableFolder, material: Material, sample: Option<u64>, console: &Console) -> Result<bool> {
    let checked = match verify_consistency(folder, material, sample, &CountingRules::MAKRUK, console) {
        Err(error @ BuildError::Stopped) => return Err(error.into()),
        Err(error) => {
            console.warn(&format!(
                "makruk-gen: the values of {material} could not be checked: {}",
                sentence(&error, remedy)
            ));
            return Ok(false);
        }
        Ok(checked) => checked,
    };
    if checked.is_sound() {
        console.print(&checked.to_string());
    } else {
        console.warn(&format!("makruk-gen: {checked}"));
    }
    Ok(checked.is_sound())
}
