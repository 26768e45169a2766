//! `research stats`: what sets come to.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_research::{Field, Row, SetStats, StatsSettings, SurveySettings, csv_header, rows, stats};
use makruk_tables::material::Material;
use serde_json::{Map, Value};

use super::console::Console;
use super::signals::{INTERRUPTED, Stop};
use crate::setup::Setup;
use crate::{MISUSE, SUCCESS};

/// Count what sets are won, drawn and lost, with the count and without, and what their saves are like
///
/// Totals are exact, from the tables' headers, and so are the longest wins, from a scan. What is said of saves and of
/// captures of the last piece is exact where all of them were looked at, else an estimate from evenly spaced cells and
/// slabs: slabs_looked_at, saves_looked_at and captures_cells say of how many. Zugzwangs come in heaps and are told only of
/// sets whose slabs were all gone through. Numbers are of full-board positions, with both sides to move.
#[derive(Args, Debug)]
pub(super) struct Stats {
    #[command(flatten)]
    setup: Setup,
    /// All sets of three to N men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// As what
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Also write CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also write JSON, one object a line, to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Read the headers alone
    #[arg(long)]
    headers: bool,
    /// Name no positions of the longest wins: whole tables are gone through for them
    #[arg(long)]
    no_longest: bool,
    /// Go through about so many slabs (pairs of kings' squares, 462 or with khons 1806) of a set at most, evenly spaced
    #[arg(long, value_name = "SLABS", default_value_t = u64::MAX, hide_default_value = true)]
    slabs: u64,
    /// Look at about so many saves of each side of a set at most
    #[arg(long, value_name = "CELLS", default_value_t = 200_000)]
    sample: u64,
    /// Ask of about so many saves how much the attacker is short, where headers don't tell
    #[arg(long, value_name = "CELLS", default_value_t = 2_000)]
    shorts: u64,
    /// Look at the baring captures of about so many wins of each side at most
    #[arg(long, value_name = "CELLS", default_value_t = 1_000_000)]
    captures: u64,
    /// Threads; all cores if not given
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Sets, such as KRRvKR
    #[arg(value_name = "SET")]
    sets: Vec<Material>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The most telling columns, for people
    Table,
    /// One object for each set and attacker, one a line
    Json,
    /// With a header
    Csv,
}

impl Stats {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let mut sets = self.sets.clone();
        sets.extend((3..=usize::from(self.men.unwrap_or(2))).flat_map(Material::all));
        let mut seen = HashSet::new();
        sets.retain(|&set| set != Material::BARE_KINGS && seen.insert(set));
        if sets.is_empty() {
            eprintln!("makruk-probe research stats: no set is named; name some, such as KRRvKR, or say --men 4");
            return Ok(MISUSE);
        }
        let survey =
            SurveySettings { slabs: self.slabs, saves: self.sample, shorts: self.shorts, trades: self.captures };
        let settings = StatsSettings {
            threads: self.threads,
            longest: !self.headers && !self.no_longest,
            survey: (!self.headers).then_some(survey),
        };
        let mut desk = self.setup.open();
        let stop = Stop::watch().context("signals can't be watched for")?;
        let mut found = Vec::new();
        for set in sets {
            desk.prepare(set);
            let mut console = Console::new(set.to_string(), self.quiet, stop.clone());
            let one = stats::<_, anyhow::Error>(&desk.prober, set, &settings, &mut console)?;
            console.finish();
            let Some(one) = one else {
                eprintln!("makruk-probe research stats: stopped in {set}; these are the sets before it");
                self.print(&found)?;
                return Ok(INTERRUPTED);
            };
            found.push(one);
        }
        self.print(&found)?;
        Ok(SUCCESS)
    }

    fn print(&self, found: &[SetStats]) -> anyhow::Result<()> {
        let rows = rows(found);
        for (file, format) in [(&self.csv, Format::Csv), (&self.json, Format::Json)] {
            if let Some(file) = file {
                fs::write(file, format.text(&rows)).with_context(|| format!("{} can't be written", file.display()))?;
            }
        }
        io::stdout().write_all(self.format.text(&rows).as_bytes())?;
        Ok(())
    }
}

impl Format {
    fn text(self, rows: &[Row]) -> String {
        let mut lines = Vec::new();
        match self {
            Format::Csv => {
                lines.push(csv_header());
                lines.extend(rows.iter().map(|row| {
                    let fields: Vec<String> = row.iter().map(|(_, field)| field.to_csv()).collect();
                    fields.join(",")
                }));
            }
            Format::Json => lines.extend(rows.iter().map(|row| {
                let object: Map<String, Value> =
                    row.iter().map(|(name, field)| ((*name).to_owned(), field.to_json())).collect();
                Value::Object(object).to_string()
            })),
            Format::Table => {
                lines.push(line(&COLUMNS.map(|(_, head)| head.to_owned())));
                lines.extend(rows.iter().map(|row| {
                    line(&COLUMNS.map(|(name, _)| {
                        row.iter().find(|(known, _)| *known == name).map_or(String::new(), |(_, field)| cell(field))
                    }))
                }));
                lines.push(LEGEND.to_owned());
            }
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// What the table shows: field, head.
const COLUMNS: [(&str, &str); 15] = [
    ("set", "set"),
    ("attacker", "wins"),
    ("won", "won"),
    ("won_in_time", "in time"),
    ("taken_share", "taken"),
    ("taken_by_board", "by 64"),
    ("saves", "saves"),
    ("sacrifice_share", "sacr."),
    ("forced_sacrifice_share", "forced"),
    ("capture_draws_share", "x draws"),
    ("longest_mate_moves", "mate"),
    ("longest_in_time_moves", "event"),
    ("deepest_saved_moves", "saved"),
    ("zugzwangs", "zugzwang"),
    ("zugzwangs_by_count", "by count"),
];

/// What the heads mean.
const LEGEND: &str = "\
wins: the attacker. won, in time: positions, either side to move, without the count and with it. taken: the share of the
wins that the count takes; by 64: those of them that board's honour takes. saves: with the defender to move. sacr., forced:
the share of the saves with a drawing sacrifice, and of those with no other drawing move. x draws: of the wins in time in
which the last piece can be taken, the share in which doing so draws. mate, event, saved: moves of the longest mate, of the
longest way to the event in time, of the longest mate that only the count prevents. zugzwang, by count: placements of mutual
zugzwang under the count, and those that are none without it.";

fn cell(field: &Field) -> String {
    match field {
        Field::None => "-".to_owned(),
        Field::Share(share) => format!("{:.1}%", 100.0 * share),
        other => other.to_csv(),
    }
}

fn line(cells: &[String; COLUMNS.len()]) -> String {
    const WIDTHS: [usize; COLUMNS.len()] = [8, 6, 12, 12, 7, 11, 11, 7, 7, 8, 5, 6, 6, 10, 10];
    let mut line = String::new();
    for (at, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        let padded = if at < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        line.push_str(&padded);
        line.push(' ');
    }
    line.trim_end().to_owned()
}
