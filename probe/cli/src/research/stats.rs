//! `research stats`: the statistics of materials.

use std::io::{self, Write};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use makruk_console::{StopSignal, warn};
use makruk_research::{MaterialStats, Share, StatsRow, StatsSettings, SurveySettings, stats};
use makruk_rules::CountingRules;

use super::arguments::{MaterialArgs, ScanArgs};
use super::console::ScanConsole;
use super::text_table::aligned;
use crate::exit_status::{MISUSE, SUCCESS};
use crate::session::TableArgs;

/// Count the wins, draws and losses of materials, with the count and without, and the properties of their saves
///
/// Totals are exact, from the tables' headers, and so are the longest wins, from a scan. The properties of saves and of
/// captures of the last piece are exact if all were analysed. Otherwise they are estimates from evenly spaced cells and
/// slabs; slabs_looked_at, saves_looked_at and captures_cells are the sizes of these samples. Zugzwangs are unevenly
/// spread and are printed only if all slabs of the material were scanned. Numbers are numbers of positions of the full
/// board, with either side to move.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::STATS)]
pub(super) struct StatsCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// Print CSV, with a header
    #[arg(long)]
    csv: bool,
    /// The counting rules. Tables of armed or pawnful materials hold for one rule set: give another folder with
    /// --tables, and --build. Ouk's counts are defined against a bare king only
    #[arg(long, value_name = "RULES", default_value = "makruk", value_parser = rules())]
    rules: &'static CountingRules,
    /// Read the headers only
    #[arg(long)]
    headers: bool,
    /// Do not search whole tables for the positions of the longest wins
    #[arg(long)]
    no_longest: bool,
    /// Scan about N slabs of a material (pairs of kings' squares: 462, with khons 1806), evenly spaced, instead of all
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    slabs: u64,
    /// Analyse about N saves of each side of a material, evenly spaced, instead of all
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    sample: u64,
    /// Compute by how many moves the attacker is short for about N saves, where the headers do not have it
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    shorts: u64,
    /// Search about N wins of each side for captures of the last piece, evenly spaced, instead of all
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    captures: u64,
    #[command(flatten)]
    scan: ScanArgs,
}

/// Reads the name of counting rules.
fn rules() -> impl TypedValueParser<Value = &'static CountingRules> {
    let of = |name: &str| CountingRules::ALL.into_iter().find(|rules| rules.name() == name);
    PossibleValuesParser::new(CountingRules::ALL.map(CountingRules::name))
        .map(move |name| of(&name).expect("one of these names"))
}

impl StatsCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let materials = self.materials.all();
        if self.rules == &CountingRules::OUK && materials.iter().any(|material| material.has_dtz()) {
            let what = "materials with both sides armed or with pawns";
            warn(&format!("makruk-probe research stats: the ouk rules do not cover {what}"));
            return Ok(MISUSE);
        }
        let survey =
            SurveySettings { slabs: self.slabs, saves: self.sample, shorts: self.shorts, captures: self.captures };
        let settings = StatsSettings {
            threads: self.scan.threads,
            longest: !self.headers && !self.no_longest,
            survey: (!self.headers).then_some(survey),
        };
        let mut session = self.tables.open_for(self.rules)?;
        let stop = StopSignal::watch()?;
        let mut done = Vec::new();
        for material in materials {
            session.prepare(material);
            let mut console = ScanConsole::new(material.to_string(), self.scan.quiet, stop.clone());
            let stats = stats(&session.prober, material, &settings, &mut console)?;
            console.finish();
            let Some(stats) = stats else {
                warn(&format!(
                    "makruk-probe research stats: stopped in {material}; the output has the materials before it"
                ));
                self.print(&done)?;
                return Ok(stop.exit_status());
            };
            done.push(stats);
        }
        self.print(&done)?;
        Ok(SUCCESS)
    }

    fn print(&self, stats: &[MaterialStats]) -> anyhow::Result<()> {
        let rows = StatsRow::of(stats);
        let mut lines = Vec::new();
        if self.csv {
            lines.push(StatsRow::COLUMNS.join(","));
            lines.extend(rows.iter().map(StatsRow::to_csv));
        } else {
            lines.extend(table(&rows));
            lines.push(LEGEND.to_owned());
            lines.extend(samples(&rows));
        }
        lines.push(String::new());
        io::stdout().write_all(lines.join("\n").as_bytes())?;
        Ok(())
    }
}

/// A column of the table for people: its head, and the cell of a row.
type Column = (&'static str, fn(&StatsRow) -> String);

const COLUMNS: [Column; 15] = [
    ("material", |row| row.material.clone()),
    ("wins", |row| row.attacker.to_owned()),
    ("won", |row| row.won.to_string()),
    ("in time", |row| row.won_in_time.to_string()),
    ("taken", |row| percent(row.taken_share, false)),
    ("by 64", |row| row.taken_by_board.to_string()),
    ("saves", |row| row.saves.to_string()),
    ("sacr.", |row| percent(row.sacrifice_share, row.saves_are_sampled())),
    ("forced", |row| percent(row.forced_sacrifice_share, row.saves_are_sampled())),
    ("x draws", |row| percent(row.capture_draws_share, row.captures_are_sampled())),
    ("mate", |row| number(row.longest_mate_moves)),
    ("conv.", |row| number(row.longest_in_time_moves)),
    ("saved", |row| number(row.deepest_saved_moves)),
    ("zugzwang", |row| number(row.zugzwangs)),
    ("by count", |row| number(row.zugzwangs_by_count)),
];

const LEGEND: &str = "\
wins: the attacker. won, in time: positions with either side to move, without the count and under it. taken: the share of
the wins that the count takes; by 64: those that board's honour takes. saves: with the defender to move. sacr., forced: the
share of the saves with a saving sacrifice, and with no other saving move. x draws: the share of the wins in time with a
capture of the last piece in which such a capture draws. mate, conv., saved: the moves of the longest mate, of the longest
way to a conversion in time, of the longest mate that only the count prevents. zugzwang, by count: placements of mutual
zugzwang under the count, and those of them that are zugzwang only because of the count.";

fn number(number: Option<u64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// A share; that of a sample is marked.
fn percent(share: Option<Share>, is_of_sample: bool) -> String {
    let mark = if is_of_sample { "~" } else { "" };
    share.map_or_else(|| "-".to_owned(), |Share(share)| format!("{mark}{:.1}%", 100.0 * share))
}

/// The lines of the table; the first two columns are names.
fn table(rows: &[StatsRow]) -> Vec<String> {
    let head = COLUMNS.iter().map(|(head, _)| (*head).to_owned()).collect();
    let cells = |row| COLUMNS.iter().map(|(_, cell)| cell(row)).collect();
    aligned(&[head].into_iter().chain(rows.iter().map(cells)).collect::<Vec<_>>(), 2)
}

/// The sizes of the samples that marked shares are of.
fn samples(rows: &[StatsRow]) -> Option<String> {
    let last = rows.last()?;
    let of_saves = last
        .saves_are_sampled()
        .then(|| format!("{} of {} saves were analysed (--sample)", number(last.saves_looked_at), last.saves));
    let of_captures = last.captures_are_sampled().then(|| {
        let all: u64 = rows.iter().filter_map(|row| Some(row.captures? * row.captures_stride?)).sum();
        format!("{} of about {all} wins in time with such a capture (--captures)", number(last.captures))
    });
    let samples: Vec<String> = [of_saves, of_captures].into_iter().flatten().collect();
    (!samples.is_empty()).then(|| format!("~: an estimate from an evenly spaced sample. {}.", samples.join("; ")))
}
