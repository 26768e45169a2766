//! `query`: verdicts on positions.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use clap::Args;
use makruk_answers::{Field, Probe, Refusal, Study, json};
use makruk_console::warn;
use makruk_rules::{Reading, Square, quoted_within};

use super::exit_status::{MISUSE, SUCCESS};
use super::map::Map;
use super::remedy::DOOR;
use super::render;
use super::session::{ProbeSession, TableArgs};

/// The most bytes of a line that are kept, far more than any FEN has.
const MAX_LINE_BYTES: u64 = 4096;
/// The most characters of a position that an error repeats: all of most FENs.
const LONGEST_QUOTE: usize = 100;

/// Print the result of positions: FENs as arguments or, without any, one per line on standard input
#[derive(Args, Debug)]
#[command(after_long_help = crate::manuals::QUERY)]
pub(crate) struct Query {
    #[command(flatten)]
    tables: TableArgs,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// With --json, print the moves too, best first; text always has them
    #[arg(long)]
    moves: bool,
    /// Print the results with the man of this square, such as e5, on each square instead
    #[arg(long, value_name = "SQUARE", conflicts_with = "moves")]
    map: Option<Square>,
    /// Positions: "board side - LIMIT PLY move"; LIMIT is - if no count runs
    #[arg(value_name = "FEN")]
    fens: Vec<String>,
}

impl Query {
    pub(crate) fn run(&self) -> anyhow::Result<u8> {
        if let Some(fen) = unquoted(&self.fens) {
            warn(&format!(
                "makruk-probe query: the FEN came as several arguments; put it in quotes: makruk-probe query \"{fen}\""
            ));
            return Ok(MISUSE);
        }
        if self.moves && !self.json {
            warn("makruk-probe query: --moves changes nothing without --json: text always has the moves");
        }
        let mut session = self.tables.open_or_connect()?;
        let mut out = io::stdout().lock();
        let mut code = SUCCESS;
        let mut first = true;
        let mut answer = |line: Option<usize>, fen: &str| -> io::Result<()> {
            let asked = Field::from(fen);
            session.prepare_for(|_| asked.value().map(|reading: &Reading| reading.fen.clone()).into_iter().collect());
            match self.answer(asked, &session) {
                Ok(answer) => {
                    let between = if self.json || std::mem::take(&mut first) { "" } else { "\n" };
                    writeln!(out, "{between}{answer}")?;
                }
                Err(refusal) => {
                    code = refusal.reason.exit_status();
                    if self.json {
                        writeln!(out, "{}", json(&Refusal { line, ..*refusal }))?;
                    } else {
                        let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
                        let (given, reason) = (quoted_within(fen, LONGEST_QUOTE), refusal.reason.name());
                        warn(&format!("makruk-probe query: {line}{given}: {} ({reason})", refusal.error));
                    }
                }
            }
            out.flush()
        };
        if self.fens.is_empty() {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                warn("makruk-probe query: no position is given; give a FEN, or write some to standard input");
                return Ok(MISUSE);
            }
            let mut is_empty = true;
            for (at, line) in makruk_player::lines(stdin.lock(), MAX_LINE_BYTES).enumerate() {
                let line = line.context("cannot read standard input")?;
                if !Reading::is_left_out(&line) {
                    is_empty = false;
                    answer(Some(at + 1), &line)?;
                }
            }
            anyhow::ensure!(!is_empty, "standard input has no position: expected a FEN, one per line");
        } else {
            for fen in &self.fens {
                answer(None, fen)?;
            }
        }
        Ok(code)
    }

    /// The answer as text: JSON or for people.
    fn answer(&self, fen: Field<Reading>, session: &ProbeSession) -> Result<String, Box<Refusal>> {
        if let Some(square) = self.map {
            let map = Map::of(fen.read(DOOR)?, square, session)?;
            return Ok(if self.json { map.json() } else { map.text() });
        }
        Ok(match self.json {
            true => json(&session.ask(Probe { fen, moves: self.moves })?),
            false => render::study(&*session.ask(Study { fen })?),
        })
    }
}

/// The FEN that was given without quotes, if the arguments are the words of one: a board, then a word that is not a
/// board.
fn unquoted(arguments: &[String]) -> Option<String> {
    let [board, next, ..] = arguments else { return None };
    let is_board = |word: &String| word.contains('/');
    if !is_board(board) || is_board(next) || arguments.iter().any(|word| word.contains(char::is_whitespace)) {
        return None;
    }
    let rest = arguments[1..].iter().take_while(|word| !is_board(word));
    Some(std::iter::once(board).chain(rest).cloned().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_fen_are_recognized() {
        let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(unquoted(&words("8/8/k7|w|-|-|0|1")).as_deref(), Some("8/8/k7 w - - 0 1"));
        assert_eq!(unquoted(&words("8/8/k7|w|8/8/7k|b")).as_deref(), Some("8/8/k7 w"));
        for quoted in ["8/8/k7 w - - 0 1", "8/8/k7 w|8/8/7k b", "8/8/k7|8/8/7k", "w|8/8/k7", "8/8/k7 w|nonsense"] {
            assert_eq!(unquoted(&words(quoted)), None, "{quoted}");
        }
    }
}
