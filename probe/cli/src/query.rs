//! `query`: what positions are worth.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use clap::Args;
use makruk_probe::json::{ErrorJson, PositionJson};
use makruk_probe::{ProbeError, Prober};
use makruk_tables::material::Material;
use makruk_tables::rules::Fen;

use super::setup::{Desk, Setup};
use super::{FAILURE, MISUSE, SUCCESS, text};

/// The most bytes of a line that are kept: far more than any FEN has.
const MAX_LINE_BYTES: u64 = 4096;

/// Tell what positions are worth: FENs as arguments or, without any, one a line on standard input
#[derive(Args, Debug)]
pub(super) struct Query {
    #[command(flatten)]
    setup: Setup,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// With --json, also the moves, best first (people always see them)
    #[arg(long)]
    moves: bool,
    /// Positions: "board side - LIMIT PLY move", LIMIT - where no count runs
    #[arg(value_name = "FEN")]
    fens: Vec<String>,
}

impl Query {
    pub(super) fn run(&self) -> anyhow::Result<u8> {
        let mut desk = self.setup.open();
        let mut out = io::stdout().lock();
        let mut code = SUCCESS;
        let mut first = true;
        let mut ask = |fen: &str| -> io::Result<()> {
            if !self.json && !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            match self.answer(&mut desk, fen) {
                Ok(answer) => writeln!(out, "{answer}")?,
                Err(error) => {
                    code = FAILURE;
                    self.report(&mut out, fen, &error)?;
                }
            }
            out.flush()
        };
        if self.fens.is_empty() {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                eprintln!("makruk-probe query: no position given: name a FEN, or send some to standard input");
                return Ok(MISUSE);
            }
            for line in makruk_player::lines(stdin.lock(), MAX_LINE_BYTES) {
                ask(&line.context("standard input can't be read")?)?;
            }
        } else {
            for fen in &self.fens {
                ask(fen)?;
            }
        }
        Ok(code)
    }

    /// One position's answer, without the last line's end.
    fn answer(&self, desk: &mut Desk, text: &str) -> Result<String, ProbeError> {
        let fen: Fen = text.parse()?;
        let set = Material::of(fen.position.board())?.material;
        desk.prepare(set);
        if self.json { self.json(&desk.prober, &fen) } else { text::answer(&desk.prober, &fen) }
    }

    fn json(&self, prober: &Prober, fen: &Fen) -> Result<String, ProbeError> {
        let verdict = prober.probe(fen)?;
        let moves = if self.moves { Some(prober.moves(fen)?) } else { None };
        Ok(one_line(&PositionJson::new(fen, &verdict, moves.as_deref())))
    }

    fn report(&self, out: &mut impl Write, fen: &str, error: &ProbeError) -> io::Result<()> {
        if self.json {
            writeln!(out, "{}", one_line(&ErrorJson::new(fen, error)))
        } else {
            let shown: String = fen.chars().take(100).flat_map(char::escape_default).collect();
            writeln!(out, "\"{}\"\n{error} ({})", shown.replace("\\\"", "\""), error.reason())
        }
    }
}

/// An object as one line of JSON.
pub(super) fn one_line(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers in plain structs always become JSON")
}
