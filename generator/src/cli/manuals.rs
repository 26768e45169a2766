//! The command `makruk-gen manuals`, for packages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use makruk_locate::write_manuals;

use super::Cli;

#[derive(Args)]
pub(super) struct ManualsArgs {
    /// The folder for the files. It must exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManualsArgs) -> Result<ExitCode> {
    write_manuals(&Cli::command(), &args.folder).with_context(|| args.folder.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}
