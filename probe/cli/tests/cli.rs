//! The command line, run as users run it.
#![allow(clippy::unwrap_used)]

#[path = "../../tests/common/mod.rs"]
mod common;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_makruk-probe"))
        .args(arguments)
        .env("MAKRUK_TABLES", common::folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

const EXAMPLE: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

#[test]
fn json_has_the_names_that_others_rely_on() {
    let output = run(&["query", "--json", "--moves", "8/8/8/8/8/4b1k1/4R3/K7 w"], b"");
    assert_eq!(output.status.code(), Some(0));
    let answer = &objects(&output)[0];
    let keys: Vec<_> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected =
        ["fen", "material", "side", "category", "dtm", "dtz", "count", "checkmate", "stalemate", "moves"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(answer["fen"], EXAMPLE);
    assert_eq!((&answer["material"], &answer["side"]), (&"KRvKS".into(), &"white".into()));
    assert_eq!((&answer["category"], &answer["dtm"], &answer["dtz"]), (&"win".into(), &31.into(), &45.into()));
    assert_eq!((&answer["checkmate"], &answer["stalemate"]), (&false.into(), &false.into()));
    assert_eq!(
        answer["count"],
        serde_json::json!({"rule": "none", "limit": null, "ply": null, "attacker_moves_left": 65})
    );
    let capture = answer["moves"].as_array().unwrap().iter().find(|mv| mv["uci"] == "e2e3").unwrap();
    assert_eq!(
        *capture,
        serde_json::json!({"uci": "e2e3", "san": "Rxe3+", "category": "cursed-win", "dtm": 31, "dtz": null,
            "capture": true, "zeroing": true})
    );
    // A running count, from the other side; mate; two kings.
    let output = run(
        &[
            "query",
            "--json",
            "8/8/8/8/8/4s1k1/4R3/K7 b - 128 7 4",
            "R5k1/8/6K1/8/8/8/8/8 b - 32 33 9",
            "k7/8/8/8/8/8/8/7K w",
        ],
        b"",
    );
    let answers = objects(&output);
    let count = &answers[0]["count"];
    assert_eq!((&count["rule"], &count["limit"], &count["ply"]), (&"board".into(), &128.into(), &7.into()));
    let mate = &answers[1];
    assert_eq!(
        (&mate["category"], &mate["checkmate"], &mate["dtm"], &mate["dtz"]),
        (&"loss".into(), &true.into(), &0.into(), &0.into())
    );
    assert_eq!((&mate["count"]["rule"], &mate["count"]["attacker_moves_left"]), (&"pieces".into(), &0.into()));
    assert_eq!((&answers[2]["material"], &answers[2]["category"]), (&"KvK".into(), &"draw".into()));
    assert_eq!(answers[2]["count"]["attacker_moves_left"], Value::Null);
}

#[test]
fn every_bad_position_gets_its_error_and_the_run_goes_on() {
    let bad = [
        ("", "bad_fen", "empty"),
        ("8/8/8/8/8/4s1k1/4R3/K7", "bad_fen", "side to move"),
        ("8/8/8/8/8/4s1k1/4R3 w", "bad_fen", "ranks"),
        ("8/8/8/8/8/4s1k1/4R3/K6 w - - 0 1", "bad_fen", "rank 1"),
        ("8/8/8/8/8/4x1k1/4R3/K7 w - - 0 1", "bad_fen", "rank 3"),
        ("8/8/8/8/8/4s1k1/4R3/K7 x - - 0 1", "bad_fen", "side to move"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1 more", "bad_fen", "seventh"),
        ("8/8/8/8/8/4s1k1/4R3/8 w - - 0 1", "illegal_position", "White has no king"),
        ("8/8/8/8/8/4s1k1/4R3/KK6 w - - 0 1", "illegal_position", "king"),
        ("8/8/8/8/8/8/1k6/K6R w - - 0 1", "illegal_position", "touch"),
        ("8/8/8/8/8/4s1k1/6R1/K7 w - - 0 1", "illegal_position", "in check"),
        ("8/8/8/8/6k1/8/8/KRRR4 w - - 0 1", "illegal_position", "rook"),
        ("8/8/8/8/6k1/8/MMMMMMMM/KMM5 w - - 0 1", "illegal_position", "mets"),
        ("8/8/8/8/6k1/P7/8/K7 w - - 0 1", "has_pawns", "pawns"),
        ("8/8/P7/8/6k1/8/8/K7 w - - 0 1", "illegal_position", "a6"),
        ("8/8/8/8/6k1/8/MMMMMM2/K7 w - - 0 1", "too_many_men", "8 men"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - -1 0 1", "bad_count", "LIMIT"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - x 0 1", "bad_count", "LIMIT"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 10000 0 1", "bad_count", "LIMIT"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 -3 1", "bad_count", "PLY"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 10000 1", "bad_count", "PLY"),
        ("8/8/8/8/8/k7/n7/KRR5 w - - 0 1", "missing_table", "`makruk-gen build KRRvKN`"),
    ];
    let mut input = Vec::new();
    for (fen, _, _) in bad {
        input.extend_from_slice(format!("{fen}\n{EXAMPLE}\n").as_bytes());
    }
    let long = "8/".repeat(1000);
    input.extend_from_slice(format!("{long}\n\u{e2a}\n").as_bytes());
    input.extend_from_slice(b"\xff\xfe\n");
    input.extend_from_slice(EXAMPLE.as_bytes());
    let output = run(&["query", "--json"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers = objects(&output);
    assert_eq!(answers.len(), 2 * bad.len() + 4);
    for ((fen, reason, names), pair) in bad.into_iter().zip(answers.chunks(2)) {
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{fen} {}", pair[0]));
        assert_eq!(pair[0]["reason"], reason, "{fen}: {error}");
        assert!(error.contains(names), "{fen}: {error}");
        assert!(pair[0]["fen"].as_str().unwrap().starts_with(fen));
        assert_eq!(pair[1]["category"], "win");
    }
    let rest = &answers[2 * bad.len()..];
    assert!(rest[0]["error"].as_str().unwrap().contains("2000 bytes"), "{}", rest[0]);
    assert!(rest[..3].iter().all(|error| error["reason"] == "bad_fen"));
    assert_eq!(rest[3]["category"], "win");
    // The same for people: nothing but the errors differs.
    let output = run(&["query"], &input);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("(illegal_position)"));
    assert_eq!(text(&output).matches("White wins").count(), bad.len() + 1);
}

#[test]
fn folders_that_are_none() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for (folder, says) in [("/nonexistent/tables", "does not exist"), (file.path().to_str().unwrap(), "no folder")] {
        let output = run(&["query", "--json", "--tables", folder, EXAMPLE, "k7/8/8/8/8/8/8/7K w"], b"");
        assert_eq!(output.status.code(), Some(1));
        let answers = objects(&output);
        assert_eq!(answers[0]["reason"], "missing_table");
        assert_eq!(answers[0]["fen"], EXAMPLE);
        assert!(answers[0]["error"].as_str().unwrap().contains(says), "{}", answers[0]);
        assert_eq!(answers[1]["category"], "draw");
    }
}

#[test]
fn misuse_is_told_apart() {
    for arguments in [&["query", "--nonsense"][..], &[], &["analyse"], &["nonsense"]] {
        assert_eq!(run(arguments, b"").status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(run(&["analyse", "/nonexistent.pgn"], b"").status.code(), Some(1));
    assert_eq!(run(&["query", "--json"], b"").status.code(), Some(0));
}

#[test]
fn people_are_told_in_sentences() {
    let output = run(&["query", EXAMPLE], b"");
    let text = text(&output);
    for part in [
        " 3  . . . . s . k .",
        "KRvKS, White to move: win",
        "it decides in 23 moves",
        "Without the count: mate in 16 moves.",
        "Rxe3+  takes the last piece: 15 moves to mate, 13 left",
        "23. Rxh3 [a count begins: 13 moves",
    ] {
        assert!(text.replace('\n', " ").contains(part), "{part} in {text}");
    }
    assert!(text.contains("Ra8#"));
    let output = run(&["query", "8/8/8/3k4/8/8/1R6/K7 b - 32 29 40"], b"");
    let text = std::str::from_utf8(&output.stdout).unwrap();
    for part in
        ["KRvK, Black to move: blessed-loss", "the count leaves 2 moves", "Pieces' honour", "to the end of the count"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("decides"), "a bare king is mated or not: {text}");
}

#[cfg(feature = "build")]
#[test]
fn what_is_missing_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("new/tables");
    let output =
        run(&["query", "--build", "--json", "--tables", tables.to_str().unwrap(), "8/8/8/3k4/8/8/1R6/K7 w"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(objects(&output)[0]["dtm"].as_i64().unwrap() > 0);
    assert!(tables.join("KRvK.dtm").is_file());
    // A folder that can't be made: the position's own error follows.
    let file = tempfile::NamedTempFile::new().unwrap();
    let inside = file.path().join("tables");
    let output = run(&["query", "--build", "--json", "--tables", inside.to_str().unwrap(), EXAMPLE], b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(objects(&output)[0]["reason"], "missing_table");
    assert!(String::from_utf8_lossy(&output.stderr).contains("KRvKS could not be built"));
}

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

/// Everything that `research saves` says of some sets.
fn saves(arguments: &[&str]) -> Output {
    run(&[&["research", "saves", "--quiet"], arguments].concat(), b"")
}

#[test]
fn saves_are_listed_in_parts_and_after_breaks_as_in_one_go() {
    for format in [&["--format", "csv"][..], &["--brief"], &["--format", "epd", "--where", "unique and k=edge"]] {
        let ask = |more: &[&str]| {
            let output = saves(&[format, &["KRvKR", "KRvK"], more].concat());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            (text(&output).to_owned(), String::from_utf8(output.stderr).unwrap())
        };
        let (whole, said) = ask(&[]);
        assert!(whole.lines().count() > 100 && said.is_empty(), "{said}");
        let parts: String = (1..=3).map(|part| ask(&["--part", &format!("{part}/3"), "--threads", "1"]).0).collect();
        assert!(parts == whole, "{format:?}");
        let mut resumed = String::new();
        let mut from = None::<String>;
        loop {
            let limit = (whole.lines().count() / 3).to_string();
            let mut more = vec!["--limit", &limit];
            more.extend(from.iter().flat_map(|cursor| ["--from", cursor]));
            let (page, said) = ask(&more);
            resumed += &page;
            let Some(cursor) = said.trim().strip_prefix("makruk-probe research saves: go on with --from ") else {
                break;
            };
            from = Some(cursor.to_owned());
        }
        assert!(resumed == whole, "{format:?}");
        let half = from.unwrap();
        let (before, after) = (ask(&["--until", &half]).0, ask(&["--from", &half]).0);
        assert!(before + &after == whole);
        let counted = saves(&[&["--count"], format.get(2..).unwrap_or_default(), &["KRvKR", "KRvK"]].concat());
        let header = usize::from(format[1..] == ["csv"]);
        assert_eq!(text(&counted).trim(), (whole.lines().count() - header).to_string());
    }
    // One side alone, and images.
    let count = |more: &[&str]| text(&saves(&[&["--count", "KRvKS"], more].concat())).trim().parse::<u64>().unwrap();
    assert_eq!(count(&["--side", "white"]) + count(&["--side", "black"]), count(&[]));
    assert_eq!(count(&["--images"]), 2 * count(&[]), "no position with a khon is its own mirror image");
}

#[test]
fn saves_as_games_are_read_by_analyse() {
    let output = saves(&["--format", "pgn", "--where", "sacrifice=last and unique", "--limit", "5", "KRvKR"]);
    assert_eq!(text(&output).matches("[Event ").count(), 5);
    let analysed = run(&["analyse", "--json", "-"], &output.stdout);
    assert_eq!(analysed.status.code(), Some(0), "{}", String::from_utf8_lossy(&analysed.stdout));
    let objects = objects(&analysed);
    let first = objects.iter().find(|object| object["game"] == 1 && object["ply"] == 0).unwrap();
    assert_eq!((&first["category"], &first["played"]["gave_away"]), (&"blessed-loss".into(), &Value::Null));
    assert!(objects.iter().all(|object| object.get("error").is_none()));
}

#[test]
fn saves_that_make_no_sense_to_ask_for() {
    for (arguments, why) in [
        (&["--where", "short<= and", "KRvKR"][..], "column 9"),
        (&["--from", "KRvKR:white", "KRvKR"], "2 of the three fields"),
        (&["--from", "KRvK:white:0", "KRvKR"], "KRvK:white:0 is no place"),
        (&["--part", "4/3", "KRvKR"], "expected K/N"),
        (&["--side", "red", "KRvKR"], "expected white or black"),
        (&["--limit", "0", "KRvKR"], "1.."),
        (&["--brief", "--format", "pgn", "KRvKR"], "--brief tells no moves"),
        (&["KXvK"], "KXvK"),
        (&["KvK"], "always draw"),
        (&[], "<SET>"),
    ] {
        let output = saves(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why) && output.stdout.is_empty(), "{arguments:?}: {said}");
    }
    let output = saves(&["KNNvKS"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("makruk-gen build KNNvKS"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_scan_that_is_interrupted_says_where_to_go_on() {
    use std::io::{BufRead, BufReader, Read};

    let arguments = ["research", "saves", "--quiet", "--brief", "--threads", "1", "KRMvK"];
    let command = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
        command.args(arguments).args(more).env("MAKRUK_TABLES", common::folder());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut child = command(&[]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    // All that it will say fits no pipe: it is not at its end.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut before = first;
    output.read_to_string(&mut before).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8(ended.stderr).unwrap();
    let cursor = said.trim().strip_prefix("makruk-probe research saves: go on with --from ").unwrap();
    let after = command(&["--from", cursor]).output().unwrap();
    let whole = command(&[]).output().unwrap();
    assert!(before.len() < whole.stdout.len());
    assert!(before.as_bytes().iter().chain(&after.stdout).eq(&whole.stdout));
}
