//! The command `makruk-probe manuals`, for packages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, SUCCESS};

/// Write manual pages and the completions of shells to a folder
#[derive(Args, Debug)]
pub(crate) struct Manuals {
    /// The folder that gets the files; it must exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manuals {
    pub(crate) fn run(&self) -> Result<u8> {
        let mut command = Arguments::command();
        let written = clap_mangen::generate_to(command.clone(), &self.folder).and_then(|()| {
            [Shell::Bash, Shell::Zsh, Shell::Fish].into_iter().try_for_each(|shell| {
                clap_complete::generate_to(shell, &mut command, "makruk-probe", &self.folder)?;
                Ok(())
            })
        });
        written.with_context(|| self.folder.display().to_string())?;
        Ok(SUCCESS)
    }
}
