//! `research plot`: pictures of a material.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_research::{plot_distances, plot_squares};
use makruk_rules::Color;
use makruk_tables::material::Material;

use super::arguments::{material, one_of};
use crate::exit_status::SUCCESS;
use crate::session::TableArgs;

/// Draw a picture of a material, as SVG
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::PLOT)]
pub(super) struct PlotCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// The kind of picture
    #[arg(value_enum)]
    kind: PlotKind,
    /// The material, such as KSSvK
    #[arg(value_name = "MATERIAL", value_parser = material)]
    material: Material,
    /// The side whose wins are drawn, in the colours of the material's name
    #[arg(long, value_name = "SIDE", ignore_case = true, value_parser = one_of::<Color>(Color::ALL.map(Color::name)), default_value = "white")]
    attacker: Color,
    /// The file to write, an SVG
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlotKind {
    /// The wins by their moves, and the limit of the count
    Distances,
    /// The length of the wins by the square of the defender's king
    Squares,
}

impl PlotCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let mut session = self.tables.open()?;
        session.prepare(self.material);
        let svg = match self.kind {
            PlotKind::Distances => plot_distances(&session.prober, self.material, self.attacker)?,
            PlotKind::Squares => plot_squares(&session.prober, self.material, self.attacker)?,
        };
        fs::write(&self.out, svg).with_context(|| format!("cannot write {}", self.out.display()))?;
        Ok(SUCCESS)
    }
}
