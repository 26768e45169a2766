//! `research puzzles`: positions in which one move alone keeps the result.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_answers::Reason;
use makruk_console::{StopSignal, warn};
use makruk_research::{Puzzle, PuzzleFormat, PuzzleSettings, PuzzleTheme, puzzles, rank_puzzles};
use makruk_tables::material::Material;

use super::arguments::{MaterialArgs, ScanArgs, one_of};
use super::console::ScanConsole;
use super::puzzle_engine::PuzzleEngine;
use crate::exit_status::{FAILURE, SUCCESS};
use crate::game_file::GameFile;
use crate::session::{ProbeSession, TableArgs};

/// Find puzzles that the tables prove: one move alone wins under the count, or one alone draws, at every move of the
/// solution
///
/// Random positions of the materials are examined, or with --games the positions of games. The themes of wins are win
/// (within the count), promote (now), wait (do not promote yet) and refuse (do not take: the capture throws the win
/// away). Those of draws are save (by the count) and give (a man away). No two puzzles are images of each other. With
/// --engine, a program that speaks UCI searches each puzzle, with each of the numbers of --nodes in turn. The level is
/// 1 if the first number is enough for the whole solution, 2 if the second is, and so on. If none is enough, it is one
/// more than there are numbers.
#[derive(Args, Debug)]
#[command(after_long_help = super::manual_texts::PUZZLES)]
pub(super) struct PuzzlesCommand {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    materials: MaterialArgs,
    /// Take the positions of a file of games (PGN) or of FENs, one a line; - is standard input. The option may be
    /// repeated
    #[arg(long, value_name = "FILE", group = "which", conflicts_with_all = ["materials", "men"])]
    games: Vec<PathBuf>,
    /// Examine N wins and saves of each material, drawn at random
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    sample: u64,
    /// Keep the N best puzzles of each theme of a material
    #[arg(long, value_name = "N", default_value_t = 5)]
    each: usize,
    /// Themes, separated by commas; all if not given
    #[arg(long, value_name = "THEMES", value_delimiter = ',', value_parser = one_of::<PuzzleTheme>(PuzzleTheme::ALL.map(PuzzleTheme::name)))]
    themes: Vec<PuzzleTheme>,
    /// The seed of the draws
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Print at most N puzzles, of all themes and materials in turn
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The format
    #[arg(long, value_name = "FORMAT", default_value_t, value_parser = one_of::<PuzzleFormat>(PuzzleFormat::ALL.map(PuzzleFormat::name)))]
    format: PuzzleFormat,
    /// Write the puzzles in every format, each to a file of DIR, in place of printing them
    #[arg(long, value_name = "DIR", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// An engine that speaks UCI and knows makruk, to tell the difficulty: /usr/games/fairy-stockfish
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// The nodes of the engine's searches, ascending and separated by commas; 1000,100000 if not given
    #[arg(long, value_name = "NODES", value_delimiter = ',', default_values_t = [1_000, 100_000], hide_default_value = true,
        requires = "engine")]
    nodes: Vec<u64>,
    #[command(flatten)]
    scan: ScanArgs,
}

impl PuzzlesCommand {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        anyhow::ensure!(
            self.nodes.is_sorted() && self.nodes.first() != Some(&0),
            "--nodes: {:?} is not ascending from 1: write the smaller numbers first, such as --nodes 1000,100000",
            self.nodes
        );
        let mut session = self.tables.open()?;
        let stop = StopSignal::watch()?;
        // The engine is started first: a wrong name is reported before the search.
        let mut engine = self.engine.as_deref().map(PuzzleEngine::start).transpose()?;
        let (mut found, is_whole, has_failed) = if self.games.is_empty() {
            let (found, is_whole) = self.of_materials(&mut session, &stop)?;
            (found, is_whole, false)
        } else {
            let (found, has_failed) = self.of_games(&mut session)?;
            (found, true, has_failed)
        };
        rank_puzzles(&mut found, self.each);
        let mut found = in_turn(found);
        found.truncate(self.limit.unwrap_or(usize::MAX));
        if let Some(engine) = &mut engine {
            let mut console = ScanConsole::new("difficulty".to_owned(), self.scan.quiet, stop.clone()).of("puzzles");
            engine.judge(&mut found, &self.nodes, &mut console)?;
            console.finish();
        }
        self.write(&found)?;
        Ok(match (is_whole && !stop.was_received(), has_failed) {
            (false, _) => stop.exit_status(),
            (true, true) => FAILURE,
            (true, false) => SUCCESS,
        })
    }

    fn themes(&self) -> Vec<PuzzleTheme> {
        if self.themes.is_empty() { PuzzleTheme::ALL.to_vec() } else { self.themes.clone() }
    }

    /// The puzzles of the materials, and whether the search was not stopped.
    fn of_materials(&self, session: &mut ProbeSession, stop: &StopSignal) -> anyhow::Result<(Vec<Puzzle>, bool)> {
        let settings = PuzzleSettings {
            sample: self.sample,
            each: self.each,
            themes: self.themes(),
            seed: self.seed,
            threads: self.scan.threads,
        };
        let mut all = Vec::new();
        for material in self.materials.all() {
            session.prepare(material);
            let console = ScanConsole::new(material.to_string(), self.scan.quiet, stop.clone());
            let mut console = console.of("positions");
            let found = puzzles(&session.prober, material, &settings, &mut console)?;
            console.finish();
            let Some(found) = found else {
                warn(&format!(
                    "makruk-probe research puzzles: stopped in {material}; the output has the materials before it"
                ));
                return Ok((all, false));
            };
            all.extend(found);
        }
        Ok((all, true))
    }

    /// The puzzles among the positions of games, and whether some text could not be read.
    fn of_games(&self, session: &mut ProbeSession) -> anyhow::Result<(Vec<Puzzle>, bool)> {
        let (mut all, mut has_failed, themes) = (Vec::new(), false, self.themes());
        for file in &self.games {
            let positions = GameFile::read(file)?.positions(session.prober.rules(), "puzzles");
            has_failed |= !positions.errors.is_empty();
            for fen in positions.fens {
                if let Ok(oriented) = Material::of(fen.position.board()) {
                    session.prepare(oriented.material);
                }
                match Puzzle::of(&session.prober, &fen) {
                    Ok(puzzle) => all.extend(puzzle.filter(|puzzle| themes.contains(&puzzle.theme))),
                    // Games begin with more men than the tables have.
                    Err(error) if Reason::Probe(error.reason()).is_unknown() => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok((all, has_failed))
    }

    /// Prints the puzzles, or writes their files.
    fn write(&self, found: &[Puzzle]) -> anyhow::Result<()> {
        let Some(folder) = &self.out else {
            return write_puzzles(self.format, found, io::stdout().lock());
        };
        fs::create_dir_all(folder).with_context(|| format!("--out: cannot create {}", folder.display()))?;
        for format in PuzzleFormat::ALL {
            let path = folder.join(format.file_name());
            let written = fs::File::create(&path).map_err(Into::into);
            let written = written.and_then(|file| write_puzzles(format, found, file));
            written.with_context(|| format!("--out: cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn write_puzzles(format: PuzzleFormat, found: &[Puzzle], out: impl Write) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(out);
    for puzzle in found {
        writeln!(out, "{}", format.line(puzzle)?)?;
    }
    Ok(out.flush()?)
}

/// Puzzles in such an order that the first ones are of all themes and materials: the best of each, then the second
/// ones.
fn in_turn(puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
    let mut places: std::collections::HashMap<(PuzzleTheme, Material), usize> = std::collections::HashMap::new();
    let mut placed: Vec<(usize, Puzzle)> = Vec::new();
    for puzzle in puzzles {
        let place = places.entry((puzzle.theme, puzzle.material())).or_default();
        placed.push((*place, puzzle));
        *place += 1;
    }
    placed.sort_by_key(|(place, puzzle)| (*place, puzzle.material(), puzzle.theme));
    placed.into_iter().map(|(_, puzzle)| puzzle).collect()
}
