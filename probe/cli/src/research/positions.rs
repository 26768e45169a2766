//! `research positions`: random positions with their values.

use std::io::{self, BufWriter, Write};

use clap::Args;
use makruk_console::{StopSignal, warn};
use makruk_research::{PositionDraw, PositionExport, PositionFormat};

use super::arguments::{MaterialArgs, ScanArgs, one_of};
use super::console::ScanConsole;
use crate::exit_status::SUCCESS;
use crate::session::TableArgs;

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
    /// The format: tsv (a line a position: FEN, category, DTM and DTZ in signed plies), or plain, which the training
    /// tools of Fairy-Stockfish read
    #[arg(long, value_name = "FORMAT", default_value_t, value_parser = one_of::<PositionFormat>(PositionFormat::ALL.map(PositionFormat::name)))]
    format: PositionFormat,
    #[command(flatten)]
    scan: ScanArgs,
}

impl PositionsCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        let mut session = self.tables.open()?;
        for &material in &materials {
            session.prepare(material);
        }
        let stop = StopSignal::watch()?;
        let mut console = ScanConsole::new("positions".to_owned(), self.scan.quiet, stop.clone()).of("positions");
        let mut out = BufWriter::new(io::stdout().lock());
        let sink = |text: &str| out.write_all(text.as_bytes()).map_err(anyhow::Error::from);
        let export = PositionExport {
            draw: PositionDraw::new(materials),
            seed: self.seed,
            number: self.sample,
            format: self.format,
            threads: self.scan.threads,
        };
        let written = export.run(&session.prober, sink, &mut console);
        console.finish();
        let written = written?;
        out.flush()?;
        if !stop.was_received() {
            return Ok(SUCCESS);
        }
        warn(&format!("makruk-probe research positions: stopped after {written} positions"));
        Ok(stop.exit_status())
    }
}
