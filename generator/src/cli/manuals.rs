//! The command `makruk-gen manuals`, for packages.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;

#[derive(Args)]
pub(super) struct ManualsArgs {
    /// The folder that gets the files. It must exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &ManualsArgs) -> Result<ExitCode> {
    let mut command = Cli::command();
    let written = clap_mangen::generate_to(command.clone(), &args.folder).and_then(|()| {
        [Shell::Bash, Shell::Zsh, Shell::Fish].into_iter().try_for_each(|shell| {
            clap_complete::generate_to(shell, &mut command, "makruk-gen", &args.folder)?;
            Ok(())
        })
    });
    written.with_context(|| args.folder.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}
