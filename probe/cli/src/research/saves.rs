//! `research saves`: the saves of materials.

use std::io::{self, BufWriter, Write};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{self, AtomicU64};

use clap::{Args, ValueEnum};
use makruk_answers::json;
use makruk_console::{StopSignal, warn};
use makruk_probe::{ProbeError, Prober, ValueSource};
use makruk_research::{
    Cursor, Filter, LocatedPosition, Order, Part, SaveAnalysis, SaveRecord, SaveSelector, ScanEnd, Scanner, epd,
};
use makruk_rules::Color;

use super::arguments::{MaterialArgs, ScanArgs, one_of};
use super::console::ScanConsole;
use crate::exit_status::{MISUSE, SUCCESS};
use crate::session::TableArgs;

/// List the positions of materials that are lost without the count and drawn with it
///
/// In the order of the tables: material by material, White to move before Black to move; each position stands for its
/// images under the material's symmetry. White is the first side of the material's name. Ctrl-C stops it and prints
/// the option that continues it.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::SAVES)]
pub(super) struct SavesCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// List only saves that the filter accepts, such as "sacrifice=last and unique and short<=2"
    #[arg(long = "where", value_name = "FILTER", default_value = "", hide_default_value = true)]
    filter: Filter,
    /// The format of the list
    #[arg(long, value_enum, default_value_t)]
    format: SaveFormat,
    /// Print the positions without their moves
    #[arg(long)]
    brief: bool,
    /// Print only the number of saves and, with --where, their share of all
    #[arg(long, conflicts_with_all = ["format", "brief"])]
    count: bool,
    /// List N saves that are spread evenly over the table, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["limit", "count"])]
    sample: Option<u64>,
    /// List all images of each save under the material's symmetry
    #[arg(long)]
    images: bool,
    /// Begin at this cell, MATERIAL:SIDE:NUMBER
    #[arg(long, value_name = "CURSOR")]
    from: Option<Cursor>,
    /// End before this cell
    #[arg(long, value_name = "CURSOR")]
    until: Option<Cursor>,
    /// Scan part K of N; the outputs of all parts, concatenated in order, are the output of the whole
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// End after N saves; with --images, after all images of the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only this side to move, in the colours of the material's name
    #[arg(long, value_name = "SIDE", ignore_case = true, value_parser = one_of::<Color>(Color::ALL.map(Color::name)))]
    side: Option<Color>,
    #[command(flatten)]
    scan: ScanArgs,
}

/// The parts in which a sample looks for each of its saves.
const SPARE_PARTS: u64 = 8;

/// The formats of a list of saves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SaveFormat {
    /// One JSON object per line
    #[default]
    Json,
    /// Extended position descriptions
    Epd,
}

impl SavesCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let order = Order::new(self.materials.all(), self.side);
        let places = match order.places(self.from, self.until) {
            Ok(places) => self.part.of(places),
            Err(problem) => {
                warn(&format!("makruk-probe research saves: {problem}"));
                return Ok(MISUSE);
            }
        };
        let mut session = self.tables.open()?;
        for material in order.materials() {
            session.prepare(material);
        }
        let stop = StopSignal::watch()?;
        let name = match &order.materials()[..] {
            [material] => material.to_string(),
            materials => format!("{} materials", materials.len()),
        };
        let mut console = ScanConsole::new(name, self.scan.quiet, stop.clone());
        let mut out = BufWriter::new(io::stdout().lock());
        if let Some(sample) = self.sample {
            // More parts than saves are asked for, since some have none; far ones first.
            let (parts, mut missing) = (sample.saturating_mul(SPARE_PARTS), sample);
            let numbers = (1..=SPARE_PARTS).flat_map(|first| (first..=parts).step_by(SPARE_PARTS as usize));
            for number in numbers.take_while(|_| !stop.was_received()) {
                let places = Part::new(number, parts).of(places.clone());
                let end = self.scan(&session.prober, &order, places, Some(1), &mut out, &mut console)?;
                missing -= end.found.min(missing);
                if missing == 0 {
                    break;
                }
            }
            console.finish();
            out.flush()?;
            return Ok(stop.exit_status());
        }
        let end = self.scan(&session.prober, &order, places.clone(), self.limit, &mut out, &mut console);
        console.finish();
        let end = end?;
        out.flush()?;
        if let Some(next) = order.cursor(end.next).filter(|_| end.next < places.end) {
            warn(&format!("makruk-probe research saves: go on with --from {next}"));
            return Ok(stop.exit_status());
        }
        Ok(SUCCESS)
    }

    fn scan(
        &self,
        prober: &Prober,
        order: &Order,
        places: Range<u64>,
        limit: Option<u64>,
        out: &mut impl Write,
        console: &mut ScanConsole,
    ) -> anyhow::Result<ScanEnd> {
        let scanner = Scanner::new(prober, order, places, self.scan.threads)?;
        let unit = if self.images { "saves" } else { "saves up to symmetry" };
        if self.count && self.filter.accepts_all() && !self.images && limit.is_none() {
            let end = scanner.count(console)?;
            writeln!(out, "{} {unit}", end.found)?;
            return Ok(end);
        }
        let selector = SaveSelector::new(self.filter.clone(), self.images);
        let seen = AtomicU64::new(0);
        let examine = |save: LocatedPosition| -> anyhow::Result<Option<Vec<String>>> {
            seen.fetch_add(1, atomic::Ordering::Relaxed);
            let texts = selector.select(prober, save, |save| self.render(save))?;
            Ok((!texts.is_empty()).then_some(texts))
        };
        let (mut printed, most) = (0, limit.unwrap_or(u64::MAX));
        let sink = |texts: Vec<String>| -> anyhow::Result<ControlFlow<()>> {
            printed += texts.len() as u64;
            for text in &texts {
                out.write_all(text.as_bytes())?;
            }
            Ok(if printed >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let end = scanner.run(examine, sink, console)?;
        if self.count {
            let all = seen.into_inner();
            match self.images || limit.is_some() || self.filter.accepts_all() {
                true => writeln!(out, "{printed} {unit}")?,
                false => {
                    let share = 100.0 * printed as f64 / all.max(1) as f64;
                    writeln!(out, "{printed} of {all} {unit} ({share:.1}%)")?;
                }
            }
        }
        Ok(end)
    }

    /// A save in the format of the list, its last line ended; nothing if the saves are only counted.
    fn render<S: ValueSource>(&self, save: &SaveAnalysis<'_, S>) -> Result<String, ProbeError> {
        if self.count {
            return Ok(String::new());
        }
        let record = if self.brief { SaveRecord::brief(save) } else { SaveRecord::full(save)? };
        Ok(match self.format {
            SaveFormat::Json => json(&record) + "\n",
            SaveFormat::Epd => epd(&record) + "\n",
        })
    }
}
