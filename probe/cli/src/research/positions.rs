//! `research positions`: random positions with their values.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_research::{PositionDraw, PositionExport, PositionFormat};

use super::console::ScanConsole;
use super::output_file::OutputFile;
use super::stop_signal::{INTERRUPTED, StopSignal};
use super::{MaterialArgs, ScanArgs};
use crate::SUCCESS;
use crate::session::{ProbeSession, TableArgs};

/// Write random positions with their values, for training an evaluation
///
/// Every legal position of the materials is equally likely, with either side as White. Mates and stalemates are left
/// out. No count runs. The same seed gives the same positions, for any number of threads.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::POSITIONS)]
pub(super) struct PositionsCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// The number of positions to draw
    #[arg(long, value_name = "N")]
    sample: u64,
    /// The seed of the draws
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The format
    #[arg(long, value_enum, default_value_t)]
    format: FormatArg,
    /// Write to this file, which appears when it is complete; otherwise the positions are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    scan: ScanArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// A line a position: FEN, category, DTM and DTZ in signed plies, with tabs between them
    #[default]
    Tsv,
    /// Blocks of text lines, which the training tools of Fairy-Stockfish read
    Plain,
}

impl PositionsCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        let mut session = self.tables.open()?;
        for &material in &materials {
            session.prepare(material);
        }
        let draw = PositionDraw::new(materials);
        let stop = StopSignal::watch().context("cannot register the signal handlers")?;
        let Some(path) = &self.out else {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = self.write(&session, draw, &mut out, &stop)?;
            out.flush()?;
            if !stop.was_received() {
                return Ok(SUCCESS);
            }
            eprintln!("makruk-probe research positions: stopped after {written} positions");
            return Ok(INTERRUPTED);
        };
        let mut file = OutputFile::create(path)?;
        self.write(&session, draw, &mut file, &stop)?;
        if stop.was_received() {
            eprintln!("makruk-probe research positions: stopped; no file was written");
            return Ok(INTERRUPTED);
        }
        file.publish()?;
        Ok(SUCCESS)
    }

    /// Writes the positions. Returns their number.
    fn write(
        &self,
        session: &ProbeSession,
        draw: PositionDraw,
        out: &mut impl Write,
        stop: &StopSignal,
    ) -> anyhow::Result<u64> {
        let format = match self.format {
            FormatArg::Tsv => PositionFormat::Tsv,
            FormatArg::Plain => PositionFormat::Plain,
        };
        let (seed, number, threads) = (self.seed, self.sample, self.scan.threads);
        let mut console = ScanConsole::new("positions".to_owned(), self.scan.quiet, stop.clone()).of("positions");
        let sink = |text: &str| out.write_all(text.as_bytes()).map_err(anyhow::Error::from);
        let export = PositionExport { draw, seed, number, format, threads };
        let written = export.run(&session.prober, sink, &mut console);
        console.finish();
        written
    }
}
