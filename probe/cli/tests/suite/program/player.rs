//! The player by the tables: it chooses the moment of promotion.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use makruk_format::TableFolder;
use makruk_tables::value::Metric;

use super::{command, run, text};

/// Promoting at once begins a count that leaves White twelve moves, and thirteen are needed.
const PAWN: &str = "8/8/8/3P4/8/4k3/8/KR6 w";

fn answers(protocol: &str, commands: &str) -> String {
    let output = run(&[protocol], commands.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    text(&output).to_owned()
}

/// The words after a word that begins a line.
fn after<'a>(answers: &'a str, word: &str) -> Vec<&'a str> {
    answers.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')?.split(' ').next()).collect()
}

#[test]
fn promotion_waits_until_the_count_leaves_enough_moves() {
    let commands = format!(
        "position fen {PAWN} - - 0 1\ngo\nposition fen {PAWN} - 128 9 1 moves b1b4 e3d2\ngo\n\
         position fen {PAWN} moves d5d6m\ngo\nposition fen {PAWN} moves b1b4 e3d2 d5d6\nd\n"
    );
    let told = answers("uci", &commands);
    assert_eq!(after(&told, "bestmove")[..2], ["b1b4", "d5d6m"], "{told}");
    for part in [
        "KRPvK: White wins. No count runs while a pawn is on the board. White needs 2 moves to mate or to promote ",
        "score cp 15997 ",
        "White needs 1 move to mate or to promote or take the last pawn in time. Without a count White mates in 11.",
        "score mate 11 ",
        // After the promotion that came too early.
        "KRMvK: a draw by the count. Black has counted 4 of 16 moves; White has 12 left and needs 13 moves to mate.",
        "fen 8/8/3M4/8/1R6/8/3k4/K7 b - 32 8 2",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let told = answers("uci", &format!("setoption name MakrukUseCount value false\nposition fen {PAWN}\ngo\n"));
    assert!(told.contains("KRPvK: without a count White mates in 12.") && told.contains("score mate 12 "), "{told}");
    let told = answers("uci", &format!("position fen {PAWN}\ngo searchmoves d5d6m\n"));
    assert_eq!(after(&told, "bestmove"), ["d5d6m"]);
    assert!(told.contains("score cp 30 "), "{told}");
}

#[test]
fn xboard_has_the_same_moves() {
    let mut player = command(&["xboard"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (player.stdin.take().unwrap(), player.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines().map(Result::unwrap);
    // The position as XBoard writes it.
    for (commands, expected) in [
        (format!("force\nsetboard {PAWN} 0 1\ngo\n"), "move b1b4"),
        ("usermove e3d2\n".to_owned(), "move d5d6m"),
        (format!("force\nsetboard {PAWN} 0 1\nusermove d5d6\nusermove e3d4\nusermove d6e5m\n"), "Illegal move"),
    ] {
        input.write_all(commands.as_bytes()).unwrap();
        assert!(lines.any(|line| line.starts_with(expected)), "{expected}");
    }
    input.write_all(b"quit\n").unwrap();
    assert!(player.wait().unwrap().success());
}

#[test]
fn the_search_probes_positions_with_pawns() {
    // No table has the five men; taking the met leads to KRPvK.
    let told = answers("uci", "position fen 8/8/8/3P4/8/4k3/1m6/KR6 w\ngo depth 2\n");
    assert!(told.contains("the tables do not judge this position, so it is searched"), "{told}");
    assert_wins_by_tables(&told);
}

/// The last line of a search tells hits and a win by tables.
fn assert_wins_by_tables(told: &str) {
    let line = told.lines().rfind(|line| line.starts_with("info depth")).unwrap();
    let number = |word: &str| -> i32 {
        let mut words = line.split(' ').skip_while(|found| *found != word);
        words.nth(1).unwrap().parse().unwrap()
    };
    assert!(number("tbhits") > 0 && number("cp") > 15_000, "{line}");
}

#[test]
fn the_search_needs_category_tables_alone() {
    let material = test_tables::materials(&["KRvKM"]);
    let place = test_tables::own(&test_tables::usual(material.clone()), material);
    let folder = TableFolder::create(place.path()).unwrap();
    for table in folder.list().unwrap().into_iter().filter(|table| table.metric != Metric::Category) {
        std::fs::remove_file(place.path().join(table.to_string())).unwrap();
    }
    let tables = place.path().to_str().unwrap();
    let search = |fen: &str| {
        let output = run(&["uci", "--tables", tables], format!("position fen {fen}\ngo depth 3\n").as_bytes());
        text(&output).to_owned()
    };
    assert_wins_by_tables(&search("8/8/8/8/8/4m1k1/4R3/K7 w - - 0 1"));
    // The count that the capture begins leaves 13 moves; the one that runs leaves none before it.
    let late = search("8/8/8/8/8/6k1/4R3/K3m3 b - 128 128 1");
    assert!(late.contains("score cp 0 "), "{late}");
}
