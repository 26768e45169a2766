//! `query`: verdicts on positions.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use clap::Args;
use makruk_probe::json::{ErrorJson, PositionJson};
use makruk_probe::{ProbeError, Prober};
use makruk_tables::material::Material;
use makruk_tables::rules::Fen;

use super::analysis::PositionAnalysis;
use super::session::{ProbeSession, TableArgs};
use super::{FAILURE, MISUSE, SUCCESS, remedy, render};

/// The most bytes of a line that are kept, far more than any FEN has.
const MAX_LINE_BYTES: u64 = 4096;

/// Print the verdicts on positions: FENs as arguments or, without any, one per line on standard input
#[derive(Args, Debug)]
pub(crate) struct Query {
    #[command(flatten)]
    tables: TableArgs,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// With --json, print the moves too, best first; text always has them
    #[arg(long)]
    moves: bool,
    /// Positions: "board side - LIMIT PLY move"; LIMIT is - if no count runs
    #[arg(value_name = "FEN")]
    fens: Vec<String>,
}

impl Query {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        let mut session = self.tables.open()?;
        let mut out = io::stdout().lock();
        let mut code = SUCCESS;
        let mut first = true;
        let mut answer = |fen: &str| -> io::Result<()> {
            if !self.json && !std::mem::take(&mut first) {
                writeln!(out)?;
            }
            match self.answer(&mut session, fen) {
                Ok(answer) => writeln!(out, "{answer}")?,
                Err(error) => {
                    code = FAILURE;
                    self.print_error(&mut out, fen, &error)?;
                }
            }
            out.flush()
        };
        if self.fens.is_empty() {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                eprintln!("makruk-probe query: no position is given; give a FEN, or write some to standard input");
                return Ok(MISUSE);
            }
            for line in makruk_player::lines(stdin.lock(), MAX_LINE_BYTES) {
                answer(&line.context("cannot read standard input")?)?;
            }
        } else {
            for fen in &self.fens {
                answer(fen)?;
            }
        }
        Ok(code)
    }

    /// The answer to one position, without a line end at the end.
    fn answer(&self, session: &mut ProbeSession, text: &str) -> Result<String, ProbeError> {
        let fen: Fen = text.parse()?;
        session.prepare(Material::of(fen.position.board())?.material);
        match self.json {
            true => self.json(&session.prober, &fen),
            false => Ok(render::analysis(&PositionAnalysis::read(&session.prober, &fen)?)),
        }
    }

    fn json(&self, prober: &Prober, fen: &Fen) -> Result<String, ProbeError> {
        let verdict = prober.probe(fen)?;
        let moves = if self.moves { Some(prober.moves(fen)?) } else { None };
        Ok(one_line(&PositionJson::new(fen, &verdict, moves.as_deref())))
    }

    fn print_error(&self, out: &mut impl Write, fen: &str, error: &ProbeError) -> io::Result<()> {
        if self.json {
            let object = ErrorJson { error: remedy::sentence(error), ..ErrorJson::new(fen, error) };
            writeln!(out, "{}", one_line(&object))
        } else {
            let shown: String = fen.chars().take(100).flat_map(char::escape_default).collect();
            let sentence = remedy::sentence(error);
            writeln!(out, "\"{}\"\n{sentence} ({})", shown.replace("\\\"", "\""), error.reason())
        }
    }
}

/// An object as one line of JSON.
pub(crate) fn one_line(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers in plain structs always become JSON")
}
