//! Games, and what is noted about their counts and results.

use serde_json::{Value as Json, json};

use super::ask;

/// The only game of a text.
fn game(pgn: &str, unclaimed: bool) -> Json {
    let (status, games) = ask(json!({ "analyse": { "pgn": pgn, "unclaimed": unclaimed } }));
    assert_eq!(status, 200, "{games}");
    games["games"][0].clone()
}

fn notes(game: &Json) -> Vec<&str> {
    game["notes"].as_array().map(|notes| notes.iter().map(|note| note.as_str().unwrap()).collect()).unwrap_or_default()
}

fn fens<'a>(game: &'a Json, name: &str) -> Vec<Option<&'a str>> {
    game["positions"].as_array().unwrap().iter().map(|position| position[name].as_str()).collect()
}

#[test]
fn a_count_that_is_supposed_is_noted() {
    let supposed = |number| {
        format!(
            "no count is written: board's honour is supposed to be counted from move {number} on, and draws only if it was claimed"
        )
    };
    let unclaimed = |number| {
        format!(
            "board's honour is taken as unclaimed from move {number} on: each verdict is for a count that begins there"
        )
    };
    let armed = "8/8/8/8/8/4r1k1/4R3/K7";
    for (start, moves, expected) in [
        (format!("{armed} w - - 0 7"), "7. Re1 Kf2 *", [Some(supposed(7)), Some(unclaimed(7))]),
        (format!("{armed} b - - 0 7"), "7... Kf4 *", [Some(supposed(7)), Some(unclaimed(7))]),
        // The count is written, or no move is made under one.
        (format!("{armed} w - 128 4 7"), "7. Re1 Kf2 *", [None, None]),
        (format!("{armed} w - - 0 7"), "*", [None, None]),
        ("8/8/8/3P4/8/4r1k1/8/K7 w - - 0 3".to_owned(), "3. Kb2 Kf4 *", [None, None]),
        // The last pawn's end leaves both sides a piece.
        ("8/8/8/3P4/8/4r1k1/8/K7 w - - 0 3".to_owned(), "3. d6 Kf4 *", [Some(supposed(3)), Some(unclaimed(3))]),
        (
            "8/8/8/3P4/8/4r1k1/8/K7 w - - 0 3".to_owned(),
            "3. Kb2 Kf4 4. d6 Kf5 *",
            [Some(supposed(4)), Some(unclaimed(4))],
        ),
    ] {
        for (is_unclaimed, expected) in [false, true].into_iter().zip(expected) {
            let game = game(&format!("[FEN \"{start}\"]\n\n{moves}\n"), is_unclaimed);
            assert_eq!(notes(&game), expected.as_deref().into_iter().collect::<Vec<_>>(), "{start} {moves}");
        }
    }
    let bare = "[FEN \"8/8/8/8/3k4/8/8/R3K3 w - - 0 7\"]\n\n7. Kd2 Ke4 *\n";
    for is_unclaimed in [false, true] {
        let game = game(bare, is_unclaimed);
        assert_eq!(notes(&game), ["no count is written: that of the bare king is supposed to begin at move 7"]);
        assert_eq!(fens(&game, "fen")[1], Some("8/8/8/8/3k4/8/3K4/R7 b - 32 6 7"));
    }
}

#[test]
fn the_count_begins_with_the_defenders_next_move_or_when_the_game_says_so() {
    let counts = |game: &Json, name: &str| -> Vec<Option<String>> {
        let count = |fen: &str| fen.split(' ').skip(3).take(2).collect::<Vec<_>>().join(" ");
        fens(game, name).into_iter().map(|fen| fen.map(count)).collect()
    };
    let is = |counts: Vec<Option<String>>, expected: &[&str]| {
        let expected = expected.iter().map(|&count| (!count.is_empty()).then(|| count.to_owned())).collect::<Vec<_>>();
        assert_eq!(counts, expected);
    };
    // The bare king's count begins unasked.
    let armed = "[FEN \"8/8/8/8/8/4r1k1/4R3/K7 b - - 0 1\"]\n\n1... Kf4 2. Kb2 Rxe2+ 3. Kb3 *\n";
    is(counts(&game(armed, false), "fen"), &["- 0", "128 1", "128 2", "32 6", "32 7"]);
    is(counts(&game(armed, false), "unclaimed_fen"), &["", "- 0", "- 0", "", ""]);
    is(counts(&game(armed, true), "fen"), &["- 0", "- 0", "- 0", "32 6", "32 7"]);
    is(counts(&game(armed, true), "unclaimed_fen"), &["", "", "", "", ""]);
    let promoted = "[FEN \"8/8/8/3P4/8/4r1k1/8/K7 w - - 0 1\"]\n\n1. d6 Kf4 *\n";
    is(counts(&game(promoted, false), "fen"), &["- 0", "128 0", "128 1"]);
    is(counts(&game(promoted, false), "unclaimed_fen"), &["", "- 0", "- 0"]);
    is(counts(&game(promoted, true), "fen"), &["- 0", "- 0", "- 0"]);
    // A count that is written goes on.
    let late = armed.replace("- - 0 1", "- 128 129 1");
    is(counts(&game(&late, true), "fen"), &["128 129", "128 130", "128 131", "128 132", "128 133"]);
}

#[test]
fn a_result_that_is_not_that_of_the_board_is_noted() {
    let note = |fen: &str, moves: &str| {
        let game = game(&format!("[FEN \"{fen}\"]\n\n{moves}\n"), true);
        notes(&game).iter().find_map(|note| note.strip_prefix("the result is ").map(str::to_owned))
    };
    let mate = "k7/8/1K6/8/8/8/8/7R w - 32 7 1";
    let full = "8/8/8/8/2k5/8/8/K5R1 b - 32 32 1";
    let armed = "8/8/8/8/8/4r1k1/4R3/K7 w - - 0 1";
    let shuffle = "1. Re1 Kf2 2. Re2+ Kg3 3. Re1 Kf2 4. Re2+ Kg3";
    for (fen, moves, expected) in [
        (mate, "1. Rh8# 0-1", "0-1, but that of the board is 1-0 after 1. Rh8#: Black is mated"),
        (mate, "1. Rh8# 1/2-1/2", "1/2-1/2, but that of the board is 1-0 after 1. Rh8#: Black is mated"),
        (full, "1... Kb3 1-0", "1-0, but that of the board is 1/2-1/2 after 1... Kb3: the count is full"),
        (full, "1... Kb3 2. Rg2 Kc4 1-0", "1-0, but that of the board is 1/2-1/2 after 1... Kb3: the count is full"),
        (
            "k7/8/1K6/8/8/8/8/7R w - 32 33 1",
            "1. Rh8# 1-0",
            "1-0, but that of the board is 1/2-1/2 at the start: the count is full",
        ),
        (
            "k7/8/2K5/8/8/8/7R/8 w - 32 7 1",
            "1. Rh7 Kb8 2. Kb6 Ka8 3. Rb7 1-0",
            "1-0, but that of the board is 1/2-1/2 after 3. Rb7: Black is stalemated",
        ),
        (
            "8/8/8/8/8/4R1k1/8/K7 b - 32 6 1",
            "1... Kf4 2. Ka2 Kxe3 0-1",
            "0-1, but that of the board is 1/2-1/2 after 2... Kxe3: neither side can mate, even if the other helps",
        ),
        (
            armed,
            &format!("{shuffle} 1-0"),
            "1-0, but that of the board is 1/2-1/2 after 4... Kg3: the position is on the board for the third time",
        ),
    ] {
        assert_eq!(note(fen, moves).as_deref(), Some(expected), "{moves}");
    }
    // Right results, none, and those of a resignation, an agreement or a flag.
    for (fen, moves) in [
        (mate, "1. Rh8# 1-0"),
        (mate, "1. Rh8# *"),
        (mate, "1. Rh7 0-1"),
        (mate, "1. Rh7 1/2-1/2"),
        (full, "1... Kb3 1/2-1/2"),
        ("k7/8/1K6/8/8/8/8/7R w - 32 32 1", "1. Rh8# 1-0"),
        (armed, "1. Re1 1-0"),
        (armed, &format!("{shuffle} 1/2-1/2")),
        // Nobody need have counted.
        (armed, &format!("{} 1-0", shuffle.rsplit_once(' ').unwrap().0)),
    ] {
        assert_eq!(note(fen, moves), None, "{moves}");
    }
}

#[test]
fn moves_after_the_end_are_noted() {
    let over = |pgn: &str| {
        let game = game(pgn, true);
        notes(&game).iter().find_map(|note| note.strip_prefix("the game was over ").map(str::to_owned))
    };
    let met = "[FEN \"8/8/8/8/3M4/4r3/5k2/K7 w - 128 8 1\"]\n\n1. Mxe3+";
    let dead = "after 1. Mxe3+: neither side can mate, even if the other helps";
    assert_eq!(over(&format!("{met} Ke2 2. Kb1 *")).as_deref(), Some(dead));
    assert_eq!(over(&format!("{met} Ke2 1/2-1/2")).as_deref(), Some(dead));
    assert_eq!(over(&format!("{met} 1/2-1/2")), None);
}

#[test]
fn the_notes_of_the_position_given_are_kept() {
    let (_, games) = ask(json!({ "analyse": { "pgn": "Kf4", "from": "8/8/8/8/8/4R1k1/8/K7 b - 32 0" } }));
    let notes = notes(&games["games"][0]);
    assert!(notes[0].contains("from the position given"), "{notes:?}");
    assert!(
        notes[1].starts_with("line 1: of the position given: LIMIT was read as 32 plies and PLY as 0"),
        "{notes:?}"
    );
}
