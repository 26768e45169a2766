//! `research`: whole materials.

mod console;
mod digest;
mod list;
mod manual_texts;
mod pack;
mod plot;
mod positions;
mod puzzle_engine;
mod puzzles;
mod saves;
mod stats;
mod stop_signal;

use clap::{Args, Subcommand};
use makruk_answers::Whole;
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

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
}

/// The options of a scan.
#[derive(Args, Clone, Copy, Debug)]
struct ScanArgs {
    /// Threads; all cores if not given
    #[arg(long, value_name = "THREADS")]
    threads: Option<usize>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
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
        }
    }
}

/// Parses a side.
fn side(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| format!("{text:?} is not a side: expected white or black"))
}

/// Parses a material that has tables.
fn material(text: &str) -> Result<Material, String> {
    Whole::material(text).map_err(|refusal| refusal.error)
}

/// The materials that a command is about.
#[derive(Args, Clone, Debug)]
#[group(id = "which", required = true, multiple = true)]
struct MaterialArgs {
    /// All materials of three to N men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Materials, such as KRRvKR: king and two rooks against king and rook
    #[arg(value_name = "MATERIAL", value_parser = material)]
    materials: Vec<Material>,
}

impl MaterialArgs {
    /// The materials that are named, and all of three to `men` men, each once.
    fn all(&self) -> Vec<Material> {
        let mut materials = Vec::new();
        let all = self.men.into_iter().flat_map(|men| (3..=usize::from(men)).flat_map(Material::all));
        for material in self.materials.iter().copied().chain(all) {
            if !materials.contains(&material) {
                materials.push(material);
            }
        }
        materials
    }
}
