//! The reference solver's values of pawnful materials. Their figures are compared with those on file, every value with
//! one ply of minimax over its moves, with the counts that `makruk_tables::rules` begins. The numbers of positions are
//! compared with a plain count.

use std::cmp::Reverse;

use fastrand::Rng;
use makruk_tables::rules::{Board, Color, CountingRules, Fen, Move, Piece, Position, Role, Square, ToMove};
use makruk_tests::random_position_of;
use rayon::prelude::*;
use test_tables::reference::{Distance, MaterialTotals, NamedMaterial, Reference, Totals, moves_left_after_last_pawn};

const FILE: &str = include_str!("../../../data/pawn-totals.jsonl");

/// Every material of three and four men with a pawn.
const PAWNFUL: [&str; 11] =
    ["KPvK", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KPPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP", "KPvKP"];

fn totals_on_file(name: &str) -> MaterialTotals {
    let mut lines = FILE.lines().map(|line| serde_json::from_str::<MaterialTotals>(line).expect("figures"));
    lines.find(|totals| totals.material == name).unwrap_or_else(|| panic!("{name} is on file"))
}

/// The result of a position or move for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Win(i32),
    Loss(i32),
    Draw,
}

impl Outcome {
    fn of(signed_plies: Option<i32>) -> Outcome {
        match signed_plies {
            None => Outcome::Draw,
            Some(plies) if plies > 0 => Outcome::Win(plies),
            Some(plies) => Outcome::Loss(-plies),
        }
    }

    /// The outcome for the side that moved here.
    fn before(self) -> Outcome {
        match self {
            Outcome::Win(plies) => Outcome::Loss(plies + 1),
            Outcome::Loss(plies) => Outcome::Win(plies + 1),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// The outcome of a move in a pawnful position, without the count or under the counts that `rules` begins.
fn outcome(reference: &Reference, position: &Position, mv: Move, distance: Distance) -> Outcome {
    let child = position.play(mv);
    let board = child.board();
    if distance == Distance::Mate || board.has_pawns() {
        return Outcome::of(reference.value(&child, distance)).before();
    }
    let fen = Fen { position: position.clone(), count: None, fullmove: 1 };
    let Some(count) = fen.play(&CountingRules::MAKRUK, mv).count else { return Outcome::Draw };
    let bare = Color::ALL.into_iter().any(|color| board.is_bare(color));
    let value = reference.value(&child, if bare { Distance::Mate } else { Distance::Conversion });
    match Outcome::of(value) {
        Outcome::Win(plies) if plies.unsigned_abs().div_ceil(2) <= count.attacker_moves_left(ToMove::Attacker) => {
            Outcome::Loss(plies + 1)
        }
        // The attacker's own move: the conversion.
        Outcome::Loss(plies) if plies.unsigned_abs().div_ceil(2) <= count.attacker_moves_left(ToMove::Defender) => {
            Outcome::Win(1)
        }
        _ => Outcome::Draw,
    }
}

fn minimax(reference: &Reference, position: &Position, distance: Distance) -> Outcome {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { Outcome::Loss(0) } else { Outcome::Draw };
    }
    let best =
        moves.into_iter().map(|mv| outcome(reference, position, mv, distance)).max_by_key(|outcome| match outcome {
            Outcome::Win(plies) => (2, Reverse(*plies)),
            Outcome::Draw => (1, Reverse(0)),
            Outcome::Loss(plies) => (0, Reverse(-plies)),
        });
    best.expect("a move")
}

/// Solves a material, and compares its figures with those on file and every value with one ply of minimax.
fn compare(reference: &mut Reference, name: &str) {
    reference.solve(name);
    let reference = &*reference;
    assert_eq!(reference.material_totals(name), totals_on_file(name), "{name}");
    let cursed = reference.positions(name).map(|position| {
        let [mate, conversion] = [Distance::Mate, Distance::Conversion].map(|distance| {
            let found = Outcome::of(reference.value(&position, distance));
            assert_eq!(found, minimax(reference, &position, distance), "{distance:?} of {position:?}");
            found
        });
        // A conversion leads to a mate, and by the same side.
        let agree = match (mate, conversion) {
            (Outcome::Win(_), Outcome::Win(plies)) => plies % 2 == 1,
            (Outcome::Loss(_), Outcome::Loss(plies)) => plies % 2 == 0,
            (_, Outcome::Draw) => true,
            _ => false,
        };
        assert!(agree, "{position:?}: {mate:?} {conversion:?}");
        2 * u64::from(conversion != mate && conversion == Outcome::Draw)
    });
    println!("{name}: every position agrees, {} are won without the count alone", cursed.sum::<u64>());
}

/// The number of legal positions with this side to move, by men put on every square, each man on its own.
fn count_positions(material: &NamedMaterial, turn: Color) -> u64 {
    fn with(board: &Board, men: &[Piece], from: usize, turn: Color) -> u64 {
        let Some((&piece, rest)) = men.split_first() else {
            return u64::from(Position::new(board.clone(), turn).is_ok());
        };
        let free = Square::all().skip(from).filter(|&square| {
            let rank = square.rank() + 1;
            let allowed = match (piece.role, piece.color) {
                (Role::Pawn, Color::White) => (3..=5).contains(&rank),
                (Role::Pawn, Color::Black) => (4..=6).contains(&rank),
                _ => true,
            };
            allowed && board.piece_at(square).is_none()
        });
        free.map(|square| {
            let mut board = board.clone();
            board.set(square, piece);
            // Like men in ascending order.
            let from = if rest.first() == Some(&piece) { square.index() + 1 } else { 0 };
            with(&board, rest, from, turn)
        })
        .sum()
    }
    let kings = Square::all().flat_map(|white| Square::all().map(move |black| (white, black)));
    let apart = kings.filter(|(white, black)| white.distance(*black) > 1).collect::<Vec<_>>();
    apart
        .into_par_iter()
        .map(|(white, black)| {
            let kings = [(white, Color::White), (black, Color::Black)];
            let board = kings.map(|(square, color)| (square, Piece::new(color, Role::King))).into_iter().collect();
            with(&board, material.men(), 0, turn)
        })
        .sum()
}

fn positions_are_as_many_as_counted(name: &str) {
    let totals = totals_on_file(name);
    let dtz = totals.dtz.expect("a pawnful material has a DTZ of its own");
    let sum = |totals: Totals| totals.win + totals.draw + totals.loss;
    for distance in [totals.dtm, dtz] {
        for (side, turn) in [(distance.white, Color::White), (distance.black, Color::Black)] {
            assert_eq!(sum(side), count_positions(&NamedMaterial::named(name), turn), "{name}, {turn} to move");
        }
    }
}

#[test]
fn names_are_put_in_order() {
    for name in PAWNFUL.into_iter().chain(["KRPvKN", "KRvKN", "KNMvKNP", "KRPPvKRP"]) {
        let material = NamedMaterial::named(name);
        let (white, black) = name.split_once('v').expect("two sides");
        let flipped = NamedMaterial::named(&format!("{black}v{white}"));
        assert_eq!(material.to_string(), name);
        assert_eq!(material.canonical().to_string(), name);
        assert_eq!(flipped.canonical().to_string(), name);
    }
    assert_eq!(NamedMaterial::named("KPRvK").to_string(), "KRPvK");
}

#[test]
fn a_pawn_and_a_king_win_nothing() {
    let mut reference = Reference::new(CountingRules::MAKRUK);
    compare(&mut reference, "KPvK");
    reference.solve("KvKP");
    let [white, black] = [Color::White, Color::Black].map(|turn| reference.totals("KvKP", turn, Distance::Mate));
    let file = totals_on_file("KPvK").dtm;
    assert_eq!((white, black), (file.black, file.white), "the colours exchanged");
}

#[test]
fn every_position_is_counted_once() {
    for name in ["KPvK", "KPPvK"] {
        positions_are_as_many_as_counted(name);
    }
    let both_pawns = totals_on_file("KPvKP");
    assert_eq!(both_pawns.dtm.white, both_pawns.dtm.black, "as many with either side to move");
}

#[test]
fn the_last_pawns_end_begins_the_count_of_the_rules() {
    let rules = CountingRules::MAKRUK;
    let mut rng = Rng::with_seed(26);
    let mut ends = [0; 3];
    for name in PAWNFUL
        .into_iter()
        .chain(["KRPvKN", "KSPvKMP", "KRRPvKS", "KNNPvK", "KSSPvKP", "KRNSMPvKP"])
        .cycle()
        .take(12_000)
    {
        let position = random_position_of(&mut rng, &NamedMaterial::named(name));
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let count = Fen { position: position.clone(), count: None, fullmove: 1 }.play(&rules, mv).count;
            let attackers = Color::ALL.into_iter().filter(|&color| !child.board().is_bare(color));
            assert!(!child.board().has_pawns() || count.is_none(), "{position:?} {mv}");
            let Some(count) = count else { continue };
            for attacker in attackers {
                let to_move = child.turn() == attacker;
                let left = moves_left_after_last_pawn(&rules, &child, attacker);
                assert_eq!(left, Some(count.attacker_moves_left(ToMove::attacker_if(to_move))), "{position:?} {mv}");
                let kind = if !child.board().is_bare(!attacker) { 0 } else { 1 + usize::from(to_move) };
                ends[kind] += 1;
            }
        }
    }
    // Both sides armed, a bare king to move, and a bare king that took the last pawn.
    assert!(ends.into_iter().all(|number| number > 100), "{ends:?}");
}

#[test]
#[ignore = "more of the same, for some minutes"]
fn four_men_agree_with_their_moves_and_with_the_file() {
    let mut reference = Reference::new(CountingRules::MAKRUK);
    for name in PAWNFUL {
        compare(&mut reference, name);
    }
}

#[test]
#[ignore = "more of the same, for half a minute"]
fn every_position_of_four_men_is_counted_once() {
    for name in PAWNFUL {
        positions_are_as_many_as_counted(name);
    }
}
