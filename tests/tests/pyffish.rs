//! Moves, checks, mates and counts compared with pyffish, Fairy-Stockfish's Python binding, which runs outside.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fastrand::Rng;
use makruk_tables::rules::{Count, CountingRules, Fen, Move, Position, Role, read_pgn};
use makruk_tests::{RandomPositions, random_position};
use serde::Deserialize;

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/pyffish_peer.py");
const VERSION: &str = "0.0.90";
const POSITIONS: usize = 24_000;

struct Pyffish {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

#[derive(Deserialize)]
struct Hello {
    version: String,
}

#[derive(Deserialize)]
struct Answer {
    moves: Vec<String>,
    check: bool,
    fens: BTreeMap<String, String>,
}

impl Pyffish {
    fn start() -> Pyffish {
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

    fn ask(&mut self, fen: &Fen) -> Answer {
        writeln!(self.questions, "{fen}\t*").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{fen}: {error}: {answer:?}"))
    }
}

impl Drop for Pyffish {
    fn drop(&mut self) {
        // Its input ends with us; a peer that hangs must not hang the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    with_pawns: usize,
    counting: usize,
    checks: usize,
    mates: usize,
    stalemates: usize,
    moves: usize,
    counts: usize,
    restarts: usize,
}

impl Tally {
    fn compare(&mut self, pyffish: &mut Pyffish, fen: &Fen) {
        let position = &fen.position;
        let theirs = pyffish.ask(fen);
        let moves = position.legal_moves();
        let written: BTreeSet<String> = moves.iter().map(Move::to_string).collect();
        assert_eq!(written, theirs.moves.iter().cloned().collect(), "legal moves of {fen}");
        assert_eq!(position.is_check(), theirs.check, "check in {fen}");
        assert_eq!(position.is_checkmate(), theirs.check && theirs.moves.is_empty(), "mate in {fen}");
        assert_eq!(position.is_stalemate(), !theirs.check && theirs.moves.is_empty(), "stalemate in {fen}");
        for mv in moves {
            let text = &theirs.fens[&mv.to_string()];
            let after = Fen::parse(text).unwrap_or_else(|error| panic!("{fen} {mv}: {text}: {error}"));
            let ours = fen.play(&CountingRules::MAKRUK, mv);
            assert_eq!(ours.position, after.position, "{fen} {mv}");
            assert_eq!(ours.fullmove, after.fullmove, "{fen} {mv}");
            self.moves += 1;
            if starts_late(fen, mv) {
                continue;
            }
            assert_eq!(ours.count, after.count, "count after {mv} in {fen}: they have {text}");
            if ours.count.is_some() {
                assert_eq!(&ours.to_string(), text, "{fen} {mv}");
            }
            self.counts += 1;
            self.restarts += usize::from(ours.count != fen.count.map(Count::step));
        }
        self.positions += 1;
        self.with_pawns += usize::from(position.board().has_pawns());
        self.counting += usize::from(fen.count.is_some());
        self.checks += usize::from(theirs.check);
        self.mates += usize::from(position.is_checkmate());
        self.stalemates += usize::from(position.is_stalemate());
    }
}

/// Where no count runs yet and a bare king is to move, Fairy-Stockfish lets the move go uncounted and reads the limit
/// after it; we count it (see `RULES.md`). Moves that end the last pawn begin a count for both alike.
fn starts_late(fen: &Fen, mv: Move) -> bool {
    let board = fen.position.board();
    let pawns_stay = board.has_pawns() == fen.position.play(mv).board().has_pawns();
    fen.count.is_none() && board.is_bare(fen.position.turn()) && pawns_stay
}

fn random_count(rng: &mut Rng, position: &Position) -> Option<Count> {
    if position.board().has_pawns() {
        return None;
    }
    match rng.u8(..4) {
        0 => None,
        1 => CountingRules::MAKRUK.start(position.board(), position.turn()),
        // Any LIMIT is a count, odd ones and expired ones included.
        2 => Some(Count::new(rng.u32(1..=9999), rng.u32(0..9999)).unwrap()),
        _ => {
            let limit = [16, 32, 44, 64, 88, 128][rng.usize(..6)];
            Some(Count::new(limit, rng.u32(0..=limit + 4)).unwrap())
        }
    }
}

#[test]
#[ignore = "needs Python with pyffish 0.0.90"]
fn random_positions_agree() {
    let mut pyffish = Pyffish::start();
    let mut rng = Rng::with_seed(20_231_109);
    let mut tally = Tally::default();
    let mut roles = BTreeSet::new();
    for number in 0..POSITIONS {
        let shape = match number % 6 {
            0..=2 => RandomPositions::pawnless(7),
            3 => RandomPositions::pawnless(20),
            4 => RandomPositions::with_pawns(7),
            _ => RandomPositions::with_pawns(32),
        };
        let position = random_position(&mut rng, shape);
        roles.extend(position.board().pieces().map(|(_, piece)| piece.letter()));
        let count = random_count(&mut rng, &position);
        tally.compare(&mut pyffish, &Fen { position, count, fullmove: rng.u32(1..200) });
    }
    assert_eq!(roles.len(), 2 * Role::ALL.len());
    println!("{tally:?}");
    assert!(tally.positions >= 20_000 && tally.mates > 20 && tally.stalemates > 20 && tally.restarts > 1000);
}

#[test]
#[ignore = "needs Python with pyffish 0.0.90"]
fn a_whole_game_agrees() {
    let mut pyffish = Pyffish::start();
    let mut tally = Tally::default();
    let game = read_pgn(include_str!("../data/schemingmind-2023.pgn")).next().unwrap().unwrap();
    let fens = game.fens(&CountingRules::MAKRUK);
    for fen in &fens {
        tally.compare(&mut pyffish, fen);
    }
    println!("{tally:?}");
    assert_eq!(tally.positions, game.moves.len() + 1);
    assert_eq!(tally.mates, 1);
}
