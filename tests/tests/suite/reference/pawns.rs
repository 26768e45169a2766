//! The reference solver's values of pawnful materials: every one is compared with one ply of minimax over its moves,
//! with the counts that `makruk_tables::rules` begins.

use std::cmp::Reverse;

use fastrand::Rng;
use makruk_tables::rules::{Color, CountingRules, Fen, Move, Position, ToMove};
use makruk_tests::random_position_of;
use rayon::prelude::*;
use test_tables::reference::{Distance, NamedMaterial, Reference, moves_left_after_last_pawn};

/// Every material of three and four men with a pawn.
const PAWNFUL: [&str; 11] =
    ["KPvK", "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KPPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP", "KPvKP"];

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

/// Solves a material, and compares every value with one ply of minimax.
fn compare(reference: &mut Reference, name: &str) {
    reference.solve(name);
    let reference = &*reference;
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

#[test]
fn names_are_put_in_order() {
    assert_eq!(NamedMaterial::named("KPRvK").to_string(), "KRPvK");
}

#[test]
fn a_pawn_and_a_king_win_nothing() {
    let mut reference = Reference::new(CountingRules::MAKRUK);
    compare(&mut reference, "KPvK");
    reference.solve("KvKP");
    let totals = |name, turn| reference.totals(name, turn, Distance::Mate);
    for turn in Color::ALL {
        assert_eq!(totals("KvKP", turn), totals("KPvK", !turn), "the colours exchanged");
    }
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
fn four_men_agree_with_their_moves() {
    let mut reference = Reference::new(CountingRules::MAKRUK);
    for name in PAWNFUL {
        compare(&mut reference, name);
    }
}
