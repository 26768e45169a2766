//! Moves, checks, mates and counts of random positions and a game, compared with Fairy-Stockfish: the program, which
//! answers fast, and a newer state of it, pyffish.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use fastrand::Rng;
use makruk_rules::{Count, CountingRules, Fen, Games, Move, Position, Reading};
use makruk_tables::material::Material;
use makruk_tests::engine::Engine;
use test_tables::reference::NamedMaterial;
use test_tables::{RandomPositions, random_position, random_position_of};

use crate::pyffish::Pyffish;

/// Moves of a random position after which board and count are compared.
const SAMPLE: usize = 2;
/// Materials with pawns of six to eight men, beside all of three to five.
const LARGE_PAWNFUL: [&str; 4] = ["KRRPvKS", "KSSPvKP", "KNNSvKP", "KRNSMPvK"];
/// Most positions that are drawn to find one with a move that ends the last pawn.
const DRAWN: usize = 200;

/// The answer of another program to a position.
pub(crate) struct Answer {
    /// The legal moves, in UCI notation.
    pub(crate) moves: BTreeSet<String>,
    pub(crate) check: bool,
    /// The FENs after the moves that were asked for, in their order.
    pub(crate) fens: Vec<String>,
}

/// Another program that knows the rules.
pub(crate) trait Judge {
    /// Whether it begins a count when a bare king takes the last pawn.
    const STARTS_AT_LAST_PAWN: bool;

    /// Asks for a position, and for the FENs after these moves.
    fn ask(&mut self, fen: &Fen, moves: &[Move]) -> Answer;
}

impl Judge for Engine {
    const STARTS_AT_LAST_PAWN: bool = false;

    fn ask(&mut self, fen: &Fen, moves: &[Move]) -> Answer {
        let shown = self.show(&fen.to_string(), &[]);
        let fens = moves.iter().map(|mv| self.show(&fen.to_string(), &[mv.to_string()]).fen).collect();
        Answer { moves: self.legal_moves(&fen.to_string()), check: shown.is_check, fens }
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
    /// Moves after which a pawn is left, and so no count runs.
    pawns_stay: usize,
    /// Moves that end the last pawn, and so begin a count.
    last_pawns: usize,
    /// Moves of a bare king that end the last pawn.
    taken_by_bare_king: usize,
}

impl Tally {
    /// Compares a position, and the positions after these legal moves.
    fn compare<J: Judge>(&mut self, judge: &mut J, fen: &Fen, played: &[Move]) {
        let position = &fen.position;
        let theirs = judge.ask(fen, played);
        let moves = position.legal_moves();
        let written: BTreeSet<String> = moves.iter().map(Move::to_string).collect();
        assert_eq!(written, theirs.moves, "legal moves of {fen}");
        assert_eq!(position.is_check(), theirs.check, "check in {fen}");
        assert_eq!(position.is_checkmate(), theirs.check && theirs.moves.is_empty(), "mate in {fen}");
        assert_eq!(position.is_stalemate(), !theirs.check && theirs.moves.is_empty(), "stalemate in {fen}");
        for (&mv, text) in played.iter().zip(&theirs.fens) {
            let after = Reading::parse(text).unwrap_or_else(|error| panic!("{fen} {mv}: {text}: {error}")).fen;
            let ours = fen.play(&CountingRules::MAKRUK, mv);
            assert_eq!(ours.position, after.position, "{fen} {mv}");
            assert_eq!(ours.fullmove, after.fullmove, "{fen} {mv}");
            self.moves += 1;
            if ours.position.board().has_pawns() {
                assert_eq!((ours.count, text.split(' ').nth(3)), (None, Some("-")), "{fen} {mv}: {text}");
                self.pawns_stay += 1;
            }
            if starts_late::<J>(fen, mv) || restarts_drawn(fen, mv) {
                continue;
            }
            assert_eq!(ours.count, after.count, "count after {mv} in {fen}: they have {text}");
            if ours.count.is_some() {
                assert_eq!(&ours.to_string(), text, "{fen} {mv}");
            }
            self.counts += 1;
            self.restarts += usize::from(ours.count != fen.count.map(Count::step));
            if ends_last_pawn(position, mv) && ours.count.is_some() {
                self.last_pawns += 1;
                self.taken_by_bare_king += usize::from(position.board().is_bare(position.turn()));
            }
        }
        self.positions += 1;
        self.with_pawns += usize::from(position.board().has_pawns());
        self.counting += usize::from(fen.count.is_some());
        self.checks += usize::from(theirs.check);
        self.mates += usize::from(position.is_checkmate());
        self.stalemates += usize::from(position.is_stalemate());
    }
}

fn ends_last_pawn(position: &Position, mv: Move) -> bool {
    position.board().has_pawns() && !position.play(mv).board().has_pawns()
}

/// If no count runs yet and a bare king is to move, Fairy-Stockfish does not count the move and reads the limit after
/// it; we count it (see `RULES.md`). If such a king takes the last pawn, pyffish counts as we do, and the older program
/// does not.
fn starts_late<J: Judge>(fen: &Fen, mv: Move) -> bool {
    let board = fen.position.board();
    let late = !board.has_pawns() || (ends_last_pawn(&fen.position, mv) && !J::STARTS_AT_LAST_PAWN);
    fen.count.is_none() && board.is_bare(fen.position.turn()) && late
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

fn compare_random(judge: &mut impl Judge, seed: u64, positions: usize) -> Tally {
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for number in 0..positions {
        let shape = match number % 6 {
            0..=2 => RandomPositions { most_men: 7, pawns: false },
            3 => RandomPositions { most_men: 20, pawns: false },
            4 => RandomPositions { most_men: 7, pawns: true },
            _ => RandomPositions { most_men: 32, pawns: true },
        };
        let position = random_position(&mut rng, shape);
        let count = random_count(&mut rng, &position);
        let played = sample(&mut rng, &position);
        tally.compare(judge, &Fen { position, count, fullmove: rng.u32(1..200) }, &played);
    }
    tally
}

/// Compares positions of all materials with pawns of up to five men and of some larger ones, `of_each`. In every other
/// one the last pawn can be ended, and every move that ends it is compared.
fn compare_pawns(judge: &mut impl Judge, seed: u64, of_each: usize) -> Tally {
    let small =
        (3..=5).flat_map(Material::all).filter(|material| material.has_pawns()).map(|material| material.to_string());
    let materials: Vec<String> = small.chain(LARGE_PAWNFUL.map(str::to_owned)).collect();
    let mut rng = Rng::with_seed(seed);
    let mut tally = Tally::default();
    for number in 0..of_each * materials.len() {
        let material = NamedMaterial::named(&materials[number / 2 % materials.len()]);
        let ending = |position: &Position| -> Vec<Move> {
            position.legal_moves().into_iter().filter(|&mv| ends_last_pawn(position, mv)).collect()
        };
        let mut drawn = random_position_of(&mut rng, &material);
        for _ in 0..if number % 2 == 0 { DRAWN } else { 0 } {
            if !ending(&drawn).is_empty() {
                break;
            }
            drawn = random_position_of(&mut rng, &material);
        }
        let mut played = ending(&drawn);
        played.extend(sample(&mut rng, &drawn).into_iter().filter(|&mv| !ends_last_pawn(&drawn, mv)));
        tally.compare(judge, &Fen { position: drawn, count: None, fullmove: rng.u32(1..200) }, &played);
    }
    tally
}

/// Compares one game, move by move.
fn compare_game(judge: &mut impl Judge) {
    let mut tally = Tally::default();
    let game = Games::parse(include_str!("../../data/schemingmind-2023.pgn")).next().unwrap().unwrap();
    let fens = game.fens(&CountingRules::MAKRUK);
    for (at, fen) in fens.iter().enumerate() {
        let played: Vec<Move> = game.moves.get(at).map(|played| played.mv).into_iter().collect();
        tally.compare(judge, fen, &played);
    }
    println!("game: {tally:?}");
    assert_eq!((tally.positions, tally.moves), (game.moves.len() + 1, game.moves.len()));
    assert_eq!(tally.mates, 1);
}

#[test]
#[ignore = "needs Python with pyffish 0.0.90"]
fn pyffish_agrees() {
    let mut pyffish = Pyffish::start();
    compare_game(&mut pyffish);
    let tally = compare_random(&mut pyffish, 0, 1_500);
    println!("random positions: {tally:?}");
    assert!(tally.checks > 200 && tally.restarts > 300);
    let tally = compare_pawns(&mut pyffish, 2, 20);
    println!("positions with pawns: {tally:?}");
    assert!(tally.last_pawns > 500 && tally.taken_by_bare_king > 25 && tally.pawns_stay > 250);
}

#[test]
#[ignore = "needs fairy-stockfish"]
fn fairy_stockfish_agrees() {
    let mut engine = Engine::start();
    compare_game(&mut engine);
    let tally = compare_random(&mut engine, 1, 40_000);
    println!("random positions: {tally:?}");
    assert!(tally.mates > 40 && tally.stalemates > 40 && tally.restarts > 2000);
    let tally = compare_pawns(&mut engine, 3, 70);
    println!("positions with pawns: {tally:?}");
    assert!(tally.last_pawns > 1_000 && tally.pawns_stay > 1_000);
}
