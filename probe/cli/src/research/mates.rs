//! `research mates`: the mates of a material.

use std::collections::BTreeMap;

use clap::Args;
use makruk_research::{MetColors, mates};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Square};

use crate::SUCCESS;
use crate::session::TableArgs;

/// Count the mates of a material's first side, by the colours of its mets and the square of the mated king
///
/// Numbers are of positions of the full board. Lines are separated by tabs: `won` and `others` have the positions with the
/// attacker to move; `mated` those with the king mated on a corner, an edge or an inner square, and how many of these squares
/// have the colour of most of the mets. The numbers of mets on squares of either colour are written `1+2`.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::MATES)]
pub(super) struct MatesCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// Materials, such as KMMMvK
    #[arg(value_name = "MATERIAL", required = true)]
    materials: Vec<Material>,
}

/// The kind of a square.
fn place(square: Square) -> &'static str {
    let at = square.index();
    let is_edge = |line: usize| line == 0 || line == 7;
    match (is_edge(at / 8), is_edge(at % 8)) {
        (true, true) => "corner",
        (false, false) => "inner",
        _ => "edge",
    }
}

impl MatesCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let mut session = self.tables.open()?;
        println!("material\tmets\twhat\tpositions\tof_the_colour_of_most_mets");
        for &material in &self.materials {
            session.prepare(material);
            let found = mates(&session.prober, material, Color::White)?;
            for (&[few, many], positions) in &found.to_move {
                println!("{material}\t{few}+{many}\twon\t{}\t", positions.won);
                println!("{material}\t{few}+{many}\tothers\t{}\t", positions.others);
            }
            let mut mated: BTreeMap<(MetColors, &str), (u64, u64)> = BTreeMap::new();
            for (&(mets, king, is_of_many), &positions) in &found.mated {
                let sum = mated.entry((mets, place(king))).or_default();
                sum.0 += positions;
                sum.1 += if is_of_many { positions } else { 0 };
            }
            for (([few, many], place), (positions, of_many)) in mated {
                println!("{material}\t{few}+{many}\tmated in {place}\t{positions}\t{of_many}");
            }
        }
        Ok(SUCCESS)
    }
}
