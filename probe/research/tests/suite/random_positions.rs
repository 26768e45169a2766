//! Random positions: their frequencies against counts of all positions, and their values against the prober.

use std::collections::HashMap;
use std::hash::Hash;

use fastrand::Rng;
use makruk_research::{PositionDraw, PositionExport, PositionFormat, ResearchError, Silent};
use makruk_rules::{Board, Color, Fen, Piece, Position, Role, Square};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Metric, Value};

use crate::common::prober;

fn draw(names: &[&str]) -> PositionDraw {
    PositionDraw::new(names.iter().map(|name| name.parse().unwrap()).collect())
}

fn exported(names: &[&str], number: u64, format: PositionFormat, threads: usize, seed: u64) -> String {
    let export = PositionExport { draw: draw(names), seed, number, format, threads: Some(threads) };
    let mut all = String::new();
    let sink = |text: &str| -> Result<(), ResearchError> {
        all.push_str(text);
        Ok(())
    };
    assert_eq!(export.run(&prober(), sink, &mut Silent).unwrap(), number);
    all
}

/// Whether numbers fit the expected weights: Pearson's statistic is within five standard deviations of its mean.
fn fits<K: Eq + Hash>(found: &HashMap<K, u64>, expected: &HashMap<K, f64>) -> bool {
    let (drawn, all): (u64, f64) = (found.values().sum(), expected.values().sum());
    assert!(found.keys().all(|class| expected.contains_key(class)), "a class that cannot be");
    let difference = |(class, weight): (&K, &f64)| {
        let expected = drawn as f64 * weight / all;
        assert!(expected > 5.0, "too few draws: {expected}");
        (found.get(class).copied().unwrap_or_default() as f64 - expected).powi(2) / expected
    };
    let statistic: f64 = expected.iter().map(difference).sum();
    let freedom = (expected.len() - 1) as f64;
    (statistic - freedom).abs() < 5.0 * (2.0 * freedom).sqrt()
}

/// The side to move, whether White is bare, and the squares of the kings.
fn kings(position: &Position) -> (Color, bool, Square, Square) {
    let white_is_bare = position.board().is_bare(Color::White);
    (position.turn(), white_is_bare, position.king(Color::White), position.king(Color::Black))
}

#[test]
fn every_position_is_as_likely_as_any_other() {
    let mut expected: HashMap<_, f64> = HashMap::new();
    let men = [
        Piece::new(Color::White, Role::King),
        Piece::new(Color::Black, Role::King),
        Piece::new(Color::White, Role::Rook),
    ];
    for number in 0..64_u32.pow(3) {
        let square = |man: u32| Square::new((number / 64_u32.pow(man) % 64) as u8);
        let board: Board = (0..3).map(|man| (square(man), men[man as usize])).collect();
        for board in [board.clone(), board.color_flipped()].into_iter().filter(|board| board.men() == 3) {
            for turn in Color::ALL {
                let position = Position::new(board.clone(), turn).ok().filter(Position::has_legal_move);
                position.into_iter().for_each(|position| *expected.entry(kings(&position)).or_default() += 1.0);
            }
        }
    }
    assert_eq!(expected.len(), 4 * 3612);
    let (draw, mut rng, mut found) = (draw(&["KRvK"]), Rng::with_seed(1), HashMap::new());
    for _ in 0..200_000 {
        *found.entry(kings(&draw.draw(&mut rng).unwrap())).or_default() += 1;
    }
    assert!(fits(&found, &expected));
    // The test tells a distribution that is not even.
    let is_diagonal = |square: Square| square.file() == square.rank();
    let uneven: HashMap<_, f64> = expected
        .iter()
        .map(|(&kings, weight)| (kings, if is_diagonal(kings.2) { 1.5 * weight } else { *weight }))
        .collect();
    assert!(!fits(&found, &uneven));
}

#[test]
fn materials_have_the_weights_of_their_positions() {
    let (prober, names) = (prober(), ["KRvK", "KRRvK", "KRvKR", "KRvKS"]);
    // The headers of the tables count all legal positions, in the colours of the name. Stalemates are too few to
    // matter.
    let mut expected: HashMap<Material, f64> = HashMap::new();
    for name in names {
        let material: Material = name.parse().unwrap();
        let table = prober.source().table::<Value>(TableId { material, metric: Metric::Dtm }).unwrap();
        for side in Color::ALL {
            let counts = table.spec().values[side].entries().iter();
            let unmated: u64 = counts.filter(|(value, _)| *value != Value::Loss(0)).map(|(_, count)| count).sum();
            let forms = if material.is_color_symmetric() { 1.0 } else { 2.0 };
            *expected.entry(material).or_default() += forms * unmated as f64;
        }
    }
    let (draw, mut rng, mut found) = (draw(&names), Rng::with_seed(2), HashMap::new());
    for _ in 0..50_000 {
        let position = draw.draw(&mut rng).unwrap();
        *found.entry(Material::of(position.board()).unwrap().material).or_default() += 1;
    }
    assert!(fits(&found, &expected), "{found:?} of {expected:?}");
    assert!(PositionDraw::new(Vec::new()).draw(&mut rng).is_none());
}

#[test]
fn pawns_stand_where_pawns_can_stand() {
    let (draw, mut rng) = (draw(&["KPvKP", "KRPPvK"]), Rng::with_seed(3));
    assert!((0..1000).all(|_| draw.draw(&mut rng).is_some_and(|position| position.board().has_pawns())));
}

#[test]
fn values_are_as_the_prober_has_them() {
    let (prober, names) = (prober(), ["KRvKS", "KRvKR", "KRRvK", "KRMvK"]);
    let lines = exported(&names, 3000, PositionFormat::Tsv, 2, 7);
    let blocks = exported(&names, 3000, PositionFormat::Plain, 1, 7);
    let blocks: Vec<&str> = blocks.split_inclusive("\ne\n").collect();
    assert_eq!((lines.lines().count(), blocks.len()), (3000, 3000));
    let mut results = [0; 3];
    for (line, block) in lines.lines().zip(blocks) {
        let [text, category, dtm, dtz] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let fen: Fen = text.parse().unwrap();
        let verdict = prober.probe(&fen).unwrap();
        let plies = |value: Value| value.signed_plies().map_or(String::new(), |plies| plies.to_string());
        assert_eq!(category, verdict.category.name(), "{text}");
        assert_eq!((dtm, dtz), (&*plies(verdict.dtm), &*plies(verdict.dtz)), "{text}");
        assert!(fen.count.is_none() && fen.position.has_legal_move(), "{text}");
        let moves = verdict.dtz.moves().map_or(0, i32::from);
        let (score, result) = match category {
            "win" => (3000 - 10 * moves, 1),
            "loss" => (10 * moves - 3000, -1),
            _ => (0, 0),
        };
        results[(result + 1) as usize] += 1;
        let ply = i32::from(fen.position.turn() == Color::Black);
        assert_eq!(block, format!("fen {text}\nmove (none)\nscore {score}\nply {ply}\nresult {result}\ne\n"));
    }
    assert!(results.iter().all(|&result| result > 100), "{results:?}");
}

#[test]
fn the_seed_decides_the_positions() {
    let names = ["KRvKS", "KNMvK"];
    let whole = exported(&names, 3000, PositionFormat::Tsv, 2, 5);
    assert_eq!(whole, exported(&names, 3000, PositionFormat::Tsv, 1, 5));
    assert!(whole.starts_with(&exported(&names, 1500, PositionFormat::Tsv, 3, 5)));
    let other = exported(&names, 3000, PositionFormat::Tsv, 2, 6);
    assert!(whole.lines().zip(other.lines()).filter(|(one, other)| one == other).count() < 10);
}
