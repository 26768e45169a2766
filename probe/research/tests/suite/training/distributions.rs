//! The frequencies of positions among records, against counts of all positions.

use std::collections::HashMap;
use std::hash::Hash;

use makruk_probe::{Category, Prober};
use makruk_research::training::{CountChoice, Evenness, PositionSource, TrainingPosition, TrainingSettings, Weighting};
use makruk_tables::material::Material;
use makruk_tables::rules::{Board, Color, Fen, Piece, Position, Role, Square};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};

use super::{materials, positions, prober, source};

/// Calls `visit` for every legal position of a material of three men in which the side to move has a legal move.
fn for_each_position(name: &str, in_either_colours: bool, mut visit: impl FnMut(&Position)) {
    let material: Material = name.parse().unwrap();
    let kings = Color::ALL.map(|color| Piece::new(color, Role::King));
    let men: Vec<Piece> = kings.into_iter().chain(material.pieces()).collect();
    assert_eq!(men.len(), 3, "more would take long");
    let mut squares = vec![0; men.len()];
    loop {
        let board: Board = squares.iter().zip(&men).map(|(&square, &man)| (Square::new(square), man)).collect();
        if board.men() as usize == men.len() {
            for board in std::iter::once(board.clone()).chain(in_either_colours.then(|| board.color_flipped())) {
                for turn in Color::ALL {
                    if let Ok(position) = Position::new(board.clone(), turn)
                        && position.has_legal_move()
                    {
                        visit(&position);
                    }
                }
            }
        }
        let Some(at) = squares.iter().rposition(|&square| square < 63) else { return };
        squares[at] += 1;
        squares[at + 1..].fill(0);
    }
}

/// Whether numbers fit the expected weights: Pearson's statistic is within five standard deviations of its mean.
fn fits<K: Eq + Hash>(found: &HashMap<K, u64>, expected: &HashMap<K, f64>) -> Result<(), String> {
    let (drawn, all): (u64, f64) = (found.values().sum(), expected.values().sum());
    if found.keys().any(|class| !expected.contains_key(class)) {
        return Err("a class that cannot be".to_owned());
    }
    let statistic: f64 = expected
        .iter()
        .map(|(class, weight)| {
            let expected = drawn as f64 * weight / all;
            assert!(expected > 5.0, "too few draws: {expected}");
            (found.get(class).copied().unwrap_or_default() as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = (expected.len() - 1) as f64;
    let far = (statistic - freedom).abs() / (2.0 * freedom).sqrt();
    if far < 5.0 { Ok(()) } else { Err(format!("{statistic:.0} of {freedom}")) }
}

fn frequencies<K: Eq + Hash>(found: &[TrainingPosition], class: impl Fn(&TrainingPosition) -> K) -> HashMap<K, u64> {
    let mut frequencies = HashMap::new();
    for position in found {
        *frequencies.entry(class(position)).or_default() += 1;
    }
    frequencies
}

fn draw(prober: &Prober, source: PositionSource, settings: TrainingSettings, records: u64) -> Vec<TrainingPosition> {
    let settings = TrainingSettings { threads: Some(2), ..settings };
    positions(prober, source, settings, 0..records).unwrap()
}

/// Side to move, the squares of both kings up to nothing, the bare side.
fn kings(position: &Position) -> (Color, bool, Square, Square) {
    let white_is_bare = position.board().is_bare(Color::White);
    (position.turn(), white_is_bare, position.king(Color::White), position.king(Color::Black))
}

#[test]
fn every_position_is_as_likely_as_any_other() {
    let prober = prober();
    // Eight-fold symmetry, with slabs that hold positions twice.
    let mut expected: HashMap<_, f64> = HashMap::new();
    for_each_position("KRvK", true, |position| *expected.entry(kings(position)).or_default() += 1.0);
    let found = draw(&prober, source(&["KRvK"]), TrainingSettings::default(), 200_000);
    let found = frequencies(&found, |position| kings(&position.fen.position));
    assert_eq!(expected.len(), 4 * 3612);
    fits(&found, &expected).unwrap();
    // The test tells a distribution that is not even.
    let uneven: HashMap<_, f64> = expected
        .iter()
        .map(|(&kings, weight)| {
            let is_diagonal = kings.2.file() == kings.2.rank() && kings.3.file() == kings.3.rank();
            (kings, if is_diagonal { 2.0 * weight } else { *weight })
        })
        .collect();
    assert!(fits(&found, &uneven).is_err());
}

#[test]
fn materials_have_the_weights_of_their_positions_or_equal_ones() {
    let prober = prober();
    let names = ["KRvK", "KRRvK", "KRvKR", "KRvKS"];
    // The headers of the tables count all legal positions, in the colours of the name. Stalemates are too few to matter.
    let mut expected: HashMap<(String, Color), f64> = HashMap::new();
    for name in names {
        let material: Material = name.parse().unwrap();
        let table = prober.source().table::<Value>(TableId { material, metric: Metric::Dtm }).unwrap();
        for side in Color::ALL {
            let counts = table.spec().values[side].entries().iter();
            let unmated: u64 = counts.filter(|(value, _)| *value != Value::Loss(0)).map(|(_, count)| count).sum();
            let sides = if material.is_color_symmetric() { vec![side] } else { Color::ALL.to_vec() };
            for side in sides {
                *expected.entry((name.to_owned(), side)).or_default() += unmated as f64;
            }
        }
    }
    let class = |position: &TrainingPosition| (position.verdict.material.to_string(), position.verdict.side);
    let found = draw(&prober, source(&names), TrainingSettings::default(), 50_000);
    fits(&frequencies(&found, class), &expected).unwrap();
    let equal = PositionSource::Drawn { materials: materials(&names), weighting: Weighting::Materials };
    let found = draw(&prober, equal, TrainingSettings::default(), 25_000);
    assert!(fits(&frequencies(&found, class), &expected).is_err());
    let equal: HashMap<String, f64> = names.iter().map(|&name| (name.to_owned(), 1.0)).collect();
    fits(&frequencies(&found, |position| class(position).0), &equal).unwrap();
}

#[test]
fn categories_become_equally_frequent() {
    let prober = prober();
    let mut all: HashMap<Category, f64> = HashMap::new();
    for_each_position("KRvK", false, |position| {
        let verdict = prober.probe(&Fen::new(position.clone(), None)).unwrap();
        *all.entry(verdict.category).or_default() += 1.0;
    });
    let sum: f64 = all.values().sum();
    let least = all.values().copied().fold(sum, f64::min) / sum;
    assert_eq!(all.len(), 5);
    let class = |position: &TrainingPosition| position.verdict.category;
    let draw = |rarest| {
        let settings = TrainingSettings { evenness: Evenness::Categories, rarest, ..TrainingSettings::default() };
        draw(&prober, source(&["KRvK"]), settings, 20_000)
    };
    // Shares are estimates from 131,072 draws: a twentieth is allowed for.
    let near = |found: &HashMap<Category, u64>, expected: &dyn Fn(Category) -> f64| {
        let (drawn, all): (u64, f64) = (found.values().sum(), Category::ALL.map(expected).iter().sum());
        Category::ALL.into_iter().all(|category| {
            let (found, expected) = (found[&category] as f64 / drawn as f64, expected(category) / all);
            (found - expected).abs() < 0.05 * expected + 4.0 * (expected / drawn as f64).sqrt()
        })
    };
    let even = frequencies(&draw(1_000_000), class);
    assert!(least > 1e-6 && near(&even, &|_| 1.0), "{even:?}");
    // A class rarer than the least share stays rarer.
    let rarest = (0.5 / least) as u32;
    let bounded = frequencies(&draw(rarest), class);
    let bound = 1.0 / f64::from(rarest);
    assert!(near(&bounded, &|category| (all[&category] / sum).min(bound)), "{bounded:?}");
    assert!(!near(&bounded, &|_| 1.0));
}

#[test]
fn distances_become_equally_frequent() {
    let prober = prober();
    let settings = TrainingSettings { evenness: Evenness::Distances, ..TrainingSettings::default() };
    let found = draw(&prober, source(&["KRvK"]), settings, 20_000);
    let found = frequencies(&found, |position| position.verdict.dtz.signed_plies());
    let mut all: HashMap<_, f64> = HashMap::new();
    for_each_position("KRvK", false, |position| {
        let verdict = prober.probe(&Fen::new(position.clone(), None)).unwrap();
        *all.entry(verdict.dtz.signed_plies()).or_default() += 1.0;
    });
    let sum: f64 = all.values().sum();
    // An even class has the share of the rarest that is above the bound, or of the bound.
    let bound = all.values().map(|count| count / sum).fold(1.0, f64::min).max(1e-3);
    let expected: HashMap<_, f64> = all.iter().map(|(&class, count)| (class, (count / sum).min(bound))).collect();
    let expected_sum: f64 = expected.values().sum();
    for (class, weight) in &expected {
        let expected = 20_000.0 * weight / expected_sum;
        let found = found.get(class).copied().unwrap_or_default() as f64;
        // The estimate's error besides that of the draws.
        let error = 5.0 * (expected + (expected * expected) / (131_072.0 * all[class] / sum)).sqrt();
        assert!((found - expected).abs() < error, "{class:?}: {found} of {expected}");
    }
    // As they are, they are not even.
    let found = draw(&prober, source(&["KRvK"]), TrainingSettings::default(), 20_000);
    let found = frequencies(&found, |position| position.verdict.dtz.signed_plies());
    assert!(found.values().max() > Some(&1500) && found.values().min() < Some(&100), "{found:?}");
}

#[test]
fn counts_near_the_boundary_are_on_both_sides_of_it() {
    let prober = prober();
    let settings = TrainingSettings { counts: vec![CountChoice::Near], ..TrainingSettings::default() };
    let found = draw(&prober, source(&["KRvKS", "KRvKN"]), settings, 20_000);
    let decided: Vec<&TrainingPosition> =
        found.iter().filter(|position| position.verdict.dtz.moves().is_some_and(|moves| moves > 4)).collect();
    let in_time =
        decided.iter().filter(|position| matches!(position.verdict.category, Category::Win | Category::Loss)).count();
    // Of seven differences from -3 to 3 moves, four are in time.
    let share = in_time as f64 / decided.len() as f64;
    assert!(decided.len() > 2000 && (share - 4.0 / 7.0).abs() < 0.05, "{share} of {}", decided.len());
}
