//! Prints the legal moves of a position and the state of its count.
//!
//! ```text
//! cargo run -p makruk-tables --example legal_moves -- "8/8/8/8/8/4s1k1/4R3/K7 w - 128 5"
//! ```

use std::error::Error;
use std::io::{self, Write};

use makruk_tables::rules::{CountingRules, Fen};

/// A position in which the capture of the last piece begins a count that leaves too few moves.
const DEFAULT: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

/// Writes one line for the position and one for each legal move, with the FEN after it.
pub(crate) fn run(fen: &str, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let fen: Fen = fen.parse()?;
    let rules = CountingRules::MAKRUK;
    let position = &fen.position;
    let state = match (position.is_checkmate(), position.is_stalemate(), position.is_check()) {
        (true, ..) => "checkmate",
        (_, true, _) => "stalemate",
        (.., true) => "check",
        _ => "no check",
    };
    writeln!(out, "{fen}: {} to move, {state}", position.turn())?;
    for mv in position.legal_moves() {
        writeln!(out, "{mv} {:6} {}", mv.to_san(position), fen.play(&rules, mv))?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let fen = std::env::args().nth(1).unwrap_or_else(|| DEFAULT.to_owned());
    run(&fen, &mut io::stdout().lock())
}
