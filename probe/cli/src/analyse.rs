//! `analyse`: what the moves of a game gave away.

use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use makruk_probe::json::{PlayedMoveJson, PositionJson};
use makruk_probe::{Played, Reason, Verdict};
use makruk_tables::material::{Material, Oriented};
use makruk_tables::rules::{Fen, Game, Games};
use serde::Serialize;

use super::query::one_line;
use super::report::Report;
use super::setup::{Desk, Setup};
use super::{FAILURE, SUCCESS};

/// Replay games and tell, wherever the tables cover the position, what each move gave away
#[derive(Args, Debug)]
pub(super) struct Analyse {
    #[command(flatten)]
    setup: Setup,
    /// One JSON object a line: one for every position covered, one for every game
    #[arg(long)]
    json: bool,
    /// The games; - for standard input
    #[arg(value_name = "GAME.pgn")]
    pgn: PathBuf,
}

/// A covered position of a game.
#[derive(Serialize)]
struct PlayedJson {
    /// The game's number in the file, the first being 1.
    game: usize,
    /// Plies played before the position.
    ply: usize,
    #[serde(flatten)]
    position: PositionJson,
    /// The move played, `null` after the last; all seen by the side that makes it.
    played: Option<PlayedMoveJson>,
}

impl Analyse {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let text = self.read()?;
        let mut desk = self.setup.open();
        let mut out = io::stdout().lock();
        let mut code = SUCCESS;
        for (at, game) in Games::parse(&text).enumerate() {
            match game {
                Ok(game) => {
                    if !self.game(&mut desk, &mut out, at + 1, &game)? {
                        code = FAILURE;
                    }
                }
                Err(error) => {
                    code = FAILURE;
                    if self.json {
                        let error =
                            serde_json::json!({ "game": at + 1, "error": error.to_string(), "reason": "bad_pgn" });
                        writeln!(out, "{}", one_line(&error))?;
                    } else {
                        writeln!(out, "{error}\n")?;
                    }
                }
            }
            out.flush()?;
        }
        Ok(code)
    }

    fn read(&self) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        if self.pgn.as_os_str() == "-" {
            io::stdin().lock().read_to_end(&mut bytes).context("standard input can't be read")?;
        } else {
            bytes = fs::read(&self.pgn).with_context(|| format!("{} can't be read", self.pgn.display()))?;
        }
        // Names in other encodings come out garbled, moves are ASCII.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One game; false if a table was damaged.
    fn game(&self, desk: &mut Desk, out: &mut impl Write, number: usize, game: &Game) -> io::Result<bool> {
        let fens = game.fens(desk.prober.rules());
        let mut report = Report::default();
        if !self.json {
            writeln!(out, "{}", super::report::heading(number, game))?;
        }
        for (ply, fen) in fens.iter().enumerate() {
            if let Ok(Oriented { material: set, .. }) = Material::of(fen.position.board()) {
                desk.prepare(set);
            }
            match desk.prober.review(fen, game.moves.get(ply).map(|played| played.mv)) {
                Ok((verdict, played)) => {
                    report.cover(&verdict, played.as_ref());
                    if self.json {
                        writeln!(out, "{}", one_line(&json(number, ply, fen, &verdict, played.as_ref())))?;
                    } else {
                        write!(out, "{}", super::report::position(fen, &verdict, played.as_ref()))?;
                    }
                }
                Err(error) => {
                    if error.reason() == Reason::CorruptTable && report.is_new(&error) {
                        eprintln!("makruk-probe: {error}");
                    }
                    report.pass_over(&error);
                }
            }
        }
        if self.json {
            writeln!(out, "{}", one_line(&report.json(number, fens.len())))?;
        } else {
            writeln!(out, "{}", report.text(fens.len()))?;
        }
        Ok(!report.is_damaged())
    }
}

fn json(game: usize, ply: usize, fen: &Fen, verdict: &Verdict, played: Option<&Played>) -> PlayedJson {
    PlayedJson {
        game,
        ply,
        position: PositionJson::new(fen, verdict, None),
        played: played.map(|played| PlayedMoveJson::new(&fen.position, played)),
    }
}
