//! `research saves`: every save of some sets.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::ops::{ControlFlow, Range};

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_probe::{ProbeError, Prober};
use makruk_research::{
    CSV_HEADER, Cursor, Ended, Filter, Found, Lights, Look, Order, Part, Pick, SaveRecord, Settings, SlabSource,
    Solution, count, csv, epd, pgn, scan,
};
use makruk_tables::material::Material;
use makruk_tables::rules::Color;

use super::console::Console;
use super::side;
use super::signals::{INTERRUPTED, Stop};
use crate::query::one_line;
use crate::setup::Setup;
use crate::{MISUSE, SUCCESS};

/// List the positions of some sets that are lost without the count and drawn with it
///
/// In order of the tables: set by set, of each White to move, then Black, each position standing for its images under the
/// set's symmetry. White is the first side of the set's name. A filter is made of tests, and, or, not and parentheses:
///
///   sacrifice=last|any|none  given=R,N,S,M  offered  abandoned  needed<=5  left=1..4
///   unique  saving=2  legal>4  move=quiet,check,capture  by=K,R,N,S,M
///   short=1..3  short=?  dtm<40  dtz>128  check  side=black
///   king=corner  hunter=centre  R=file-a  k=a1..h2  board=*/*/*/*/*/*/*/k7
///
/// Ctrl-C ends it and says where to go on.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Saves {
    #[command(flatten)]
    setup: Setup,
    /// Those that fit only, such as "sacrifice=last and unique and short<=2"
    #[arg(long = "where", value_name = "FILTER", default_value = "")]
    filter: Filter,
    /// How they are told
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Tell where they are, and nothing that takes a look at moves; not with pgn
    #[arg(long)]
    brief: bool,
    /// Tell how many there are, and nothing else
    #[arg(long, conflicts_with_all = ["format", "brief"])]
    count: bool,
    /// Tell all images under the set's symmetry
    #[arg(long)]
    images: bool,
    /// Begin at this place, SET:SIDE:NUMBER
    #[arg(long, value_name = "CURSOR")]
    from: Option<Cursor>,
    /// End before this place
    #[arg(long, value_name = "CURSOR")]
    until: Option<Cursor>,
    /// Do one of N parts, which put behind each other are the whole
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: Part,
    /// End after so many; with --images, after all images of the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// This side to move only, in the colours of the set's name
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Color>,
    /// The most plies of a line in pgn
    #[arg(long, value_name = "N", default_value_t = 40)]
    plies: usize,
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

/// How saves are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object a line
    #[default]
    Json,
    /// Comma-separated values, with a header where the whole begins
    Csv,
    /// Extended position descriptions
    Epd,
    /// Games with the solution, and what comes of other moves
    Pgn,
}

impl Saves {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let order = Order::new(self.sets.iter().copied(), self.side);
        let places = match self.places(&order) {
            Ok(places) => places,
            Err(problem) => {
                eprintln!("makruk-probe research saves: {problem}");
                return Ok(MISUSE);
            }
        };
        let mut desk = self.setup.open();
        for set in order.sets() {
            desk.prepare(set);
        }
        let stop = Stop::watch().context("signals can't be watched for")?;
        let what = match &order.sets()[..] {
            [set] => set.to_string(),
            sets => format!("{} sets", sets.len()),
        };
        let mut console = Console::new(what, self.quiet, stop.clone());
        let mut out = BufWriter::new(io::stdout().lock());
        if self.format == Format::Csv && self.from.is_none() && self.part.is_first() {
            writeln!(out, "{CSV_HEADER}")?;
        }
        let ended = self.scan(&desk.prober, &order, places.clone(), &mut out, &mut console);
        console.finish();
        let ended = ended?;
        out.flush()?;
        if let Some(next) = order.cursor(ended.next).filter(|_| ended.next < places.end) {
            eprintln!("makruk-probe research saves: go on with --from {next}");
            return Ok(if stop.has_come() { INTERRUPTED } else { SUCCESS });
        }
        Ok(SUCCESS)
    }

    /// The places of the order that are asked for.
    fn places(&self, order: &Order) -> Result<Range<u64>, String> {
        if order.is_empty() {
            return Err("two bare kings have no table: they always draw".to_owned());
        }
        if self.brief && self.format == Format::Pgn {
            return Err("--brief tells no moves, and pgn nothing else".to_owned());
        }
        let place = |cursor: Option<Cursor>, otherwise| match cursor {
            None => Ok(otherwise),
            Some(cursor) => order
                .place(cursor)
                .ok_or_else(|| format!("{cursor} is no place of the sets and sides to move that are named")),
        };
        let (from, until) = (place(self.from, 0)?, place(self.until, order.len())?);
        Ok(self.part.of(from..until.max(from)))
    }

    fn scan(
        &self,
        prober: &Prober,
        order: &Order,
        places: Range<u64>,
        out: &mut impl Write,
        console: &mut Console,
    ) -> anyhow::Result<Ended> {
        let settings = Settings { threads: self.threads };
        if self.count && self.filter.takes_all() && !self.images && self.limit.is_none() {
            let ended: Ended = count::<_, anyhow::Error>(prober, order, places, &settings, console)?;
            writeln!(out, "{}", ended.found)?;
            return Ok(ended);
        }
        let lights: HashMap<Material, Lights> =
            order.sets().into_iter().map(|set| (set, Lights::of(prober, set))).collect();
        let pick = Pick { filter: self.filter.clone(), images: self.images };
        let examine = |found: Found| -> anyhow::Result<Option<Vec<String>>> {
            let lights = lights.get(&found.cursor.material).copied().unwrap_or(Lights::NONE);
            let told = pick.look(prober, lights, found, |look| self.tell(look))?;
            Ok((!told.is_empty()).then_some(told))
        };
        let (mut told, most) = (0, self.limit.unwrap_or(u64::MAX));
        let sink = |texts: Vec<String>| -> anyhow::Result<ControlFlow<()>> {
            told += texts.len() as u64;
            for text in &texts {
                out.write_all(text.as_bytes())?;
            }
            Ok(if told >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let ended = scan(prober, order, places, &settings, examine, sink, console)?;
        if self.count {
            writeln!(out, "{told}")?;
        }
        Ok(ended)
    }

    /// A save's text, its last line ended.
    fn tell<S: SlabSource>(&self, look: &Look<'_, S>) -> Result<String, ProbeError> {
        if self.count {
            return Ok(String::new());
        }
        let record = if self.brief { SaveRecord::brief(look) } else { SaveRecord::full(look)? };
        Ok(match self.format {
            Format::Json => one_line(&record) + "\n",
            Format::Csv => csv(&record) + "\n",
            Format::Epd => epd(&record) + "\n",
            Format::Pgn => {
                let solution = Solution::of(look, self.plies.max(1))?;
                pgn(&record, look.root(), solution.as_ref()) + "\n"
            }
        })
    }
}
