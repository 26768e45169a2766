//! `analyse`: the moves of games against the tables.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use makruk_answers::{GameRefusal, JudgedMoveAnswer, PositionAnswer};
use makruk_probe::{JudgedMove, Reason, Verdict};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{Fen, Game, Games, PgnError, PgnProblem, REPETITIONS_TO_DRAW, Repetitions};
use serde::Serialize;

use super::game_file::{GameFile, is_position};
use super::game_report::{self, GameReport, Played};
use super::query::one_line;
use super::session::{ProbeSession, TableArgs};
use super::{FAILURE, SUCCESS, remedy};

/// Judge the moves of games: the result after each, and what a mistake gave away
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::ANALYSE)]
pub(crate) struct Analyse {
    #[command(flatten)]
    tables: TableArgs,
    /// Print one JSON object per line: one for every covered position, one for every game
    #[arg(long)]
    json: bool,
    /// The file with the games; - is standard input
    #[arg(value_name = "GAME.pgn")]
    pgn: PathBuf,
}

/// A position of a game that the tables cover.
#[derive(Serialize)]
struct PlayedJson {
    /// The game's number in the file, from 1.
    game: usize,
    /// The plies before the position.
    ply: usize,
    /// The number of times that the position has occurred in the game; the third time draws the game.
    occurrence: u32,
    #[serde(flatten)]
    position: PositionAnswer,
    /// The move played, seen by the side that makes it; `null` after the last.
    played: Option<JudgedMoveAnswer>,
}

impl Analyse {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let GameFile { name, text, note } = GameFile::read(&self.pgn)?;
        let mut session = self.tables.open()?;
        let mut out = io::stdout().lock();
        let mut code = SUCCESS;
        if let Some(note) = note {
            eprintln!("makruk-probe analyse: {name}: {note}");
        }
        let mut is_explained = self.json;
        for (at, game) in Games::parse(&text).enumerate() {
            match game {
                Ok(mut game) => {
                    if !std::mem::replace(&mut is_explained, true) {
                        writeln!(out, "{}", game_report::LEGEND)?;
                    }
                    if !self.json {
                        // For people one count runs through the game, as if it began with its first position.
                        game.start = session.prober.resolved(&game.start);
                    }
                    if !self.game(&mut session, &mut out, at + 1, &game)? {
                        code = FAILURE;
                    }
                }
                Err(error) => {
                    code = FAILURE;
                    self.failed(&mut out, at + 1, &error)?;
                }
            }
            out.flush()?;
        }
        Ok(code)
    }

    /// Reports on a game that cannot be read.
    fn failed(&self, out: &mut impl Write, game: usize, error: &PgnError) -> io::Result<()> {
        let sentence = match &error.problem {
            PgnProblem::Position(text) => format!("game {game}, line {}: {}", error.line, is_position(text)),
            _ => error.to_string(),
        };
        if self.json {
            writeln!(out, "{}", one_line(&GameRefusal { error: sentence, ..GameRefusal::new(game, error) }))
        } else {
            writeln!(out, "{sentence}\n")
        }
    }

    /// Reports on one game; false if a table was damaged.
    fn game(&self, session: &mut ProbeSession, out: &mut impl Write, number: usize, game: &Game) -> io::Result<bool> {
        let fens = game.fens(session.prober.rules());
        let mut report = GameReport::default();
        let mut repetitions = Repetitions::new();
        let mut last: Option<Played> = None;
        if !self.json {
            writeln!(out, "{}", game_report::heading(number, game))?;
            for note in &game.notes {
                writeln!(out, "  {note}")?;
            }
        }
        for (ply, fen) in fens.iter().enumerate() {
            let occurrence = repetitions.record(&fen.position);
            if occurrence == REPETITIONS_TO_DRAW {
                report.repeat(ply, fen);
            }
            if let Ok(Oriented { material, .. }) = Material::of(fen.position.board()) {
                session.prepare(material);
            }
            let judged = session.prober.analysis(fen).and_then(|analysis| {
                let played = game.moves.get(ply).map(|played| analysis.judge_move(played.mv)).transpose()?;
                Ok((analysis.verdict().clone(), played.flatten()))
            });
            let before = last.take();
            last = game.moves.get(ply).map(|played| {
                let judged = judged.as_ref().ok().and_then(|(_, judged)| judged.as_ref());
                Played::new(fen, played.mv, judged)
            });
            match judged {
                Ok((verdict, played)) => {
                    report.cover(&verdict, played.as_ref());
                    if self.json {
                        writeln!(out, "{}", one_line(&json(number, ply, occurrence, fen, &verdict, played.as_ref())))?;
                    } else {
                        write!(out, "{}", game_report::position(before.as_ref(), occurrence, &verdict))?;
                    }
                }
                Err(error) => {
                    let is_damage = matches!(error.reason(), Reason::CorruptTable | Reason::UnreadableTable);
                    if is_damage && report.is_new_damage(&error) {
                        eprintln!("makruk-probe: {}", remedy::sentence(&error));
                    }
                    report.skip(&error);
                }
            }
        }
        if self.json {
            writeln!(out, "{}", one_line(&report.json(number, game, fens.len())))?;
        } else {
            writeln!(out, "{}", report.text(fens.len()))?;
        }
        Ok(!report.has_damage())
    }
}

fn json(
    game: usize,
    ply: usize,
    occurrence: u32,
    fen: &Fen,
    verdict: &Verdict,
    played: Option<&JudgedMove>,
) -> PlayedJson {
    let position = PositionAnswer::new(fen, verdict, None);
    PlayedJson { game, ply, occurrence, position, played: played.map(JudgedMoveAnswer::new) }
}
