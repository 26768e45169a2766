//! `research saves`: every save of some sets.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use clap::Args;
use makruk_probe::research::{Cursor, Found, Order, Part, Settings, scan};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use super::console::Console;
use super::signals::{INTERRUPTED, Stop};
use crate::cli::setup::Setup;
use crate::cli::{MISUSE, SUCCESS};

/// List the positions of some sets that are lost without the count and drawn with it
#[derive(Args, Debug)]
pub(super) struct Saves {
    #[command(flatten)]
    setup: Setup,
    /// Begin at this place, SET:SIDE:NUMBER
    #[arg(long, value_name = "CURSOR")]
    from: Option<Cursor>,
    /// End before this place
    #[arg(long, value_name = "CURSOR")]
    until: Option<Cursor>,
    /// Do one of N parts, which put behind each other are the whole
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// End after so many
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// This side to move only, in the colours of the set's name
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Color>,
    /// Threads; all cores if not given
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Sets, such as KRRvKR
    #[arg(value_name = "SET", required = true)]
    sets: Vec<Material>,
}

fn side(text: &str) -> Result<Color, String> {
    let side = Color::ALL.into_iter().find(|color| color.name() == text);
    side.ok_or_else(|| format!("{text:?} is no side: expected white or black"))
}

impl Saves {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let order = Order::new(self.sets.iter().copied(), self.side);
        let place = |cursor: Option<Cursor>, otherwise| match cursor {
            None => Ok(otherwise),
            Some(cursor) => order.place(cursor).ok_or(cursor),
        };
        let (from, until) = match (place(self.from, 0), place(self.until, order.len())) {
            (Ok(from), Ok(until)) => (from, until),
            (Err(cursor), _) | (_, Err(cursor)) => {
                eprintln!("makruk-probe research saves: {cursor} is no place of the sets and sides that were named");
                return Ok(MISUSE);
            }
        };
        let places = self.part.of(from..until.max(from));
        let mut desk = self.setup.open();
        for set in order.sets() {
            desk.prepare(set);
        }
        let stop = Stop::watch().context("signals can't be watched for")?;
        let names: Vec<String> = order.sets().iter().map(Material::to_string).collect();
        let mut console = Console::new(names.join(" "), self.quiet, stop.clone());
        let mut out = BufWriter::new(io::stdout().lock());
        let mut left = self.limit.unwrap_or(u64::MAX);
        let examine = |found: Found| -> anyhow::Result<Option<String>> {
            let Cursor { material, side, number } = found.cursor;
            Ok(Some(format!(
                "{{\"set\":\"{material}\",\"side\":\"{}\",\"number\":{number},\"fen\":\"{}\"}}",
                side.name(),
                found.fen()
            )))
        };
        let sink = |line: String| -> anyhow::Result<ControlFlow<()>> {
            writeln!(out, "{line}")?;
            left = left.saturating_sub(1);
            Ok(if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let settings = Settings { threads: self.threads };
        let ended = scan(&desk.prober, &order, places.clone(), &settings, examine, sink, &mut console)?;
        out.flush()?;
        console.finish();
        if let Some(next) = order.cursor(ended.next).filter(|_| ended.next < places.end) {
            eprintln!("makruk-probe research saves: go on with --from {next}");
            return Ok(if stop.has_come() { INTERRUPTED } else { SUCCESS });
        }
        Ok(SUCCESS)
    }
}
