//! `analyse`.

use std::collections::HashSet;

use makruk_rules::{CountingRules, Fen, Move, Role};
use serde_json::{Value, json};

use super::{errors, objects, run, text};

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
    let output = run(&["analyse", "-"], GAMES.as_bytes());
    assert_eq!(output.status.code(), Some(1), "the third game can't be read");
    let text = text(&output);
    for part in
        ["Game 1: A - B, 3 moves", "(Re1 is 1 move faster)", "`makruk-gen build KRRvKN` makes it", "White gave away"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    let said = super::errors(&output);
    assert!(said.starts_with("makruk-probe analyse: standard input: game 3, line ") && said.contains("Zz9"), "{said}");
}

#[test]
fn the_verdict_of_a_move_is_that_after_it_and_the_moves_left_fall_one_by_one() {
    let game = "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n1. Re1 Kf2 2. Rb1 Sd4 3. Rd1 Ke2 4. Rxd4 Ke3 5. Rd8 *\n";
    let output = run(&["analyse", "-"], game.as_bytes());
    let text = text(&output);
    let expected = "start          White wins: needs 23, 65 left
1. Re1         White wins: needs 22, 64 left
1... Kf2       White wins: needs 22, 64 left
2. Rb1         White wins: needs 21, 63 left
2... Sd4       White wins: needs 21, 63 left
3. Rd1?        White wins: needs 27, 62 left  (Rb3 is 7 moves faster)
3... Ke2?      White wins: needs 1, 62 left  (Ke3 lasts 26 moves longer)
4. Rxd4        White wins: needs 12, 13 left
4... Ke3       White wins: needs 12, 13 left
5. Rd8??       a draw by the count: White needs 15, 12 left  (Rb4 wins)
";
    assert!(text.contains(expected), "{text}");
}

/// Moves that take nothing and repeat no position, then one that takes the khon.
fn quiet_game(start: &str, plies: usize) -> String {
    let mut fen: Fen = start.parse().unwrap();
    let mut seen = HashSet::from([fen.position.clone()]);
    let mut text = format!("[FEN \"{start}\"]\n[Result \"1-0\"]\n\n");
    for ply in 0.. {
        let takes = |mv: &Move| fen.position.captured(*mv).is_some();
        let moves = fen.position.legal_moves();
        let quiet = |mv: &&Move| {
            let after = fen.position.play(**mv);
            let keeps =
                after.legal_moves().iter().all(|mv| after.captured(*mv).is_none_or(|man| man.role != Role::Rook));
            !takes(mv) && keeps && after.has_legal_move() && !seen.contains(&after)
        };
        let taking = moves.iter().find(|mv| ply >= plies && takes(mv));
        let quiet: Vec<&Move> = moves.iter().filter(quiet).collect();
        let &mv = taking.unwrap_or_else(|| quiet[7 * ply % quiet.len()]);
        text += &format!("{} ", mv.to_san(&fen.position));
        fen = fen.play(&CountingRules::MAKRUK, mv);
        seen.insert(fen.position.clone());
        if taking.is_some() {
            return text + "1-0\n";
        }
    }
    unreachable!("a rook takes a khon sooner or later")
}

#[test]
fn a_count_that_nobody_wrote_is_said_and_may_be_left_out() {
    let game = quiet_game("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", 140);
    let supposed = "no count is written: board's honour is supposed to be counted from move 1 on, and draws only if it was claimed";
    let left_out = "board's honour is taken as unclaimed from move 1 on: each verdict is for a count that begins there";
    let analysed = |arguments: &[&str]| {
        let output = run(&[&["analyse"], arguments, &["-"]].concat(), game.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", super::errors(&output));
        output
    };
    let (with, without) = (analysed(&[]), analysed(&["--unclaimed"]));
    assert!(text(&with).contains(&format!("\n  {supposed}\n")), "{}", text(&with));
    assert!(text(&with).contains("a draw, the count has run out"));
    assert!(text(&without).contains(&format!("\n  {left_out}\n")), "{}", text(&without));
    assert!(!text(&without).contains("the count has run out"));
    for (arguments, note) in [(&["--json"][..], supposed), (&["--json", "--unclaimed"], left_out)] {
        let output = analysed(arguments);
        let objects = super::objects(&output);
        let [positions @ .., summary] = &objects[..] else { panic!("no summary") };
        // The result may be right: nobody need have counted.
        assert_eq!(summary["summary"]["notes"], json!([note]));
        let last = positions.last().unwrap();
        let unclaimed = if arguments.len() == 1 { &last["unclaimed_fen"] } else { &last["fen"] };
        assert!(unclaimed.as_str().unwrap().contains(" b - 32 6 "), "{last}");
        assert_eq!(last["fen"].as_str().unwrap().contains(" b - 128 "), arguments.len() == 1, "{last}");
    }
}

#[test]
fn a_result_that_is_not_that_of_the_board_is_said() {
    let game = "[FEN \"k7/8/1K6/8/8/8/8/7R w - 32 7 1\"]\n[Result \"0-1\"]\n\n1. Rh8# 0-1\n";
    let said = "the result is 0-1, but that of the board is 1-0 after 1. Rh8#: Black is mated";
    let output = run(&["analyse", "-"], game.as_bytes());
    assert!(text(&output).contains(&format!("Game 1: 0-1, 1 move\n  {said}\n")), "{}", text(&output));
    let objects = super::objects(&run(&["analyse", "--json", "-"], game.as_bytes()));
    assert_eq!(objects.last().unwrap()["summary"]["notes"], json!([said]));
}

#[test]
fn files_in_other_encodings_are_read() {
    let game =
        "[White \"\u{e02}\u{e32}\u{e27}\"]\r\n[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w 0 1\"]\r\n\r\n1. \u{e23}x\u{e08}3 *\r\n";
    let utf16 = [0xfeff].into_iter().chain(game.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    // A Thai letter's place in Windows-874 is 0xa0 after its place in the Thai block of Unicode.
    let thai = game.chars().map(|letter| u8::try_from(letter).unwrap_or_else(|_| (letter as u32 - 0xe00 + 0xa0) as u8));
    for (bytes, is_guess) in [(game.as_bytes().to_vec(), false), (utf16, false), (thai.collect(), true)] {
        let output = run(&["analyse", "-"], &bytes);
        let text = text(&output);
        assert!(text.contains("Game 1: \u{e02}\u{e32}\u{e27} - ?") && text.contains("Rxe3+"), "{text}");
        assert!(text.contains("line 2: the four fields were read as board, side, half-move clock"), "{text}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.contains("it was read as Windows-874"), is_guess, "{said}");
    }
}

#[test]
fn what_is_not_a_game_is_refused() {
    const POSITION: &str = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
    for (text, said) in [
        ("", "the text has no game: expected PGN"),
        ("{a comment}\n", "the text has no game"),
        ("{\"moves\": [\"e3e4\"]}", "the text is JSON: expected PGN"),
        (&format!("{POSITION}\n"), "makruk-probe query \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"` prints its verdict"),
        ("[Variant \"Makpong\"]\n\n1. e4 *", "the Variant tag is \"Makpong\": only games of Makruk are read"),
        ("1. Rb2 *", "has no FEN tag, so it begins from the initial array"),
        ("1. \u{e21}\u{e29}3 *", "\"\u{e21}\u{e29}3\" is not a move"),
    ] {
        for arguments in [&["analyse", "-"][..], &["analyse", "--json", "-"]] {
            let output = run(arguments, text.as_bytes());
            assert_eq!(output.status.code(), Some(1), "{text}");
            let printed = super::text(&output).replace("\\\"", "\"") + super::errors(&output);
            assert!(printed.contains(said), "{text}: {printed}");
        }
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
    let output = run(&["analyse", "-"], game.as_bytes());
    assert_eq!(text(&output).matches("the same position for the third time: a draw").count(), 4);
    assert!(text(&output).contains("From 5. on the game was drawn"), "{}", text(&output));
}

#[test]
fn mistakes_are_written_as_exercises_that_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mistakes.pgn");
    let game = "[White \"Anan \\\"A\\\"\"]\n[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 12\"]\n\n\
                12. Rd2 Kf4 13. Rd3 Sf2 14. Rd1 *\n\n\
                [Event \"Cup\"]\n[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n1. Rxe3+ *\n";
    let asked = |more: &[&str], input: &str| {
        let output = run(&[&["analyse", "--json"], more, &["-"]].concat(), input.as_bytes());
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ""));
        let is_mistake = |object: &Value| matches!(object["played"]["gave_away"].as_str(), Some("win" | "draw"));
        let mistake = |object: Value| (object["fen"].to_string(), object["played"].to_string());
        objects(&output).into_iter().filter(is_mistake).map(mistake).collect::<Vec<_>>()
    };
    let mistakes = asked(&["--exercises", path.to_str().unwrap()], game);
    assert!(mistakes.len() >= 3, "{mistakes:?}");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.starts_with("[Event \"Anan A - ?\"]\n") && written.contains("\n\n12. Rd2?? *\n"), "{written}");
    assert!(written.contains("[Event \"Cup\"]\n") && written.contains("\n\n12... Kf4?? *\n"), "{written}");
    assert_eq!(asked(&[], &written), mistakes, "{written}");

    let output = run(&["analyse", "--exercises", "/nowhere/mistakes.pgn", "-"], game.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("--exercises: cannot write /nowhere/mistakes.pgn"), "{}", errors(&output));
}

#[test]
fn files_and_folders_of_games_are_analysed_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("club");
    std::fs::create_dir(&within).unwrap();
    let game = |moves: &str| format!("[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n{moves} *\n");
    std::fs::write(within.join("b.txt"), game("1. Re1")).unwrap();
    std::fs::write(folder.path().join("a.PGN"), game("1. Rd2")).unwrap();
    std::fs::write(folder.path().join("notes.md"), "no game").unwrap();
    let (path, lost) = (folder.path().to_str().unwrap(), folder.path().join("lost.pgn"));
    let output = run(&["analyse", "--json", path, lost.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("lost.pgn"), "{}", errors(&output));
    let played = |object: &Value| object["file"].as_str().or(object["played"]["san"].as_str()).map(str::to_owned);
    let found: Vec<String> = objects(&output).iter().filter_map(played).collect();
    let file = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(found, [file("a.PGN"), "Rd2".to_owned(), file("club/b.txt"), "Re1".to_owned()]);
    let output = run(&["analyse", path], b"");
    assert_eq!((output.status.code(), errors(&output)), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("After each move:").count(), 1, "{text}");
    assert!(text.find("== ").unwrap() < text.find("1. Rd2").unwrap(), "{text}");

    std::fs::remove_file(folder.path().join("a.PGN")).unwrap();
    std::fs::remove_dir_all(within).unwrap();
    let output = run(&["analyse", path], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("no file of games"), "{}", errors(&output));
}

#[cfg(unix)]
#[test]
fn a_file_with_a_hostile_name_or_without_end_is_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let game = "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n\n1. Re1 *\n";
    for name in ["\u{1b}[2Ja.pgn", "b\u{202e}.pgn"] {
        std::fs::write(folder.path().join(name), game).unwrap();
    }
    let output = run(&["analyse", folder.path().to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let text = text(&output);
    assert!(text.contains("\\u{1b}[2Ja.pgn") && text.contains("b\\u{202e}.pgn"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");

    let output = run(&["analyse", "/dev/zero"], b"");
    assert_eq!((output.status.code(), errors(&output).contains("has more than 256 MiB")), (Some(1), true));
}
