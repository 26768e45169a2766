//! `research`: whole materials.

mod arguments;
mod console;
mod digest;
mod list;
mod manual_texts;
mod pack;
mod plot;
mod positions;
mod practice;
mod puzzle_engine;
mod puzzles;
mod saves;
mod stats;
mod text_table;

use clap::{Args, Subcommand};

/// Scan whole materials: statistics, lists of positions, puzzles, pictures
#[derive(Args, Debug)]
#[command(after_long_help = manual_texts::RESEARCH)]
pub(crate) struct Research {
    #[command(subcommand)]
    command: ResearchCommand,
}

#[derive(Subcommand, Debug)]
enum ResearchCommand {
    Saves(Box<saves::SavesCommand>),
    Stats(Box<stats::StatsCommand>),
    List(Box<list::ListCommand>),
    Pack(Box<pack::PackCommand>),
    Positions(Box<positions::PositionsCommand>),
    Puzzles(Box<puzzles::PuzzlesCommand>),
    Plot(Box<plot::PlotCommand>),
    Practice(Box<practice::PracticeCommand>),
}

impl Research {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            ResearchCommand::Saves(saves) => saves.run(),
            ResearchCommand::Stats(stats) => stats.run(),
            ResearchCommand::List(list) => list.run(),
            ResearchCommand::Pack(pack) => pack.run(),
            ResearchCommand::Positions(positions) => positions.run(),
            ResearchCommand::Puzzles(puzzles) => puzzles.run(),
            ResearchCommand::Plot(plot) => plot.run(),
            ResearchCommand::Practice(practice) => practice.run(),
        }
    }
}
