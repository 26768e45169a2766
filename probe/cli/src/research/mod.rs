//! `research`: whole sets.

mod console;
#[cfg(feature = "plot")]
mod plot;
mod saves;
mod signals;
mod stats;
mod study;

use clap::{Args, Subcommand};
use makruk_tables::rules::Color;

/// Go through whole sets of tables
#[derive(Args, Debug)]
pub(super) struct Research {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Saves(Box<saves::Saves>),
    Stats(Box<stats::Stats>),
    Study(Box<study::Study>),
    #[cfg(feature = "plot")]
    Plot(Box<plot::Plot>),
}

impl Research {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            Command::Saves(saves) => saves.run(),
            Command::Stats(stats) => stats.run(),
            Command::Study(study) => study.run(),
            #[cfg(feature = "plot")]
            Command::Plot(plot) => plot.run(),
        }
    }
}

/// A side by its name.
fn side(text: &str) -> Result<Color, String> {
    let side = Color::ALL.into_iter().find(|color| color.name() == text);
    side.ok_or_else(|| format!("{text:?} is no side: expected white or black"))
}
