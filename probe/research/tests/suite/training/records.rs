//! Records against the prober.

use makruk_probe::{Category, Prober, Tablebase};
use makruk_research::training::{
    CountChoice, Evenness, PositionSource, Quietness, TrainingError, TrainingPosition, TrainingSettings, Weighting,
};
use makruk_tables::rules::{Color, Fen};

use super::{materials, positions, prober, source};

/// Every count and everything else.
fn busy(threads: usize) -> TrainingSettings {
    TrainingSettings {
        seed: 7,
        counts: vec![CountChoice::None, CountChoice::Any, CountChoice::Near],
        best_moves: true,
        threads: Some(threads),
        ..TrainingSettings::default()
    }
}

fn agrees_with(prober: &Prober, position: &TrainingPosition) {
    let fen: Fen = position.fen.to_string().parse().unwrap();
    assert_eq!(fen, position.fen, "a legal position, whose FEN says all");
    assert_eq!(position.verdict, prober.probe(&fen).unwrap(), "{fen}");
    assert!(fen.position.has_legal_move(), "{fen}");
    if let Some(best) = position.best {
        assert_eq!(best, prober.moves(&fen).unwrap()[0], "{fen}");
        assert_eq!(best.category, position.verdict.category, "{fen}");
    }
}

#[test]
fn records_are_as_the_prober_has_them() {
    let prober = prober();
    let names = ["KRvKS", "KRvKR", "KRRvK", "KRMvK", "KSvKM", "KRvK"];
    let found = positions(&prober, source(&names), busy(2), 0..6000).unwrap();
    assert_eq!(found.len(), 6000);
    for position in &found {
        assert!(position.best.is_some());
        agrees_with(&prober, position);
    }
    let categories = |category| found.iter().filter(|position| position.verdict.category == category).count();
    assert!(Category::ALL.into_iter().all(|category| categories(category) > 50));
    let sides = |turn| found.iter().filter(|position| position.fen.position.turn() == turn).count();
    assert!(Color::ALL.into_iter().all(|turn| sides(turn) > 2500));
    let counted = found.iter().filter(|position| position.fen.count.is_some()).count();
    assert!(counted.abs_diff(4000) < 200, "{counted}");
    // Each material that differs from its colour-flipped form comes in both.
    for (bare, name) in [(Color::White, "KRRvK"), (Color::Black, "KRRvK")] {
        let of = |position: &&TrainingPosition| position.verdict.material.to_string() == name;
        assert!(found.iter().filter(of).any(|position| position.fen.position.board().is_bare(bare)));
    }
}

#[test]
fn records_depend_on_their_numbers_alone() {
    let prober = prober();
    let names = ["KRvKS", "KNMvK"];
    let ask = |threads, records| positions(&prober, source(&names), busy(threads), records).unwrap();
    let whole = ask(2, 0..300);
    assert_eq!(whole, ask(1, 0..300));
    let small = TrainingSettings { batch: 97, ..busy(2) };
    assert_eq!(whole, positions(&prober, source(&names), small, 0..300).unwrap());
    assert_eq!(whole[..130], ask(3, 0..130));
    assert_eq!(whole[130..], ask(2, 130..300));
    let even = |threads, records| {
        let settings = TrainingSettings { evenness: Evenness::Categories, best_moves: false, ..busy(threads) };
        positions(&prober, source(&names), settings, records).unwrap()
    };
    assert_eq!(even(2, 0..100)[70..], even(1, 70..100));
    let other = TrainingSettings { seed: 8, ..busy(2) };
    let other = positions(&prober, source(&names), other, 0..300).unwrap();
    assert!(whole.iter().zip(&other).filter(|(one, other)| one == other).count() < 10);
}

#[test]
fn whole_slabs_and_single_probes_give_the_same() {
    // Black to move is derived.
    let folder = test_tables::one_sided(test_tables::materials(&["KRvKN"]));
    let prober = Prober::new(Tablebase::new(folder.path()));
    let settings = TrainingSettings { threads: Some(2), ..TrainingSettings::default() };
    // 2 * 462 * 4096 cells: this many records have some hundred in each slab.
    let dense = positions(&prober, source(&["KRvKN"]), settings.clone(), 0..100_000).unwrap();
    let sparse = positions(&prober, source(&["KRvKN"]), settings, 0..2000).unwrap();
    assert_eq!(dense[..2000], sparse);
    dense.iter().step_by(43).for_each(|position| agrees_with(&prober, position));
}

#[test]
fn calm_positions_are_calm() {
    let prober = prober();
    for quietness in [Quietness::NoCapture, Quietness::QuietMove] {
        let settings = TrainingSettings { quietness, ..busy(2) };
        for position in positions(&prober, source(&["KRvKS", "KRMvK"]), settings, 0..1000).unwrap() {
            agrees_with(&prober, &position);
            let before = &position.fen.position;
            assert!(!before.is_check());
            assert!(!position.best.unwrap().capture);
            let captures = before.legal_moves().iter().filter(|&&mv| before.captured(mv).is_some()).count();
            assert!(captures == 0 || quietness == Quietness::QuietMove, "{}", position.fen);
        }
    }
}

#[test]
fn games_keep_their_counts() {
    let prober = prober();
    let texts = [
        "8/8/8/8/8/4s1k1/4R3/K7 w - 128 85 60",
        "8/8/8/3k4/8/8/1R6/K7 b - 32 29 40",
        "8/8/8/3k4/8/8/1R6/K7 b - - 0 7",
        "8/8/8/8/8/4n1k1/4R3/K7 w - 128 3 2",
        "R5k1/8/6K1/8/8/8/8/8 b - 32 31 9",
    ];
    let fens: Vec<Fen> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let played = |names: &[&str]| PositionSource::Played { materials: materials(names), fens: fens.clone() };
    let settings = TrainingSettings { counts: Vec::new(), ..busy(2) };
    let found = positions(&prober, played(&["KRvKS", "KRvK"]), settings.clone(), 0..u64::MAX).unwrap();
    found.iter().for_each(|position| agrees_with(&prober, position));
    let mut kept: Vec<Fen> = found.iter().map(|position| position.fen.clone()).collect();
    kept.sort_unstable_by_key(|fen| std::cmp::Reverse(fen.fullmove));
    // The knight is of another material, and the mate has no move.
    assert_eq!(kept, fens[..3]);
    assert_eq!(found.iter().find(|position| position.fen == fens[0]).unwrap().plies_before(), 118);
    // Other counts, fewer records, another order.
    let near = TrainingSettings { counts: vec![CountChoice::Near], ..settings.clone() };
    let found = positions(&prober, played(&["KRvKS"]), near, 0..9).unwrap();
    assert!(found.len() == 1 && found[0].fen.count.is_some_and(|count| count.ply() != 85), "{found:?}");
    assert!(positions(&prober, played(&["KRvKS", "KRvK"]), settings.clone(), 0..2).unwrap().len() <= 2);
    let orders: std::collections::HashSet<Vec<String>> = (0..40)
        .map(|seed| {
            let settings = TrainingSettings { seed, ..settings.clone() };
            let found = positions(&prober, played(&["KRvKS", "KRvK"]), settings, 0..9).unwrap();
            found.iter().map(|position| position.fen.to_string()).collect()
        })
        .collect();
    assert_eq!(orders.len(), 6, "every order of three positions");
}

#[test]
fn sets_that_cannot_be_made() {
    let prober = prober();
    let ask = |names: &[&str], settings| positions(&prober, source(names), settings, 0..10).unwrap_err();
    assert!(matches!(ask(&[], busy(1)), TrainingError::NoMaterial));
    assert!(matches!(ask(&["KvK"], busy(1)), TrainingError::NoMaterial));
    let missing = ask(&["KNNvKS"], busy(1));
    assert!(matches!(&missing, TrainingError::Probe(_)) && missing.to_string().contains("KNNvKS"), "{missing}");
    let weighting = Weighting::Materials;
    let source = PositionSource::Drawn { materials: materials(&["KRvK", "KRvKS"]), weighting };
    assert_eq!(positions(&prober, source, busy(1), 5..5).unwrap(), []);
}
