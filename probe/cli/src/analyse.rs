//! `analyse`: the moves of games against the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_answers::{AnalyseGame, GameAnswer, GameRefusal, GameSummary, NumberedSummary, json};
use makruk_console::warn;
use makruk_rules::Games;

use super::game_file::{GameFile, is_position};
use super::game_report;
use super::session::{ProbeSession, TableArgs};
use crate::exit_status::{FAILURE, SUCCESS};

/// Judge the moves of games: the result after each, and what a mistake gave away
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::ANALYSE)]
pub(crate) struct Analyse {
    #[command(flatten)]
    tables: TableArgs,
    /// Print one JSON object per line: one for every covered position, one for every game
    #[arg(long)]
    json: bool,
    /// Count board's honour only if a game's FEN has the count: nobody need claim it
    #[arg(long)]
    unclaimed: bool,
    /// Write the positions before the moves that gave away a win or a draw to FILE, as PGN: the page's notebook of
    /// mistakes reads it
    #[arg(long, value_name = "FILE")]
    exercises: Option<PathBuf>,
    /// Files of games, and folders with such files (.pgn, .txt); - is standard input
    #[arg(value_name = "GAME.pgn", required = true)]
    games: Vec<PathBuf>,
}

impl Analyse {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let files = GameFile::list(&self.games)?;
        anyhow::ensure!(
            !files.is_empty(),
            "the folder has no file of games: expected names that end with .pgn or .txt"
        );
        let mut session = self.tables.open_or_connect()?;
        let mut out = BufWriter::new(io::stdout().lock());
        let mut exercises = match &self.exercises {
            Some(path) => {
                let file = File::create(path);
                Some(file.with_context(|| format!("--exercises: cannot write {}", path.display()))?)
            }
            None => None,
        };
        let (mut code, mut is_explained) = (SUCCESS, self.json);
        for path in &files {
            let file = match GameFile::read(path) {
                Ok(file) => file,
                Err(error) if files.len() == 1 => return Err(error),
                Err(error) => {
                    warn(&format!("makruk-probe analyse: {error:#}"));
                    code = code.max(FAILURE);
                    continue;
                }
            };
            if files.len() > 1 {
                let json = || json(&BTreeMap::from([("file", &file.name)]));
                writeln!(out, "{}", if self.json { json() } else { format!("== {}\n", file.name) })?;
            }
            code = code.max(self.analyse(&file, &mut session, &mut out, &mut exercises, &mut is_explained)?);
        }
        out.flush()?;
        Ok(code)
    }

    /// Judges the games of a file; returns the exit status.
    fn analyse(
        &self,
        GameFile { name, text, note }: &GameFile,
        session: &mut ProbeSession,
        out: &mut impl Write,
        exercises: &mut Option<File>,
        is_explained: &mut bool,
    ) -> anyhow::Result<u8> {
        let mut code = SUCCESS;
        if let Some(note) = note {
            warn(&format!("makruk-probe analyse: {name}: {note}"));
        }
        for (number, game) in (1..).zip(Games::parse(text)) {
            if let Ok(game) = &game {
                if !std::mem::replace(is_explained, true) {
                    writeln!(out, "{}", game_report::LEGEND)?;
                }
                session.prepare_for(|rules| game.fens(rules));
            }
            let question = AnalyseGame { number, game, unclaimed: self.unclaimed };
            match session.ask(question) {
                Ok(games) => {
                    for game in &games.games {
                        code = code.max(self.report(out, name, game)?);
                        if let (Some(file), GameAnswer::Read { tags, positions, .. }) = (&mut *exercises, game) {
                            let text = game_report::exercises(tags, positions);
                            file.write_all(text.as_bytes()).context("--exercises: cannot write the file")?;
                        }
                    }
                }
                Err(refusal) => anyhow::bail!(refusal.error),
            }
            out.flush()?;
        }
        Ok(code)
    }

    /// Prints the answer to a game; returns the exit status.
    fn report(&self, out: &mut impl Write, name: &str, game: &GameAnswer) -> io::Result<u8> {
        let (game, tags, result, positions, notes) = match game {
            GameAnswer::Refused(refusal) => return self.failed(out, name, refusal),
            GameAnswer::Read { game, tags, result, positions, notes } => (*game, tags, result, positions, notes),
        };
        let mut code = SUCCESS;
        let mut unread = BTreeSet::new();
        for refusal in positions.iter().filter_map(|at| at.unjudged.as_ref()) {
            if refusal.unread_table().is_some_and(|error| unread.insert(error)) {
                code = refusal.reason.exit_status();
                warn(&format!("makruk-probe: {}", refusal.error));
            }
        }
        let summary = GameSummary::new(positions, notes);
        if self.json {
            for position in positions.iter().filter(|at| at.position.verdict().is_some()) {
                writeln!(out, "{}", position.json_of_game(game))?;
            }
            writeln!(out, "{}", json(&NumberedSummary { game, summary }))?;
        } else {
            writeln!(out, "{}", game_report::heading(game, tags, result, positions.len() - 1))?;
            for note in notes {
                writeln!(out, "  {note}")?;
            }
            writeln!(out, "{}{}", game_report::lines(positions), game_report::text(&summary, positions))?;
        }
        Ok(code)
    }

    /// Prints the reason why a game cannot be read; returns the exit status.
    fn failed(&self, out: &mut impl Write, name: &str, refusal: &GameRefusal) -> io::Result<u8> {
        let error = match (refusal.problem, &refusal.found) {
            ("position", Some(text)) => format!("game {}, line {}: {}", refusal.game, refusal.line, is_position(text)),
            _ => refusal.error.clone(),
        };
        if self.json {
            let refused = GameAnswer::Refused(GameRefusal { error, ..refusal.clone() });
            writeln!(out, "{}", json(&refused))?;
        } else {
            warn(&format!("makruk-probe analyse: {name}: {error}"));
        }
        Ok(refusal.reason.exit_status())
    }
}
