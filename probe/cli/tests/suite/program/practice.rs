//! `research practice`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{errors, run, text};

/// Games of endings: the players, the position, the moves and the result.
const GAMES: [(&str, &str, &str, &str); 15] = [
    ("Som - Chai", "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", "1. Rxe3+ Kf4", "1/2-1/2"),
    ("Chai - Som", "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", "1. Kb1", "*"),
    ("Som - Chai", "6K1/5s2/8/3R4/5k2/8/8/8 w - - 0 1", "1. Kh8", "*"),
    ("Som - Chai", "8/8/8/3P4/8/4k3/8/KR6 w - - 0 1", "1. d6=M", "1/2-1/2"),
    ("Som - Chai", "8/8/8/4k3/8/8/8/R3K2R w - - 0 1", "1. Kd2", "1/2-1/2"),
    ("Som - Chai", "8/8/8/4k3/8/8/8/R3K2R w - - 0 1", "1. Rb1", "1/2-1/2"),
    // All men are kept, and White mates with the last move that is left.
    ("Som - Chai", "8/8/8/4k3/8/8/8/R3K2R w - - 0 1", "1. Ra5+ Kd6 2. Rh6+ Kc7 3. Ra7+ Kb8 4. Re7 Ka8 5. Rh8#", "*"),
    ("Som - Chai", "k7/7R/1K6/8/8/8/8/8 w - - 0 1", "1. Rb7", "1-0"),
    ("Som - Chai", "2k5/7R/8/2K5/8/8/8/8 w - - 0 1", "1. Rd7 Kxd7", "1-0"),
    ("Som - Chai", "2k5/7R/8/2K5/8/8/8/8 w - - 0 1", "1. Rg7 Kb8 2. Rh7 Kc8 3. Rg7 Kb8 4. Rh7 Kc8 5. Rd7", "1-0"),
    ("Som - Chai", "2k5/7R/8/2K5/8/8/8/8 w - - 0 1", "1. Rg7", "0-1"),
    ("Chai - Som", "8/8/8/2k5/8/2K3n1/7R/8 b - - 0 1", "1... Nh5 2. Rxh5+", "1-0"),
    ("Chai - Som", "8/8/8/2k5/8/2K3n1/7R/8 b - - 0 1", "1... Nf1", "*"),
    ("Chai - Som", "8/8/8/2k5/8/2K3n1/7R/8 b - - 0 1", "1... Ne4+", "1-0"),
    ("Chai - Som", "8/8/8/4k3/8/8/1R6/R3KN2 w - - 0 1", "1. Kd2", "1-0"),
];

/// The columns of each row that are not 0.
fn rows(csv: &str) -> BTreeMap<String, String> {
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let row = |line: Vec<&str>| {
        let cells = head.iter().zip(&line).skip(1).filter(|(_, cell)| **cell != "0");
        (line[0].to_owned(), cells.map(|(name, cell)| format!("{name}={cell}")).collect::<Vec<_>>().join(" "))
    };
    lines.map(row).collect()
}

fn as_rows(rows: &[(&str, &str)]) -> BTreeMap<String, String> {
    rows.iter().map(|&(ending, row)| (ending.to_owned(), row.to_owned())).collect()
}

#[test]
fn endings_of_games_are_counted_with_the_causes_of_their_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(folder.path().join("readme.md"), "1. Kh9").unwrap();
    for (at, (players, fen, moves, result)) in GAMES.iter().enumerate() {
        let (white, black) = players.split_once(" - ").unwrap();
        let game = format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n"
        );
        fs::write(folder.path().join(format!("{}{at}.pgn", if at < 7 { "" } else { "more/" })), game).unwrap();
    }
    let practice = |more: &[&str]| {
        let output = run(&[&["research", "practice", "--quiet", folder.path().to_str().unwrap()], more].concat(), b"");
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ""));
        text(&output).to_owned()
    };
    let both = as_rows(&[
        (
            "KRvK",
            "games=6 reached_won=5 won=1 reached_drawn=1 wins_given=4 win_stalemated=1 win_left_a_man=1 win_repeated=1 win_ended_early=1",
        ),
        ("KRRvK", "games=3 reached_won=3 won=1 wins_given=2 win_one_move_late=1 win_too_slow=1"),
        (
            "KRvKS",
            "games=3 reached_won=3 without_result=2 wins_given=3 win_took_last_man=1 win_left_a_man=1 win_allowed_count=1",
        ),
        ("KRvKN", "games=3 reached_drawn=3 draws_given=3 draw_left_a_man=1 draw_ended_early=1 draw_other=1"),
        ("KRPvK", "games=1 reached_won=1 wins_given=1 win_promoted=1"),
        ("KRMvK", "games=1 reached_drawn=1"),
        ("KRRNvK", "games=1 unjudged=1"),
    ]);
    assert_eq!(rows(&practice(&["--csv"])), both);
    assert_eq!(practice(&["--csv", "--threads", "1"]), practice(&["--csv", "--threads", "3"]));

    let of_chai = rows(&practice(&["--csv", "--player", " CHAI"]));
    assert_eq!(of_chai["KRvKN"], "games=3 reached_drawn=3");
    assert_eq!(of_chai["KvKRR"], "games=3");
    assert_eq!(of_chai["KvKR"], "games=5 reached_drawn=1");
    assert!(!of_chai.contains_key("KRRvK"));

    let table = practice(&[]);
    let line = table.lines().find(|line| line.starts_with("KRvKN")).unwrap();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>().join(" "),
        "KRvKN 3 0 0 0 3 0 3 draw: left a man 1, ended early 1, other 1"
    );
    assert!(table.contains("\n15 games. "), "{table}");
}

#[test]
fn the_games_of_playok_are_counted_as_the_manual_says() {
    // MAKRUK_TABLES is a folder with all tables of five men; without it, the rows of up to four men are compared.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let given = std::env::var_os("MAKRUK_TABLES").map(PathBuf::from);
    let four_men =
        || test_tables::usual(test_tables::materials(&["KSMvK", "KMMvK", "KMPvK", "KNvKM"])).path().to_owned();
    let tables = given.clone().unwrap_or_else(four_men);
    let games = format!("{root}/tests/data/playok");
    let output = run(&["research", "practice", "--quiet", "--tables", tables.to_str().unwrap(), &games], b"");
    assert_eq!((output.status.code(), errors(&output)), (Some(0), ""));
    let manual = fs::read_to_string(format!("{root}/probe/research/README.md")).unwrap();
    let (_, shown) = manual.split_once("tests/data/playok\n").unwrap();
    let rows = |text: &str| {
        let rows = text.lines().take_while(|line| !line.starts_with("9 games. ")).map(str::to_owned);
        let men = |row: &String| row.split(' ').next().unwrap().len() - 1;
        rows.filter(|row| given.is_some() || men(row) <= 4).collect::<Vec<_>>()
    };
    assert!(rows(shown).len() >= 4, "{shown}");
    assert_eq!(rows(text(&output)), rows(shown));
}
