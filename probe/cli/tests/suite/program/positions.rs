//! `query`, and the exit statuses of all commands.

use std::process::Command;

use super::{common, errors, objects, run, text};

const EXAMPLE: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";

#[test]
fn every_bad_position_gets_its_error_and_the_run_goes_on() {
    let bad = [
        ("KRRvKR", "bad_fen", "`makruk-gen info KRRvKR`"),
        ("a/game.pgn", "bad_fen", "`makruk-probe analyse FILE`"),
        ("8/8/8/8/8/4s1k1/4R3/8 w - - 0 1", "illegal_position", "White has no king"),
        ("8/8/8/8/8/k7/n7/KRR5 w - - 0 1", "missing_table", "`makruk-gen build KRRvKN`"),
    ];
    let mut input = Vec::new();
    for (fen, _, _) in bad {
        input.extend_from_slice(format!("{fen}\n{EXAMPLE}\n# a comment\n\n").as_bytes());
    }
    let long = "8/".repeat(1000);
    input.extend_from_slice(format!("{long}\n\u{e2a}\n").as_bytes());
    input.extend_from_slice(b"\xff\xfe\n");
    input.extend_from_slice(EXAMPLE.as_bytes());
    let output = run(&["query", "--json"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers = objects(&output);
    assert_eq!(answers.len(), 2 * bad.len() + 4);
    for (at, ((fen, reason, names), pair)) in bad.into_iter().zip(answers.chunks(2)).enumerate() {
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{fen} {}", pair[0]));
        assert_eq!(pair[0]["reason"], reason, "{fen}: {error}");
        assert!(error.contains(names), "{fen}: {error}");
        assert_eq!(pair[0]["line"], 1 + 4 * at, "{fen}");
        assert!(pair[0]["fen"].as_str().unwrap().starts_with(fen));
        assert_eq!(pair[1]["category"], "win");
    }
    let rest = &answers[2 * bad.len()..];
    assert!(rest[0]["error"].as_str().unwrap().contains("2000 bytes"), "{}", rest[0]);
    assert!(rest[..3].iter().all(|error| error["reason"] == "bad_fen"));
    assert_eq!(rest[3]["category"], "win");
    let output = run(&["query"], &input);
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output).contains("(illegal_position)"), "failures go to standard error");
    assert_eq!(errors(&output).lines().count(), bad.len() + 3, "a line each: {}", errors(&output));
    assert!(errors(&output).lines().all(|line| line.starts_with("makruk-probe query: line ")), "{}", errors(&output));
    assert!(errors(&output).starts_with("makruk-probe query: line 1: \"KRRvKR\": "), "{}", errors(&output));
    assert!(errors(&output).contains(": \"\u{e2a}\": rank 8"), "{}", errors(&output));
    assert!(errors(&output).contains("(illegal_position)"));
    assert_eq!(text(&output).matches("White wins").count(), bad.len() + 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_may_have_little_memory_answers() {
    let query = format!("ulimit -v 80000; exec {} query '{EXAMPLE}'", env!("CARGO_BIN_EXE_makruk-probe"));
    let output = Command::new("sh").args(["-c", &query]).env("MAKRUK_TABLES", common::folder()).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
}

/// The text about positions, with line ends as spaces.
fn read_aloud(fens: &[&str]) -> String {
    let output = run(&[&["query"], fens].concat(), b"");
    text(&output).replace('\n', " ")
}

#[test]
fn people_are_told_in_sentences() {
    for (fens, parts) in [
        (
            &[EXAMPLE][..],
            &[
                "KRvKS, White to move: White wins (win) If Black begins to count now, White has 65 moves and needs 23 moves \
                 to mate or to take Black's last piece in time. Without a count White mates in 16.",
                " 3  . . . . s . k .",
                "needed     White's further moves to mate, or to take Black's last piece in time \
                 left       White's further moves under the count \
                 uncounted  White's further moves to mate if nobody counts \
                 \u{20}        needed  left  uncounted 4 of 12 moves win   Re1        22    64         30",
                "1 of 12 moves draws by the count   Rxe3+      15    13         15  takes the last piece, a count begins",
                "7 of 12 moves draw: Ka2, Kb1, Kb2, Rd2, Rf2, Rg2+, Rh2",
                "23. Rxh3 (a count begins: 13 moves",
                "Ra8#",
            ][..],
        ),
        (
            &["8/8/8/3P4/8/4k3/8/KR6 w - 128 7 1"],
            &[
                "8/8/8/3P4/8/4k3/8/KR6 w - - 0 1",
                "No count runs while a pawn is on the board. White needs 2 moves to mate or to promote or take the last pawn \
                 in time. Without a count White mates in 12.",
                "Rb4        1               11",
                "1 of 16 moves draws by the count   d6=M      13    12         13  promotes the last pawn, a count begins",
                "2. d6=M (a count begins: 12 moves left)",
            ],
        ),
        (
            &["8/8/8/8/8/1P6/R1k5/K7 b"],
            &[
                "White can neither mate nor promote or take the last pawn in time (on the best line 1 move short).",
                "Kxb3      15    14         15  takes the last pawn, a count begins",
            ],
        ),
        (
            &["8/8/8/3k4/8/8/1R6/K7 b - 32 29 40"],
            &[
                "KRvK, Black to move: a draw by the count (blessed-loss) Black has counted 14 of 16 moves; White has 2 left and \
                 needs 16 moves to mate, 14 too many.",
                "needed     White's further moves to mate left       White's further moves under the count",
                "        needed  left All 8 moves draw by the count",
                "(the count is full: a draw)",
            ],
        ),
        (
            &["8/8/8/8/8/4s1k1/4R3/K7 w 0 1"],
            &["Note: the four fields were read as board, side, half-move clock and move number"],
        ),
        // The count has run out, and a mate does not change that unless it came with the last move.
        (&["k7/8/1K6/8/8/8/1R6/8 w - 32 33 1"], &["White to move: a draw, the count has run out (cursed-win)"]),
        (&["k6R/8/K7/8/8/8/8/8 b - 32 33 1"], &["Black to move: Black is mated, White has won (loss)"]),
        (&["k6R/8/K7/8/8/8/8/8 b - 32 34 1"], &["Black to move: a draw, the count had run out before Black was mated"]),
        (&["k7/8/8/8/8/8/8/7K w"], &["White to move: a draw Neither side can mate, even if the other helps."]),
    ] {
        let said = read_aloud(fens);
        for part in parts {
            assert!(said.contains(part), "{part} in {said}");
        }
        assert!(!said.contains("No count is running"), "{said}");
        assert!(!said.contains(" plies"), "people count in moves: {said}");
    }
}

#[test]
fn an_option_that_changes_nothing_says_so() {
    let fen = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
    let (plain, moves) = (run(&["query", fen], b""), run(&["query", "--moves", fen], b""));
    assert_eq!((text(&plain), moves.status.code()), (text(&moves), Some(0)));
    assert!(errors(&moves).contains("--moves changes nothing without --json"), "{}", errors(&moves));
}

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
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot build KRvKS"));
}

#[test]
fn a_map_has_the_results_of_each_square() {
    let map = ["query", "--map", "e2", EXAMPLE];
    let squares = objects(&run(&[&map[..], &["--json"]].concat(), b""));
    let fens: Vec<&str> = squares.iter().map(|square| square["fen"].as_str().unwrap()).collect();
    let answers = objects(&run(&["query", "--json"], fens.join("\n").as_bytes()));
    let letter = |answer: &serde_json::Value| {
        let winner = if answer["side"] == "white" { ["W", "B"] } else { ["B", "W"] };
        match answer["category"].as_str().unwrap() {
            "win" => winner[0].to_owned(),
            "loss" => winner[1].to_owned(),
            "cursed-win" => winner[0].to_lowercase(),
            "blessed-loss" => winner[1].to_lowercase(),
            _ => "=".to_owned(),
        }
    };
    let shown = run(&map, b"");
    let rows: Vec<&str> = text(&shown).lines().skip(5).take(8).collect();
    for (mut square, answer) in squares.iter().cloned().zip(answers) {
        let name = square.as_object_mut().unwrap().remove("square").unwrap();
        assert_eq!(square, answer, "{name}");
        let [file, rank] = name.as_str().unwrap().as_bytes() else { panic!("{name}") };
        let cells = rows[usize::from(b'8' - rank)];
        let cells = if answer["side"] == "white" { &cells[3..27] } else { &cells[31..] };
        let at = 3 * usize::from(file - b'a') + 1;
        assert_eq!(cells.get(at..=at), Some(letter(&answer).as_str()), "{name} in {cells}");
    }
    // With White to move: not three squares of men, nor the nine from which the rook gives check. Else: not three.
    assert_eq!(squares.len(), 64 - 3 - 9 + 64 - 3);
    let none = run(&["query", "--map", "e5", EXAMPLE], b"");
    assert!(errors(&none).contains("no man stands on e5"), "{}", errors(&none));
    assert_eq!(none.status.code(), Some(2));
}
