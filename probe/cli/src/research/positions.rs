//! `research positions`: positions for training an evaluation.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use makruk_probe::{Prober, Tablebase};
use makruk_research::training::{
    CountChoice, Evenness, PositionSource, Quietness, ScoreScale, TrainingFormat, TrainingPosition, TrainingSet,
    TrainingSettings, Weighting,
};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Fen};

use super::console::ScanConsole;
use super::output_file::OutputFile;
use super::stop_signal::{INTERRUPTED, StopSignal};
use super::{ScanArgs, materials};
use crate::game_file::GameFile;
use crate::session::TableArgs;
use crate::{FAILURE, MISUSE, SUCCESS};

/// The most men of a game's position, unless materials are given: most users have the tables of up to five men.
const MEN_OF_GAMES: u8 = 5;

/// The size of the stripe cache. Positions are read in the order of the tables, so a small cache suffices.
const CACHE_BYTES: usize = 1 << 20;

/// Write positions with their values, for training an evaluation
///
/// Legal positions of the materials are drawn at random, with either side as White and in random order. With --games, the
/// positions of games or lists are taken instead. Mates and stalemates are left out. Record K depends only on the seed, the
/// options and K: the bytes are the same for any number of threads, and --skip K --number N writes the records K to K + N - 1.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::POSITIONS)]
pub(super) struct PositionsCommand {
    #[command(flatten)]
    tables: TableArgs,
    /// All materials of three to N men
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=7))]
    men: Option<u8>,
    /// The number of records; with --games, the greatest number
    #[arg(long, value_name = "N", required_unless_present = "games")]
    number: Option<u64>,
    /// Leave out the first K records
    #[arg(long, value_name = "K", default_value_t = 0)]
    skip: u64,
    /// The seed of the draws
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Take the positions of a file of games (PGN) or of FENs, one a line; - is standard input. The option may be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "weights")]
    games: Vec<PathBuf>,
    /// Make all positions or all materials equally likely
    #[arg(long, value_enum, default_value_t)]
    weights: WeightsArg,
    /// Make these classes of positions equally frequent
    #[arg(long, value_enum, default_value_t)]
    even: EvenArg,
    /// With --even: a class rarer than one in N positions stays rarer than the others
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    rarest: u32,
    /// The counts of the positions, separated by commas and equally likely. The default is none or, with --games, the counts of
    /// the games
    #[arg(long, value_enum, value_name = "COUNTS", value_delimiter = ',')]
    counts: Vec<CountsArg>,
    /// Leave out positions that an engine decides by search
    #[arg(long, value_enum, default_value_t)]
    calm: CalmArg,
    /// Add the best move of each position; the positions after all moves are read for it
    #[arg(long)]
    moves: bool,
    /// The format of the records
    #[arg(long, value_enum, default_value_t)]
    format: FormatArg,
    /// The score of a win under the count
    #[arg(long, value_name = "SCORE", default_value_t = ScoreScale::default().win, value_parser = clap::value_parser!(i16).range(0..=32000))]
    win_score: i16,
    /// The part of the score that each move up to the conversion takes off a win; at least half of --win-score stays
    #[arg(long, value_name = "SCORE", default_value_t = ScoreScale::default().step, value_parser = clap::value_parser!(i16).range(0..=32000))]
    move_score: i16,
    /// The score of a cursed win, which is won without the count and drawn with it
    #[arg(long, value_name = "SCORE", default_value_t = ScoreScale::default().cursed, value_parser = clap::value_parser!(i16).range(0..=32000))]
    cursed_score: i16,
    /// The most records that are drawn together. A record takes some 200 bytes of memory; more records together take less time
    #[arg(long, value_name = "N", default_value_t = TrainingSettings::default().batch, value_parser = clap::value_parser!(u32).range(1..))]
    at_once: u32,
    /// Write to this file, which appears when it is complete; otherwise the records are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    scan: ScanArgs,
    /// Materials, such as KRRvKR
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum WeightsArg {
    /// All legal positions of all materials are equally likely
    #[default]
    Positions,
    /// All materials are equally likely, and all legal positions of one material
    Materials,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum EvenArg {
    /// No classes
    #[default]
    None,
    /// Win, cursed win, draw, blessed loss and loss, under the count
    Categories,
    /// Wins and losses of each number of moves to the conversion, those without a conversion, and draws
    Distances,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CountsArg {
    /// No count runs
    None,
    /// Any count that can run
    Any,
    /// Counts that leave the winner from three moves fewer to three moves more than the conversion takes
    Near,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CalmArg {
    /// Leave out no position
    #[default]
    Any,
    /// Leave out positions in check or with a legal capture
    NoCapture,
    /// Leave out positions in check or whose best move captures; takes as long as --moves
    QuietMove,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// A tab-separated table with a header
    #[default]
    Tsv,
    /// One JSON object per line, with the fields of `query --json`
    Json,
    /// Blocks of text lines, which Fairy-Stockfish's training tools convert to bin
    Plain,
    /// Records of 72 bytes, as Fairy-Stockfish's trainer reads them; they hold no count
    Bin,
}

impl FormatArg {
    const fn format(self) -> TrainingFormat {
        match self {
            FormatArg::Tsv => TrainingFormat::Tsv,
            FormatArg::Json => TrainingFormat::Json,
            FormatArg::Plain => TrainingFormat::Plain,
            FormatArg::Bin => TrainingFormat::Bin,
        }
    }
}

impl PositionsCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let men = self.men.or((!self.games.is_empty() && self.materials.is_empty()).then_some(MEN_OF_GAMES));
        let materials = materials(&self.materials, men);
        let format = self.format.format();
        let problem = if materials.is_empty() {
            Some("no material is named; name some, such as KRRvKR, or give --men 4")
        } else if format == TrainingFormat::Bin && self.out.is_none() && io::stdout().is_terminal() {
            Some("bin is not text and cannot be printed on a terminal; give --out")
        } else {
            None
        };
        if let Some(problem) = problem {
            eprintln!("makruk-probe research positions: {problem}");
            return Ok(MISUSE);
        }
        let has_counts = match self.counts.as_slice() {
            [] => !self.games.is_empty(),
            counts => counts.iter().any(|&counts| counts != CountsArg::None),
        };
        if has_counts && !format.has_count() && !self.scan.quiet {
            eprintln!(
                "makruk-probe research positions: bin does not store the count: readers of the file cannot know the count behind each score"
            );
        }
        let mut session = self.tables.open_with(&CountingRules::MAKRUK, CACHE_BYTES)?;
        let mut exit = SUCCESS;
        let source = if self.games.is_empty() {
            let weighting = match self.weights {
                WeightsArg::Positions => Weighting::Positions,
                WeightsArg::Materials => Weighting::Materials,
            };
            PositionSource::Drawn { materials: materials.clone(), weighting }
        } else {
            let (mut fens, are_all_read) = self.played(&session.prober)?;
            if !are_all_read {
                exit = FAILURE;
            }
            fens.retain(|fen| {
                Material::of(fen.position.board()).is_ok_and(|oriented| materials.contains(&oriented.material))
            });
            PositionSource::Played { materials: materials.clone(), fens }
        };
        for &material in &materials {
            session.prepare(material);
        }
        let stop = StopSignal::watch().context("cannot register the signal handlers")?;
        let set = TrainingSet::new(&session.prober, source, self.settings())?;
        let records = self.skip..self.skip.saturating_add(self.number.unwrap_or(u64::MAX));
        let mut console = ScanConsole::new("positions".to_owned(), self.scan.quiet, stop.clone()).of("positions");
        let (next, are_printed) = match &self.out {
            Some(path) => {
                let mut file = OutputFile::create(path)?;
                let next = self.write(&set, records, &mut file, &mut console)?;
                if !stop.was_received() {
                    file.publish()?;
                }
                (next, false)
            }
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                let next = self.write(&set, records, &mut out, &mut console)?;
                out.flush()?;
                (next, true)
            }
        };
        console.finish();
        if !stop.was_received() {
            return Ok(exit);
        }
        if are_printed {
            eprintln!("makruk-probe research positions: go on with --skip {next}");
        } else {
            eprintln!("makruk-probe research positions: stopped; no file was written");
        }
        Ok(INTERRUPTED)
    }

    fn settings(&self) -> TrainingSettings {
        let count = |counts: &CountsArg| match counts {
            CountsArg::None => CountChoice::None,
            CountsArg::Any => CountChoice::Any,
            CountsArg::Near => CountChoice::Near,
        };
        TrainingSettings {
            seed: self.seed,
            counts: self.counts.iter().map(count).collect(),
            evenness: match self.even {
                EvenArg::None => Evenness::None,
                EvenArg::Categories => Evenness::Categories,
                EvenArg::Distances => Evenness::Distances,
            },
            rarest: self.rarest,
            quietness: match self.calm {
                CalmArg::Any => Quietness::Any,
                CalmArg::NoCapture => Quietness::NoCapture,
                CalmArg::QuietMove => Quietness::QuietMove,
            },
            best_moves: self.moves,
            batch: self.at_once,
            threads: self.scan.threads,
        }
    }

    /// The positions of the files, and whether everything could be read. Errors are printed.
    fn played(&self, prober: &Prober) -> anyhow::Result<(Vec<Fen>, bool)> {
        let (mut all, mut are_all_read) = (Vec::new(), true);
        for path in &self.games {
            let file = GameFile::read(path)?;
            let positions = file.positions(prober.rules(), "positions");
            are_all_read &= positions.errors.is_empty();
            all.extend(positions.fens);
        }
        Ok((all, are_all_read))
    }

    /// Writes records. Returns the number of the first record that was not written.
    fn write(
        &self,
        set: &TrainingSet<'_, Tablebase>,
        records: Range<u64>,
        out: &mut impl Write,
        console: &mut ScanConsole,
    ) -> anyhow::Result<u64> {
        let (format, scale) = (self.format.format(), self.scale());
        if records.start == 0 {
            out.write_all(format.header().as_bytes())?;
        }
        let render = |position: &TrainingPosition, bytes: &mut Vec<u8>| format.write(position, scale, bytes);
        let sink = |bytes: &[u8]| out.write_all(bytes).map_err(anyhow::Error::from);
        set.run(records, render, sink, console)
    }

    const fn scale(&self) -> ScoreScale {
        ScoreScale { win: self.win_score, step: self.move_score, cursed: self.cursed_score }
    }
}
