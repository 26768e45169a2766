//! `makruk-gen plan`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::plan;
use makruk_tables::format::TableFolder;

use super::{Folder, Sets, print_json};

#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    sets: Sets,
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object per set.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PlanArgs) -> Result<ExitCode> {
    // A folder that is not there yet has no tables: nothing is built.
    let path = args.folder.path();
    let folder = if path.exists() { Some(TableFolder::open_existing(path)?) } else { None };
    if !args.json {
        println!("{:<12} {:>16} {:>12} {:>12}  built", "set", "positions", "memory MiB", "disk MiB");
    }
    for set in args.sets.in_build_order()? {
        let plan = plan(set, folder.as_ref());
        if args.json {
            print_json(&plan)?;
        } else {
            println!(
                "{:<12} {:>16} {:>12} {:>12}  {}",
                plan.material,
                plan.positions,
                plan.memory_bytes >> 20,
                plan.disk_bytes >> 20,
                if plan.built { "yes" } else { "no" }
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
