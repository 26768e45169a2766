//! Moves, checks, mates and counts compared with pyffish, Fairy-Stockfish's Python binding, which runs outside.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fastrand::Rng;
use makruk_tables::rules::{Count, CountingRules, Fen, Games, Move, Position};
use makruk_tests::{RandomPositions, random_position};
use serde::Deserialize;

const PEER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/pyffish_peer.py");
const VERSION: &str = "0.0.90";
/// Random positions in all, shared by the threads; each has a pyffish of its own, which needs some 3 ms for an answer.
const POSITIONS: usize = 21_000;
const THREADS: usize = 2;
/// Moves of a random position after which board and count are compared.
const SAMPLE: usize = 2;

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

    /// Asks for a position, and for the FENs after these moves.
    fn ask(&mut self, fen: &Fen, moves: &[Move]) -> Answer {
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        writeln!(self.questions, "{fen}\t{}", moves.join(" ")).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{fen}: {error}: {answer:?}"))
    }
}

impl Drop for Pyffish {
    fn drop(&mut self) {
        // The peer ends with its input; a peer that hangs must not hang the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The numbers of comparisons.
#[derive(Clone, Copy, Debug, Default)]
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
    fn add(&mut self, other: Tally) {
        self.positions += other.positions;
        self.with_pawns += other.with_pawns;
        self.counting += other.counting;
        self.checks += other.checks;
        self.mates += other.mates;
        self.stalemates += other.stalemates;
        self.moves += other.moves;
        self.counts += other.counts;
        self.restarts += other.restarts;
    }

    /// Compares a position, and the positions after these legal moves.
    fn compare(&mut self, pyffish: &mut Pyffish, fen: &Fen, played: &[Move]) {
        let position = &fen.position;
        let theirs = pyffish.ask(fen, played);
        let moves = position.legal_moves();
        let written: BTreeSet<String> = moves.iter().map(Move::to_string).collect();
        assert_eq!(written, theirs.moves.iter().cloned().collect(), "legal moves of {fen}");
        assert_eq!(position.is_check(), theirs.check, "check in {fen}");
        assert_eq!(position.is_checkmate(), theirs.check && theirs.moves.is_empty(), "mate in {fen}");
        assert_eq!(position.is_stalemate(), !theirs.check && theirs.moves.is_empty(), "stalemate in {fen}");
        for &mv in played {
            let text = &theirs.fens[&mv.to_string()];
            let after = Fen::parse(text).unwrap_or_else(|error| panic!("{fen} {mv}: {text}: {error}"));
            let ours = fen.play(&CountingRules::MAKRUK, mv);
            assert_eq!(ours.position, after.position, "{fen} {mv}");
            assert_eq!(ours.fullmove, after.fullmove, "{fen} {mv}");
            self.moves += 1;
            if starts_late(fen, mv) || restarts_drawn(fen, mv) {
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

/// Fairy-Stockfish restarts the count at a baring capture even when it has run out; for us that game is drawn already.
fn restarts_drawn(fen: &Fen, mv: Move) -> bool {
    let position = &fen.position;
    let bares = position.captured(mv).is_some() && position.play(mv).board().is_bare(!position.turn());
    fen.count.is_some_and(Count::is_expired) && bares
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

/// A few legal moves, those that may restart the count first: captures and promotions.
fn sample(rng: &mut Rng, position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    rng.shuffle(&mut moves);
    moves.sort_by_key(|&mv| position.captured(mv).is_none() && !mv.promotion);
    moves.truncate(SAMPLE);
    moves.to_vec()
}

fn compare_random(seed: u64, positions: usize) -> Tally {
    let mut pyffish = Pyffish::start();
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for number in 0..positions {
        let shape = match number % 6 {
            0..=2 => RandomPositions::pawnless(7),
            3 => RandomPositions::pawnless(20),
            4 => RandomPositions::with_pawns(7),
            _ => RandomPositions::with_pawns(32),
        };
        let position = random_position(&mut rng, shape);
        let count = random_count(&mut rng, &position);
        let played = sample(&mut rng, &position);
        tally.compare(&mut pyffish, &Fen { position, count, fullmove: rng.u32(1..200) }, &played);
    }
    tally
}

#[test]
#[ignore = "needs Python with pyffish 0.0.90"]
fn random_positions_agree() {
    let mut tally = Tally::default();
    std::thread::scope(|scope| {
        let start = |seed| scope.spawn(move || compare_random(seed, POSITIONS / THREADS));
        let running: Vec<_> = (0..THREADS as u64).map(start).collect();
        for thread in running {
            tally.add(thread.join().unwrap());
        }
    });
    println!("random positions: {tally:?}");
    assert!(tally.positions >= 20_000 && tally.mates > 20 && tally.stalemates > 20 && tally.restarts > 1000);
}

#[test]
#[ignore = "needs Python with pyffish 0.0.90"]
fn a_whole_game_agrees() {
    let mut pyffish = Pyffish::start();
    let mut tally = Tally::default();
    let game = Games::parse(include_str!("../../data/schemingmind-2023.pgn")).next().unwrap().unwrap();
    let fens = game.fens(&CountingRules::MAKRUK);
    for (at, fen) in fens.iter().enumerate() {
        let played: Vec<Move> = game.moves.get(at).map(|played| played.mv).into_iter().collect();
        tally.compare(&mut pyffish, fen, &played);
    }
    println!("game: {tally:?}");
    assert_eq!((tally.positions, tally.moves), (game.moves.len() + 1, game.moves.len()));
    assert_eq!(tally.mates, 1);
}
