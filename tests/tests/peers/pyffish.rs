//! pyffish, Fairy-Stockfish's Python binding, which runs outside and is asked for the rules.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use makruk_rules::{Fen, Move};
use serde::Deserialize;

use crate::rules::{Answer, Judge};

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/pyffish_peer.py");
const VERSION: &str = "0.0.90";

/// A running pyffish. It needs some 3 ms for an answer: it sets all of Makruk up for each question.
pub(crate) struct Pyffish {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct Hello {
    version: String,
}

/// The output of `pyffish_peer.py`.
#[derive(Deserialize)]
struct Line {
    moves: Vec<String>,
    check: bool,
    fens: BTreeMap<String, String>,
}

impl Pyffish {
    pub(crate) fn start() -> Pyffish {
        let python = std::env::var("MAKRUK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let mut child =
            Command::new(&python).arg(PEER).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap_or_else(
                |error| panic!("cannot run {python}: {error}; set MAKRUK_PYTHON to a Python with pyffish"),
            );
        let questions = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        let mut hello = String::new();
        answers.read_line(&mut hello).unwrap();
        let Ok(Hello { version }) = serde_json::from_str(&hello) else {
            panic!("{python} has no pyffish: run `{python} -m pip install pyffish=={VERSION}` or set MAKRUK_PYTHON");
        };
        assert_eq!(version, VERSION, "another pyffish: run `{python} -m pip install pyffish=={VERSION}`");
        Pyffish { child, questions, answers }
    }
}

impl Judge for Pyffish {
    const STARTS_AT_LAST_PAWN: bool = true;

    fn ask(&mut self, fen: &Fen, moves: &[Move]) -> Answer {
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        writeln!(self.questions, "{fen}\t{}", moves.join(" ")).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        let mut line: Line = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{fen}: {error}: {answer:?}"));
        let after = |mv| line.fens.remove(mv).unwrap_or_else(|| panic!("{fen}: {mv} is illegal for pyffish"));
        let fens = moves.iter().map(after).collect();
        Answer { moves: line.moves.into_iter().collect(), check: line.check, fens }
    }
}

impl Drop for Pyffish {
    fn drop(&mut self) {
        // The peer ends with its input; a peer that hangs must not hang the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
