//! `analyse`.

use serde_json::Value;

use super::{objects, run, text};

const GAMES: &str = r#"[White "A"]
[Black "B"]
[FEN "8/8/8/8/8/4b1k1/4R3/K7 w - - 0 1"]

1. Ra2 Kf4 2. Re2 Ke4 3. Rxe3+ *

[FEN "8/8/8/8/8/k7/n7/KRR5 w - - 0 1"]

1. Rc3+ Nxc3 *

1. Zz9 *
"#;

#[test]
fn games_are_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    std::fs::write(&path, GAMES).unwrap();
    let path = path.to_str().unwrap();
    let output = run(&["analyse", "--json", path], b"");
    assert_eq!(output.status.code(), Some(1), "the third game can't be read");
    let answers = objects(&output);
    let first = &answers[0];
    assert_eq!((&first["game"], &first["ply"], &first["category"]), (&1.into(), &0.into(), &"win".into()));
    let played = &first["played"];
    assert_eq!((&played["san"], &played["best"]), (&"Ra2".into(), &"Re1".into()));
    assert_eq!((&played["gave_away"], &played["lost_moves"]), (&"time".into(), &1.into()));
    let summary = answers.iter().find(|line| line["game"] == 1 && line["summary"].is_object()).unwrap();
    assert_eq!((&summary["summary"]["positions"], &summary["summary"]["covered"]), (&6.into(), &6.into()));
    let last = answers.iter().rfind(|line| line["game"] == 1 && line["ply"] == 5).unwrap();
    assert_eq!((&last["played"], &last["material"]), (&Value::Null, &"KRvK".into()));
    assert_eq!((&last["count"]["limit"], &last["count"]["ply"]), (&32.into(), &6.into()));
    let second = answers.iter().find(|line| line["game"] == 2 && line["summary"].is_object()).unwrap();
    assert_eq!(second["summary"]["missing"][0]["command"], "makruk-gen build KRRvKN");
    assert_eq!(answers.last().unwrap()["reason"], "bad_pgn");

    let output = run(&["analyse", "-"], GAMES.as_bytes());
    let text = text(&output);
    for part in
        ["Game 1: A - B", "loses 1 move: Re1 is best", "`makruk-gen build KRRvKN` makes it", "White gave away", "Zz9"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_third_occurrence_of_a_position_draws_a_game() {
    let shuffle = "Re1 Kg2 Re2+ Kg3";
    let moves: Vec<String> = [shuffle, shuffle, shuffle]
        .iter()
        .flat_map(|moves| moves.split(' '))
        .collect::<Vec<_>>()
        .chunks(2)
        .enumerate()
        .map(|(at, pair)| format!("{}. {}", at + 1, pair.join(" ")))
        .collect();
    let game = format!("[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n{} *\n", moves.join(" "));
    let output = run(&["analyse", "--json", "-"], game.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let answers = objects(&output);
    let occurrences: Vec<u64> = answers.iter().filter_map(|answer| answer["occurrence"].as_u64()).collect();
    // The start occurs again after every fourth ply.
    assert_eq!(occurrences, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4]);
    assert_eq!(answers.last().unwrap()["summary"]["third_repetition_ply"], 8);
    let output = run(&["analyse", "-"], game.as_bytes());
    assert_eq!(text(&output).matches("the same position for the third time: a draw").count(), 4);
    assert!(text(&output).contains("From 5. on the game was drawn"), "{}", text(&output));
    let once = run(&["analyse", "--json", "-"], b"[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n1. Re1 *\n");
    assert_eq!(objects(&once).last().unwrap()["summary"]["third_repetition_ply"], Value::Null);
}
