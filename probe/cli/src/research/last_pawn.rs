//! `research last-pawn`: the moment at which the last pawn goes.

use clap::Args;
use makruk_research::{LastPawnSums, last_pawn};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use super::materials;
use crate::SUCCESS;
use crate::session::TableArgs;

/// Count how often the move that ends the last pawn throws a win away, and how often it saves the defender
///
/// An unpromoted pawn stops every count; the count begins when the last one goes. A sample of positions, spread evenly over each
/// table, is analysed with all moves. Each line is for one material and side to move; its fields are separated by tabs. With
/// --examples, positions that are won only by waiting follow: to end the last pawn at once would begin a count that is too short.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::LAST_PAWN)]
pub(super) struct LastPawnCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// Materials with pawns, such as KRPvK
    #[arg(value_name = "MATERIAL", required_unless_present = "men")]
    materials: Vec<Material>,
    /// All materials with pawns of 3 to N men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Positions to analyse, for each side to move of a material
    #[arg(long, value_name = "POSITIONS", default_value_t = 20_000)]
    sample: u64,
    /// Also print positions that are won only by waiting
    #[arg(long)]
    examples: bool,
}

impl LastPawnCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        if let Some(material) = self.materials.iter().find(|material| !material.has_pawns()) {
            anyhow::bail!("{material} has no pawn: name materials with a P, such as KRPvK");
        }
        let mut session = self.tables.open()?;
        println!("material\tside\t{}", LastPawnSums::NAMES.join("\t"));
        for material in materials(&self.materials, self.men).into_iter().filter(Material::has_pawns) {
            session.prepare(material);
            let sample = last_pawn(&session.prober, material, self.sample)?;
            for side in Color::ALL {
                let values = sample.sums[side].values().map(|value| value.to_string());
                println!("{material}\t{}\t{}", side.name(), values.join("\t"));
            }
            for (plies, winning, fen) in sample.waits.iter().filter(|_| self.examples) {
                println!("# {material}: {fen} ({winning} winning moves, conversion in {plies} plies)");
            }
        }
        Ok(SUCCESS)
    }
}
