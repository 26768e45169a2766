//! Reads the games of a PGN file and prints where each ends.
//!
//! ```text
//! cargo run -p makruk-tables --example read_pgn -- games.pgn
//! ```

use std::error::Error;
use std::io::{self, Write};

use makruk_tables::rules::{CountingRules, Games, Repetitions};

const DEFAULT: &str = "\
[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]
1. Rxe3+ {bares the king: 13 moves are left} Kf4 2. Re1 Kf3 *

1. d4 d5 2. Sd2 Sd7 3. Ke9 *
";

/// Writes one line for each game: its result, its last position and its first third repetition, or its error.
pub(crate) fn run(text: &str, out: &mut impl Write) -> io::Result<()> {
    for game in Games::parse(text) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                writeln!(out, "{error}")?;
                continue;
            }
        };
        let fens = game.fens(&CountingRules::MAKRUK);
        let last = fens.last().unwrap_or(&game.start);
        write!(out, "{} after {} plies: {last}", game.result, game.moves.len())?;
        match Repetitions::first_third(fens.iter().map(|fen| &fen.position)) {
            Some(ply) => writeln!(out, ", drawn by repetition at ply {ply}")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => DEFAULT.to_owned(),
    };
    Ok(run(&text, &mut io::stdout().lock())?)
}
