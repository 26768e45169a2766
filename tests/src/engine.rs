//! UCI engines that play Makruk, run from outside: Fairy-Stockfish, and our own.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::programs::{PROBE, program};

/// The variable that names the program, if it is not in the path.
pub const VARIABLE: &str = "MAKRUK_FAIRY_STOCKFISH";

/// Debian's folder of games, which need not be in the path.
const DEBIAN: &str = "/usr/games/fairy-stockfish";

/// A running engine. When dropped, it gets the command to quit.
pub struct Engine {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A position as an engine shows it.
pub struct Shown {
    /// The FEN, with the count.
    pub fen: String,
    /// Whether the side to move is in check.
    pub is_check: bool,
}

impl Engine {
    /// Starts `makruk-probe uci` with a folder of tables.
    ///
    /// # Panics
    ///
    /// If it can't be started.
    pub fn makruk_probe(tables: &Path) -> Engine {
        let mut command = program(PROBE);
        let child = command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("makruk-probe");
        let mut engine = Engine::of(child);
        engine.say(&format!("setoption name MakrukPath value {}", tables.display()));
        engine
    }

    /// Starts Fairy-Stockfish.
    ///
    /// # Panics
    ///
    /// If it is not installed, or knows no Makruk; the message says what to do.
    pub fn start() -> Engine {
        let candidates = match std::env::var(VARIABLE) {
            Ok(program) => vec![program],
            Err(_) => vec!["fairy-stockfish".to_owned(), DEBIAN.to_owned()],
        };
        let child = candidates.iter().find_map(|program| {
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
        });
        let Some(child) = child else {
            panic!("cannot run {}: install Debian's fairy-stockfish, or set {VARIABLE}", candidates.join(" or "));
        };
        let mut engine = Engine::of(child);
        engine.say("setoption name UCI_Variant value makruk");
        engine.say("setoption name Hash value 64");
        engine
    }

    /// Starts an engine, without options set.
    ///
    /// # Panics
    ///
    /// If it can't be started, or knows no Makruk.
    pub fn of_program(program: &Path) -> Engine {
        let child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        Engine::of(child.unwrap_or_else(|error| panic!("cannot run {}: {error}", program.display())))
    }

    /// Sets an option, and returns the lines that the engine printed about it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Vec<String> {
        self.say(&format!("setoption name {name} value {value}"));
        self.say("isready");
        let mut told = Vec::new();
        self.read_until("readyok", |line| told.push(line.to_owned()));
        told
    }

    fn of(mut child: Child) -> Engine {
        let questions = child.stdin.take().expect("a piped input");
        let answers = BufReader::new(child.stdout.take().expect("a piped output"));
        let mut engine = Engine { child, questions, answers };
        engine.say("uci");
        let mut makruk = false;
        engine.read_until("uciok", |line| makruk |= line.contains("UCI_Variant") && line.contains(" makruk"));
        assert!(makruk, "an engine without UCI_Variant makruk");
        engine
    }

    /// Begins another game.
    pub fn new_game(&mut self) {
        self.say("ucinewgame");
        self.say("isready");
        self.read_until("readyok", |_| {});
    }

    /// Begins to search a position, and does not wait for the end.
    pub fn begin_search(&mut self, fen: &str, limit: &str) {
        self.say(&format!("position fen {fen}"));
        self.say(&format!("go {limit}"));
    }

    /// Its move after a position and moves, under a limit such as `nodes 1000`; also the lines that it printed
    /// meanwhile.
    pub fn best_move(&mut self, fen: &str, moves: &[String], limit: &str) -> (String, Vec<String>) {
        self.say(&format!("position fen {fen} moves {}", moves.join(" ")));
        self.say(&format!("go {limit}"));
        let mut told = Vec::new();
        loop {
            let line = self.line();
            if let Some(rest) = line.strip_prefix("bestmove ") {
                return (rest.split(' ').next().unwrap_or_default().to_owned(), told);
            }
            told.push(line);
        }
    }

    /// Searches the position after moves up to a depth and gives the distance to mate that the deepest search found, in
    /// moves, positive for the side to move; `None` if it found none.
    pub fn mate(&mut self, fen: &str, moves: &[String], depth: u32) -> Option<i32> {
        // Clears the hash table, whose keys do not contain the count.
        self.say("ucinewgame");
        self.say(&format!("position fen {fen} moves {}", moves.join(" ")));
        self.say("isready");
        self.read_until("readyok", |_| {});
        self.say(&format!("go depth {depth}"));
        let mut found = None;
        loop {
            let line = self.line();
            if line.starts_with("bestmove") {
                return found;
            }
            // A side that is mated has no move to search; our player says so in words.
            if line == "info string mate" {
                found = Some(0);
            }
            if let Some((_, score)) = line.split_once(" score ").filter(|(_, score)| !score.contains("bound")) {
                found = score.strip_prefix("mate ").and_then(|moves| moves.split(' ').next()?.parse().ok());
            }
        }
    }

    /// A position after moves, as the engine shows it.
    pub fn show(&mut self, fen: &str, moves: &[String]) -> Shown {
        self.say(&format!("position fen {fen} moves {}", moves.join(" ")));
        self.say("d");
        self.say("isready");
        let mut shown = Shown { fen: String::new(), is_check: false };
        self.read_until("readyok", |line| {
            if let Some(fen) = line.strip_prefix("Fen: ").or_else(|| line.strip_prefix("info string fen ")) {
                fen.clone_into(&mut shown.fen);
            } else if let Some(checkers) = line.strip_prefix("Checkers:") {
                shown.is_check = !checkers.trim().is_empty();
            }
        });
        shown
    }

    /// The legal moves of a position.
    pub fn legal_moves(&mut self, fen: &str) -> BTreeSet<String> {
        self.say(&format!("position fen {fen}"));
        self.say("go perft 1");
        let mut moves = BTreeSet::new();
        loop {
            let line = self.line();
            if line.starts_with("Nodes searched") {
                return moves;
            }
            moves.extend(line.strip_suffix(": 1").map(str::to_owned));
        }
    }

    fn say(&mut self, command: &str) {
        writeln!(self.questions, "{command}").and_then(|()| self.questions.flush()).expect("the engine listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let bytes = self.answers.read_line(&mut line).expect("the engine answers");
        assert!(bytes > 0, "the engine has ended");
        line.trim_end().to_owned()
    }

    fn read_until(&mut self, last: &str, mut see: impl FnMut(&str)) {
        loop {
            let line = self.line();
            if line == last {
                return;
            }
            see(&line);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = writeln!(self.questions, "quit").and_then(|()| self.questions.flush());
        let _ = self.child.wait();
    }
}
