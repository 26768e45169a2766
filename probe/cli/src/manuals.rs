//! The command `makruk-probe manuals`, for packages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use makruk_locate::write_manuals;

use super::{Arguments, SUCCESS};

/// Write manual pages and shell completions to a folder
#[derive(Args, Debug)]
pub(crate) struct Manuals {
    /// The folder for the files; it must exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manuals {
    pub(crate) fn run(&self) -> Result<u8> {
        write_manuals(&Arguments::command(), &self.folder).with_context(|| self.folder.display().to_string())?;
        Ok(SUCCESS)
    }
}
