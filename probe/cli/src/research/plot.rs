//! `research plot`: pictures of sets.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_research::{DistancesPlot, Picture, SharesPlot, SquaresPlot};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use super::side;
use crate::setup::Setup;
use crate::{MISUSE, SUCCESS};

/// Draw a picture of sets, as SVG or PNG
#[derive(Args, Debug)]
pub(super) struct Plot {
    #[command(flatten)]
    setup: Setup,
    /// Of what
    #[arg(value_enum)]
    kind: Kind,
    /// Sets, such as KSSvK; one of them, but for shares
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
    /// All sets of three to N men, for shares
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// Whose wins, in the colours of the set's name; not for shares
    #[arg(long, value_name = "SIDE", value_parser = side, default_value = "white")]
    attacker: Color,
    /// The file to write, whose name ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// How many wins take how many moves, and where the count cuts them off
    Distances,
    /// Of each set, the share of White's wins that the count takes
    Shares,
    /// How long wins take, by the square of the defender's king
    Squares,
}

impl Plot {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let is_svg = match self.out.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => true,
            Some("png") => false,
            _ => return misuse(&format!("{} ends neither in .svg nor in .png", self.out.display())),
        };
        let mut sets = self.sets.clone();
        sets.extend((3..=usize::from(self.men.unwrap_or(2))).flat_map(Material::all));
        sets.retain(|&set| set != Material::BARE_KINGS);
        let mut desk = self.setup.open();
        sets.iter().for_each(|&set| desk.prepare(set));
        let picture = match (self.kind, &sets[..]) {
            (Kind::Shares, [_, ..]) => Picture::Shares(SharesPlot::read(&desk.prober, &sets)?),
            (Kind::Distances, &[set]) => Picture::Distances(DistancesPlot::read(&desk.prober, set, self.attacker)?),
            (Kind::Squares, &[set]) => Picture::Squares(Box::new(SquaresPlot::read(&desk.prober, set, self.attacker)?)),
            (Kind::Shares, []) => return misuse("no set is named; name some, such as KSSvK, or say --men 4"),
            _ => return misuse("this picture is of one set; name it, such as KSSvK"),
        };
        let bytes = if is_svg { picture.svg()?.into_bytes() } else { picture.png()? };
        fs::write(&self.out, bytes).with_context(|| format!("{} can't be written", self.out.display()))?;
        Ok(SUCCESS)
    }
}

fn misuse(problem: &str) -> anyhow::Result<u8> {
    eprintln!("makruk-probe research plot: {problem}");
    Ok(MISUSE)
}
