//! The rules and the tables against the suite for the count.

use std::collections::BTreeSet;

use makruk_probe::{Category, Prober, Tablebase};
use makruk_rules::{Color, CountingRules, Fen, GameResult, Move, Outcome, Reading, Repetitions, ToMove};
use makruk_tests::count_suite::{Case, CaseVerdict, cases};

/// The position after the moves of a case, and how often it has occurred.
fn played(case: &Case) -> (Fen, u32) {
    let mut fen = Reading::parse(&case.fen).expect("a FEN").fen;
    let mut repetitions = Repetitions::new();
    let mut times = repetitions.record(&fen.position);
    for text in &case.moves {
        let mv = Move::from_uci(&fen.position, text).expect("a move");
        assert!(fen.position.legal_moves().contains(&mv), "{}: {text}", case.name);
        fen = fen.play(&CountingRules::MAKRUK, mv);
        times = repetitions.record(&fen.position);
    }
    (fen, times)
}

#[test]
fn the_library_agrees_in_every_case() {
    // The materials of the cases that ask for a mate.
    let folder = test_tables::usual(test_tables::materials(&["KRRvK", "KRvKR", "KRvKN", "KRvKS"]));
    let prober = Prober::new(Tablebase::new(folder.path()));
    for case in cases() {
        let (fen, times) = played(&case);
        // A count that the case does not give begins as the probe has it.
        assert_eq!(fen.count.map(|count| (count.limit(), count.ply())), case.count(), "{case:?}");
        if case.verdict == Some(CaseVerdict::Repetition) {
            assert!(times >= 3, "{case:?}");
        }
        let Some(mate) = case.expected_mate().filter(|_| !fen.position.board().has_pawns()) else { continue };
        let verdict = prober.probe(&fen).expect("a verdict");
        let moves = i32::from(verdict.dtm.moves().unwrap_or(0));
        let found = match verdict.category {
            Category::Win => Some(moves),
            Category::Loss => Some(-moves),
            Category::CursedWin | Category::Draw | Category::BlessedLoss => None,
        };
        assert_eq!(found, mate, "{case:?}");
    }
}

#[test]
fn the_library_knows_which_games_are_drawn() {
    let mut drawn = 0;
    for case in cases() {
        let Some(expected) = case.drawn else { continue };
        let (fen, times) = played(&case);
        let outcome = Outcome::of(&fen.position, fen.count, times);
        let found = outcome.is_some_and(|outcome| outcome.result() == GameResult::Draw);
        assert_eq!(found, expected, "{}", case.name);
        drawn += u32::from(found);
    }
    assert!(drawn > 20, "{drawn}");
}

#[test]
fn the_kits_flags_are_those_of_the_library() {
    #[derive(serde::Deserialize)]
    struct Flag {
        fen: String,
        white: Option<bool>,
        black: Option<bool>,
    }

    let text = include_str!("../../count-kit/makruk_count_kit/flags.json");
    let flags: Vec<Flag> = serde_json::from_str(text).expect("flags.json");
    for Flag { fen, white, black } in &flags {
        let position = Fen::parse(fen).expect("a FEN").position;
        assert_eq!(Color::ALL.map(|side| position.can_mate(side)), [*white, *black], "{fen}");
        let dead = Outcome::of(&position, None, 1) == Some(Outcome::Dead);
        assert_eq!(dead, [*white, *black] == [Some(false); 2], "{fen}");
    }
    assert!(flags.len() > 10);
}

#[test]
fn the_moves_left_are_those_of_the_cases() {
    for case in cases() {
        let (fen, _) = played(&case);
        let (Some(left), Some(counted)) = (case.left, case.counted) else { continue };
        let count = fen.count.expect("a count");
        // Against a bare king the other side attacks; otherwise White does in the suite.
        let attacker_to_move = match (fen.position.board().is_bare(fen.position.turn()), case.moves.is_empty()) {
            (true, _) => false,
            (false, _) if fen.position.board().is_bare(!fen.position.turn()) => true,
            (false, _) => fen.position.turn() == Color::White,
        };
        assert_eq!(count.attacker_moves_left(ToMove::attacker_if(attacker_to_move)), left, "{}", case.name);
        // The defender has said a number for every second ply, its own.
        let said = if attacker_to_move { count.ply().div_ceil(2) } else { count.ply() / 2 };
        assert_eq!(said, counted, "{}", case.name);
    }
}

#[test]
fn cases_have_names_and_clauses_of_their_own() {
    let cases = cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.len() >= 120, "{}", cases.len());
    let groups: BTreeSet<&str> = cases.iter().map(|case| case.group.as_str()).collect();
    let all = ["board", "captures", "end", "limits", "pawns", "repetition"];
    assert_eq!(groups.into_iter().collect::<Vec<_>>(), all);
    for case in &cases {
        assert!(case.clause.starts_with("BE 2569 p. ") || case.clause == "FEN", "{}: {}", case.name, case.clause);
        assert!(!case.why.is_empty());
        assert_eq!(case.limit.is_some(), case.ply.is_some(), "{}", case.name);
    }
    let disputed: BTreeSet<&str> = cases.iter().filter_map(|case| case.disputed.as_deref()).collect();
    for point in ["restart after a capture", "last move", "limits together", "mate after the end", "repetition"] {
        assert!(disputed.contains(point), "{point}");
    }
    let verdicts = cases.iter().filter_map(|case| case.verdict);
    assert!(verdicts.clone().any(|verdict| verdict == CaseVerdict::Win));
    assert!(verdicts.clone().any(|verdict| verdict == CaseVerdict::Loss));
    assert!(verdicts.filter(|&verdict| verdict == CaseVerdict::Draw).count() > 5);
}
