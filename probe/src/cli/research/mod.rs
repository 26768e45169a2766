//! `research`: whole sets.

mod console;
mod saves;
mod signals;
mod stats;

use clap::{Args, Subcommand};

/// Go through whole sets of tables
#[derive(Args, Debug)]
pub(super) struct Research {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Saves(Box<saves::Saves>),
    Stats(stats::Stats),
}

impl Research {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            Command::Saves(saves) => saves.run(),
            Command::Stats(stats) => stats.run(),
        }
    }
}
