//! `research plot`: pictures of materials.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_research::{plot_distances, plot_shares, plot_squares};
use makruk_tables::rules::Color;

use super::{MaterialArgs, side};
use crate::session::TableArgs;
use crate::{MISUSE, SUCCESS};

/// Draw a picture of materials, as SVG
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::PLOT)]
pub(super) struct PlotCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// The kind of picture
    #[arg(value_enum)]
    kind: PlotKind,
    #[command(flatten)]
    materials: MaterialArgs,
    /// The side whose wins are drawn, in the colours of the material's name; not for shares
    #[arg(long, value_name = "SIDE", value_parser = side, default_value = "white")]
    attacker: Color,
    /// The file to write, an SVG
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlotKind {
    /// The wins of one material by their moves, and the limit of the count
    Distances,
    /// The share of each material's wins, for White, that the count takes
    Shares,
    /// The length of the wins of one material by the square of the defender's king
    Squares,
}

impl PlotCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        if self.kind != PlotKind::Shares && materials.len() > 1 {
            eprintln!("makruk-probe research plot: this picture shows one material; name it, such as KSSvK");
            return Ok(MISUSE);
        }
        let mut session = self.tables.open()?;
        materials.iter().for_each(|&material| session.prepare(material));
        let (prober, first) = (&session.prober, materials[0]);
        let svg = match self.kind {
            PlotKind::Shares => plot_shares(prober, &materials)?,
            PlotKind::Distances => plot_distances(prober, first, self.attacker)?,
            PlotKind::Squares => plot_squares(prober, first, self.attacker)?,
        };
        fs::write(&self.out, svg).with_context(|| format!("cannot write {}", self.out.display()))?;
        Ok(SUCCESS)
    }
}
