//! The choice of positions for `makruk-match`, and the shares that it reports: the positions that category tables
//! decide, and the won positions that engines win.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use fastrand::Rng;
use makruk_benches::matches::game::Effort;
use makruk_benches::matches::positions::{self, Choice};
use makruk_benches::matches::{Conversions, DecidedShares, GameRecord, GroupedShare, Results, Score};
use makruk_probe::{Inventory, Prober, Tablebase};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Count, Fen, ToMove};

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}

#[test]
fn a_share_has_the_interval_of_its_groups() {
    let mut share = GroupedShare::default();
    share.add(0.0, 0.0);
    share.add(9.0, 10.0);
    assert_eq!((share.groups(), share.estimate()), (1, None));
    share.add(5.0, 10.0);
    // 14 of 20: residuals +2 and -2, variance 2/1 * 8 / 20², standard error 0.2.
    let found = share.estimate().unwrap();
    assert!(
        near(found.middle, 0.7) && near(found.low, 0.7 - 1.96 * 0.2) && near(found.high, 0.7 + 1.96 * 0.2),
        "{found:?}"
    );
    // Groups of one case each: the interval of a share of independent cases.
    let mut share = GroupedShare::default();
    (0..100).for_each(|case| share.add(f64::from(u8::from(case < 30)), 1.0));
    let found = share.estimate().unwrap();
    assert!(near(found.high - 0.3, 1.96 * (0.3f64 * 0.7 / 99.0).sqrt()), "{found:?}");
}

#[test]
fn games_of_a_file_are_separated_by_empty_lines() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games.fen");
    let lines =
        ["7k/R7/6K1/8/8/8/8/8 w - 32 3 1", "7k/8/6K1/8/8/8/8/R7 b - 32 6 1", "7k/8/4M1K1/8/8/4m3/8/8 w - 128 90 1"];
    std::fs::write(&path, format!("{}\n{}\n\n\n{}\n\n", lines[0], lines[1], lines[2])).unwrap();
    let games = positions::read_games(&path).unwrap();
    assert_eq!(games.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(positions::read(&path).unwrap(), games.concat());

    let chosen = |choice: Choice| {
        let found = positions::one_a_game(games.clone(), &choice, None, &mut Rng::with_seed(1)).unwrap();
        found.iter().map(Fen::to_string).collect::<Vec<_>>()
    };
    assert_eq!(chosen(Choice::default()).len(), 2);
    assert_eq!(chosen(Choice { smaller_side: Some(2), ..Choice::default() }), [lines[2]]);
    assert_eq!(chosen(Choice { plies_left: Some(20..=26), ..Choice::default() }), [lines[1]]);
    assert_eq!(chosen(Choice { plies_left: Some(39..=60), ..Choice::default() }), [""; 0]);
}

#[test]
fn scores_are_read_and_proven() {
    let read = |text: &str| Score::read(&mut text.split(' '));
    assert_eq!(read("cp -31 nodes 7"), Some(Score::Centipawns(-31)));
    assert_eq!(read("mate 4"), Some(Score::Mate(4)));
    assert_eq!((read("cp"), read("elo 4")), (None, None));
    let proven = |text| read(text).unwrap().proven();
    assert_eq!(["mate -3", "cp 15265", "cp -15265", "cp 900"].map(proven), [Some(-1), Some(1), Some(-1), None]);
}

#[test]
fn the_positions_of_a_game_are_counted_by_material_and_by_kind() {
    let folder = test_tables::usual(["KRvK", "KMvK", "KRvKM"].map(|name| name.parse().unwrap()));
    let prober = Prober::new(Tablebase::new(folder.path()));
    let tables = Inventory::of([folder.path()]);
    // A win that needs five moves: the class of KRvK from above four to six moves leaves it open if the count leaves
    // five.
    let layout = Layout::new("KRvK".parse::<Material>().unwrap());
    let white = (0..layout.positions()[Color::White]).filter_map(|index| layout.position_at(Color::White, index));
    let position = white.into_iter().find(|position| {
        let value = prober.probe(&Fen::new(position.clone(), None)).unwrap().dtz;
        value.signed_plies() == Some(9)
    });
    let counted = |moves: u32| {
        let count = Count::new(32, 32 - 2 * (moves - 1)).unwrap();
        assert_eq!(count.attacker_moves_left(ToMove::Attacker), moves);
        Fen::new(position.clone().unwrap(), Some(count))
    };
    let met: Fen = "7k/8/4M1K1/8/8/8/8/8 w - 128 5 1".parse().unwrap();
    let six: Fen = "7k/8/4M1K1/2rrM3/8/8/8/8 w - 128 5 1".parse().unwrap();
    let mut shares = DecidedShares::default();
    shares.add(&[counted(4), counted(5), counted(6), met, six.clone()], &prober, &tables).unwrap();
    shares.add(&[counted(6)], &prober, &tables).unwrap();
    shares.add(&[six], &prober, &tables).unwrap();
    assert_eq!((shares.all.hits(), shares.all.cases(), shares.all.groups(), shares.drawn), (3.0, 4.0, 2, 1));
    assert_eq!(shares.materials.keys().map(Material::to_string).collect::<Vec<_>>(), ["KRvK"]);
    let report = shares.report();
    let bare = report.lines().find(|line| line.starts_with("a bare king\t")).unwrap();
    assert!(bare.starts_with("a bare king\t3 of 4 in 2 games\t0.750 ["), "{report}");
    assert!(report.contains("\nKRvK\t3 of 4 in 2 games\t"), "{report}");
}

#[test]
fn conversions_are_those_of_the_side_to_move_by_position() {
    let place = tempfile::tempdir().unwrap();
    let mut results = Results::open(&place.path().join("results.tsv")).unwrap();
    // Two positions, two pairs each: the first engine wins 2 and 1 of them, the second engine 1 and 0. The last pair is
    // incomplete.
    for (pair, points) in [[2, 0], [2, 1], [2, 2], [1, 1], [2, 2]].into_iter().enumerate() {
        for (game, &half_points) in points.iter().enumerate().take(if pair == 4 { 1 } else { 2 }) {
            let effort = Effort { processor_time: Duration::from_millis(1), ..Effort::default() };
            let fen = ["7k/R7/6K1/8/8/8/8/8 w - 32 32 1", "7k/8/6K1/8/8/8/8/R7 w - 32 6 1"][pair / 2 % 2].to_owned();
            let (ending, moves) = ("mate".to_owned(), "a7a8".to_owned());
            results.add(GameRecord { pair, game, half_points, ending, effort: [effort; 2], fen, moves }).unwrap();
        }
    }
    let found = Conversions::of(&results);
    assert_eq!(found.shares.each_ref().map(|share| (share.hits(), share.cases())), [(3.0, 4.0), (1.0, 4.0)]);
    assert_eq!((found.difference.hits(), found.difference.groups()), (2.0, 2));
    let text = found.to_string();
    assert!(text.starts_with("2 positions in 4 pairs; the side to move wins: 75.0% ["), "{text}");
    // 5 of 8 half points and 6 of 8, by position.
    let (share, by_pair) = (results.share().estimate().unwrap(), results.score().share().unwrap());
    assert!(near(share.middle, 11.0 / 16.0) && near(by_pair.middle, share.middle), "{share:?}");
    assert!(near(share.high - share.middle, 1.96 / 16.0) && by_pair.high > share.high, "{share:?}, {by_pair:?}");
    assert!(results.summary(["first", "second"]).contains("from 2 positions\n"));
    let before = std::fs::read(results.path()).unwrap();
    results.keep(|game| game.fen.starts_with("7k/R7"));
    assert_eq!((results.games().count(), results.score().pairs), (5, [0, 0, 1, 1, 0]));
    assert_eq!(std::fs::read(results.path()).unwrap(), before);
}
