//! A folder in which some tables are missing: the verdict comes first, and moves into missing tables are unknown.

use super::{errors, objects, run, text};

/// White wins, and may take the met: the table of K+R v K, which is missing, has the position after that.
const FEN: &str = "8/8/8/8/8/4m1k1/4R3/K7 w - - 0 1";

/// A folder with the tables of K+R v K+M alone.
fn folder() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let material = test_tables::materials(&["KRvKM"]);
    test_tables::link(&test_tables::usual(material.clone()), material, place.path());
    place
}

#[test]
fn query_prints_the_verdict_and_what_is_unknown() {
    let place = folder();
    let tables = place.path().to_str().unwrap();
    let output = run(&["query", "--tables", tables, FEN], b"");
    let (found, build) = (text(&output), format!("`makruk-gen build KRvK --tables {tables}` makes it"));
    assert!(output.status.success() && errors(&output).is_empty(), "{}", errors(&output));
    assert!(found.starts_with("KRvKM, White to move: White wins (win)\n"), "{found}");
    assert!(found.contains("1 of 12 moves is unknown: Rxe3+\n"), "{found}");
    assert!(found.contains("has no table KRvK.dtm; ") && found.contains(&build), "{found}");
    assert!(found.contains("7 of 12 moves win\n"), "{found}");

    // A line goes on as long as all moves are known.
    let far = run(&["query", "--tables", tables, "8/8/8/8/8/4m1k1/3R4/K7 w - - 0 1"], b"");
    let found = text(&far);
    assert!(far.status.success() && found.contains("\nBest line\n  1. "), "{found}");
    assert!(found.contains("...\n  A move after this line is unknown: ") && found.contains(&build), "{found}");

    let [verdict] = &objects(&run(&["query", "--json", "--tables", tables, FEN], b""))[..] else { panic!() };
    let [moves] = &objects(&run(&["query", "--json", "--moves", "--tables", tables, FEN], b""))[..] else { panic!() };
    assert_eq!((&verdict["category"], &moves["category"]), (&"win".into(), &"win".into()));
    assert!(verdict["unknown_moves"].is_null());
    assert_eq!(moves["moves"].as_array().unwrap().len(), 11);
    let [unknown] = &moves["unknown_moves"].as_array().unwrap()[..] else { panic!("{moves}") };
    let of = |field: &str| unknown[field].as_str().unwrap_or_default();
    let found = ["uci", "san", "table", "reason", "command"].map(of);
    assert_eq!(found, ["e2e3", "Rxe3+", "KRvK.dtm", "missing_table", "makruk-gen build KRvK"]);
    assert!(of("error").contains(&build), "{unknown}");
}

#[test]
fn the_player_names_what_is_unknown() {
    let place = folder();
    let tables = place.path().to_str().unwrap();
    let commands = format!("setoption name MakrukPath value {tables};/none\nisready\nposition fen {FEN}\ngo depth 3\n");
    let output = run(&["uci"], commands.as_bytes());
    let told = text(&output);
    let introduction = format!("info string 1 material of 4 men in {tables}; /none: the table folder does not exist");
    assert!(told.contains(&introduction), "{told}");
    assert!(told.contains("info string KRvKM: White wins. "), "{told}");
    assert!(told.contains("info string no value is known of e2e3: ") && told.contains("no table KRvK.dtm"), "{told}");
    assert!(!told.contains("so it is searched"), "{told}");
    // The move keeps the win, as the verdict on the position after it says.
    let best = told.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap().split(' ').next().unwrap();
    let moves = &objects(&run(&["query", "--json", "--moves", "--tables", tables, FEN], b""))[0]["moves"];
    let played = moves.as_array().unwrap().iter().find(|mv| mv["uci"] == best).unwrap();
    assert_eq!(played["category"], "win", "{told}");
}

#[test]
fn the_player_looks_for_the_move_that_the_verdict_promises() {
    // Only the capture of the met draws, into the table that is missing: White's rook has given it.
    let place = folder();
    let tables = place.path().to_str().unwrap();
    let only = "8/8/8/8/8/8/2km4/K1R5 b - - 0 1";
    let output = run(&["uci", "--tables", tables], format!("position fen {only}\ngo depth 2\n").as_bytes());
    let told = text(&output);
    assert!(told.contains("no value is known of c2c1"), "{told}");
    assert!(told.contains("bestmove c2c1"), "{told}");
}
