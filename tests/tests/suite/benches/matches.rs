//! The referee and the score of `makruk-match`: games of scripted players, records that are read back, and known
//! intervals.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use anyhow::Result;
use makruk_benches::matches::score::elo;
use makruk_benches::matches::{
    Ending, EngineCommand, GameRecord, Hypothesis, MatchPlan, MatchScore, Outcome, PlayedGame, Player, Reply, Results,
    Sprt, play, run,
};
use makruk_tables::rules::{Color, Fen};

/// Plays the moves of a list.
struct Script(&'static [&'static str]);

impl Player for Script {
    fn name(&self) -> &str {
        "script"
    }

    fn new_game(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    fn reply(&mut self, _: &Fen, moves: &[String]) -> Result<Reply> {
        let mv = self.0[moves.len() / 2 % self.0.len()].to_owned();
        Ok(Reply { mv, nodes: 10, table_hits: 1, score: None })
    }

    fn processor_time(&self) -> Result<Duration> {
        Ok(Duration::from_millis(3))
    }
}

fn game(fen: &str, first: &'static [&'static str], second: &'static [&'static str]) -> Result<PlayedGame> {
    let game = play(&fen.parse()?, [&mut Script(first), &mut Script(second)], 0, |_| true)?;
    Ok(game.unwrap())
}

fn outcome(fen: &str, first: &'static [&'static str], second: &'static [&'static str]) -> Outcome {
    game(fen, first, second).unwrap().outcome
}

#[test]
fn the_referee_knows_the_rules_alone() {
    let draw = |ending| Outcome { winner: None, ending };
    let mate = Outcome { winner: Some(Color::White), ending: Ending::Mate };
    // The move on which the count runs out may still mate; one ply later it does not.
    assert_eq!(outcome("7k/R7/6K1/8/8/8/8/8 w - 32 32 1", &["a7a8"], &[]), mate);
    assert_eq!(outcome("7k/R7/6K1/8/8/8/8/8 w - 32 33 1", &["a7a8"], &[]), draw(Ending::Count));
    assert_eq!(outcome("7k/R7/6K1/8/8/8/8/8 w - 32 31 1", &["a7b7"], &["h8g8"]), draw(Ending::Count));
    assert_eq!(outcome("7k/8/4M1K1/8/8/8/8/8 w - 128 5 1", &["e6f7"], &[]), draw(Ending::Stalemate));
    // A bare king takes the last man: two bare kings.
    assert_eq!(outcome("7k/6R1/8/8/8/8/8/K7 b - 32 8 1", &["h8g7"], &[]), draw(Ending::BareKings));
    // The same position for the third time: after eight plies.
    let repeated = game("8/8/8/8/8/4s1k1/4R3/K7 w - 128 0 1", &["e2e1", "e1e2"], &["g3g2", "g2g3"]).unwrap();
    assert_eq!((repeated.outcome, repeated.moves.len()), (draw(Ending::Repetition), 8));
    assert_eq!(repeated.effort[0].nodes, 40);
}

#[test]
fn a_move_that_is_not_legal_is_an_error_that_names_the_game() {
    let error = game("8/8/8/8/8/4s1k1/4R3/K7 w - 128 0 1", &["e2e8"], &["e3d2"]).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("script to move in 8/8/8/8/8/4s1k1/4R3/K7 w") && text.contains("\"e2e8\""), "{text}");
}

#[test]
fn pairs_give_elo_with_an_interval() {
    assert!(elo(0.5).abs() < 1e-9);
    assert!((elo(0.75) - 190.848).abs() < 1e-3);
    let mut score = MatchScore::default();
    assert_eq!(score.share(), None);
    // Decided positions: a point for each engine of every pair. No games are won, and nothing varies.
    (0..10).for_each(|_| score.add([2, 0]));
    let share = score.share().unwrap();
    assert_eq!((share.low, share.middle, share.high), (0.5, 0.5, 0.5));
    // Ten pairs of 2 and ten of 1: mean 0.75, variance 1/16, standard error sqrt(1/16/19) = 0.05735.
    (0..10).for_each(|_| score.add([2, 2]));
    let share = score.share().unwrap();
    assert!((share.middle - 0.75).abs() < 1e-9 && (share.high - 0.75 - 1.96 * 0.057_354).abs() < 1e-4, "{share:?}");
    assert!(score.elo().unwrap().low > 50.0);
}

/// A record of the position with a mate in one.
fn record(pair: usize, game_number: usize, half_points: u8) -> GameRecord {
    let fen = "7k/R7/6K1/8/8/8/8/8 w - 32 32 1";
    let played = game(fen, &["a7a8"], &[]).unwrap();
    GameRecord {
        pair,
        game: game_number,
        half_points,
        ending: played.outcome.ending.to_string(),
        effort: played.effort,
        fen: fen.to_owned(),
        moves: played.moves.join(" "),
    }
}

#[test]
fn results_are_read_back_and_pairs_counted_once_complete() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("results.tsv");
    let mut results = Results::open(&path).unwrap();
    for (pair, game, half_points) in [(0, 0, 2), (0, 1, 1), (1, 0, 0)] {
        results.add(record(pair, game, half_points)).unwrap();
    }
    let results = Results::open(&path).unwrap();
    assert_eq!(results.game(0, 1), Some(&record(0, 1, 1)));
    assert_eq!(results.score().pairs, [0, 0, 0, 1, 0]);
    assert_eq!(results.game(1, 1), None);
    std::fs::write(&path, "something else\n").unwrap();
    assert!(Results::open(&path).is_err());
}

#[test]
fn a_line_that_was_cut_off_is_no_game() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("results.tsv");
    let mut results = Results::open(&path).unwrap();
    results.add(record(0, 0, 2)).unwrap();
    results.add(record(0, 1, 1)).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    let second = whole[..whole.len() - 1].rfind('\n').unwrap() + 1;
    // Wherever the last line ends without a newline, even after all of its columns, the game is played again.
    for length in [second + 1, second + 9, whole.len() - 3, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut results = Results::open(&path).unwrap();
        assert_eq!((results.games().count(), results.game(0, 1)), (1, None), "{length}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole[..length], "a reader changes nothing");
        results.add(record(0, 1, 1)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "{length}");
    }
    // A head that was cut off, and a text that is none.
    std::fs::write(&path, &whole[..7]).unwrap();
    let mut results = Results::open(&path).unwrap();
    results.add(record(0, 0, 2)).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole[..second]);
    std::fs::write(&path, "something else").unwrap();
    assert!(Results::open(&path).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "something else");
}

/// A match of engines that do not exist.
fn plan_without_engines(fens: &[&str]) -> MatchPlan {
    let engine = || EngineCommand {
        name: "none".to_owned(),
        program: "/dev/null/no-engine".to_owned(),
        options: Vec::new(),
        go: "nodes 1".to_owned(),
        move_limit: Duration::from_secs(1),
        variation: 0.0,
    };
    MatchPlan {
        engines: [engine(), engine()],
        positions: fens.iter().map(|fen| fen.parse().unwrap()).collect(),
        seed: 1,
        games_at_a_time: 1,
        deadline: None,
        sprt: None,
    }
}

#[test]
fn a_match_does_not_go_on_from_other_positions() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("results.tsv");
    let mut results = Results::open(&path).unwrap();
    for (pair, game_number) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        results.add(record(pair, game_number, 1)).unwrap();
    }
    let (same, other) = ("7k/R7/6K1/8/8/8/8/8 w - 32 32 1", "7k/R7/6K1/8/8/8/8/8 w - 32 31 1");
    let plan = plan_without_engines(&[same, other]);
    let Err(error) = run(&plan, Results::open(&path).unwrap()) else { panic!("other positions") };
    let text = format!("{error:#}");
    for part in [path.to_str().unwrap(), "pair 1 ", same, other] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_match_plays_no_pair_after_its_test_has_decided() {
    let fens: Vec<String> = (0..31).map(|ply| format!("7k/R7/6K1/8/8/8/8/8 w - 32 {ply} 1")).collect();
    let fens: Vec<&str> = fens.iter().map(String::as_str).collect();
    let mut plan = plan_without_engines(&fens);
    plan.sprt = Sprt::new(0.0, 100.0);
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("results.tsv");
    let mut results = Results::open(&path).unwrap();
    for (pair, &fen) in fens.iter().enumerate().take(20) {
        for (game_number, half_points) in [(0, 2), (1, if pair < 4 { 0 } else { 2 })] {
            results.add(GameRecord { fen: fen.to_owned(), ..record(pair, game_number, half_points) }).unwrap();
        }
    }
    let results = run(&plan, results).unwrap();
    assert_eq!((results.games().count(), plan.is_complete(&results)), (40, false));
    assert_eq!(plan.sprt.unwrap().verdict(&results.share()).accepted, Some(Hypothesis::H1));
    // Without a decision it begins the next pair.
    plan.sprt = Sprt::new(299.0, 300.0);
    assert!(run(&plan, results).is_err());
}
