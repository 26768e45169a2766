//! The answers that a page shows: positions with all their details, and games.

use serde_json::{Value as Json, json};

use super::{ROOK_WINS, ask, of, without};

fn explore(fen: &str) -> (u16, Json) {
    of("explore", fen)
}

#[test]
fn a_position_with_all_there_is_to_show() {
    let (status, explored) = explore(ROOK_WINS);
    assert_eq!(status, 200);
    let probed = of("probe", ROOK_WINS).1;
    assert_eq!(
        without(&explored, &["status", "check", "begins", "moves", "counts", "count_stopped"]),
        without(&probed, &["moves"])
    );
    assert_eq!(explored["begins"], json!({ "limit": 32, "ply": 5, "counts": "black" }));
    assert_eq!(explored["check"], json!(false));
    let more = ["status", "attacker_moves_left", "fen", "gave_away", "lost_moves"];
    let moves = explored["moves"].as_array().unwrap();
    for (explored, probed) in moves.iter().zip(probed["moves"].as_array().unwrap()) {
        assert_eq!(&without(explored, &more), probed);
    }
    let line = of("line", ROOK_WINS).1;
    for field in ["fen", "san", "attacker_moves_left"] {
        assert_eq!(moves[0][field], line["line"][0][field], "{field}");
    }
    assert_eq!(moves[0]["gave_away"], Json::Null);
    let given_away: Vec<&Json> = moves.iter().filter(|mv| mv["gave_away"] == "win").collect();
    assert!(given_away.iter().all(|mv| mv["category"] == "cursed-win" && mv["lost_moves"].is_null()), "{given_away:?}");
    assert!(!given_away.is_empty());
    let (_, slow) = explore("8/8/8/8/8/k1K5/8/7R w");
    let slow = slow["moves"].as_array().unwrap().iter().filter(|mv| mv["gave_away"] == "time");
    assert!(slow.clone().count() > 3 && slow.clone().all(|mv| mv["lost_moves"].as_u64() >= Some(1)));
    // Board's honour is not counted until somebody claims it, and then the position after a move has no count.
    let khon = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
    let (_, armed) = explore(khon);
    let (_, line) = of("line", "8/2k5/8/8/2R5/1r6/2K5/8 b");
    let pgn = format!("[FEN \"{khon}\"]\n1. Re1 Kf2 2. Rb1 Sf4 3. Rb2+ Kf3 4. Rf2+ Kxf2 *");
    let (_, game) = ask(json!({ "analyse": { "pgn": pgn } }));
    for (at, least) in [(&armed["moves"], 11), (&line["line"], 1), (&game["games"][0]["positions"], 7)] {
        let mut begun = 0;
        for place in at.as_array().unwrap() {
            let fields: Vec<&str> = place["fen"].as_str().unwrap().split(' ').collect();
            let is_board = fields[3] == "128";
            let unclaimed = format!("{} {} - - 0 {}", fields[0], fields[1], fields[5]);
            assert_eq!(place["unclaimed_fen"].as_str(), is_board.then_some(&*unclaimed), "{place}");
            begun += usize::from(is_board);
        }
        assert!(begun >= least, "{begun} of {at}");
    }
    let (_, claimed) = explore("8/8/8/8/8/4s1k1/4R3/K7 w - 128 5 1");
    assert!(claimed["moves"].as_array().unwrap().iter().all(|mv| mv["unclaimed_fen"].is_null()));
    // The position after a move has the value of the move.
    let (_, after) = explore(moves[0]["fen"].as_str().unwrap());
    assert_eq!((&after["category"], &after["side"]), (&json!("loss"), &json!("black")));
    assert_eq!(after["dtm"].as_i64().unwrap(), 1 - moves[0]["dtm"].as_i64().unwrap());
}

#[test]
fn positions_without_a_verdict_have_their_legal_moves() {
    let array = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    for (fen, reason, moves, command) in [
        ("8/8/8/8/3k4/8/8/RR2K3 w", "missing_table", 21, json!("makruk-gen build KRRvK")),
        (array, "too_many_men", 23, Json::Null),
    ] {
        let (status, explored) = explore(fen);
        assert_eq!((status, &explored["reason"], &explored["command"]), (200, &json!(reason), &command));
        assert!(explored["category"].is_null() && explored["error"].as_str().unwrap().len() > 10);
        let listed = explored["moves"].as_array().unwrap();
        assert_eq!(listed.len(), moves, "{explored}");
        for mv in listed {
            assert!(mv["category"].is_null() && mv["san"].is_string(), "{mv}");
            assert!(mv["fen"].as_str().unwrap().contains(" b "), "{mv}");
        }
    }
    let (_, explored) = explore(array);
    assert_eq!(explored["begins"], Json::Null);
}

#[test]
fn a_promotion_shows_the_count_that_it_begins() {
    let (_, explored) = explore("8/8/8/3P4/8/4k3/8/KR6 w - 128 9 1");
    assert_eq!(explored["fen"], "8/8/8/3P4/8/4k3/8/KR6 w - - 0 1");
    assert_eq!((&explored["category"], &explored["dtm"], &explored["dtz"]), (&json!("win"), &json!(23), &json!(3)));
    let none = json!({ "rule": "none", "limit": null, "ply": null, "attacker_moves_left": null });
    assert_eq!((&explored["count"], &explored["begins"]), (&none, &Json::Null));
    let (early, waiting) = explored["moves"].as_array().unwrap().split_last().unwrap();
    assert!(
        waiting.iter().all(|mv| mv["category"] == "win" && mv["begins_count"] == false && mv["gave_away"] != "win")
    );
    let expected = json!({
        "status": "judged", "uci": "d5d6m", "san": "d6=M", "category": "cursed-win", "dtm": 27, "dtz": null, "capture": false,
        "promotion": true, "bares_king": false, "begins_count": true, "attacker_moves_left": 12,
        "fen": "8/8/3M4/8/8/4k3/8/KR6 b - 32 8 1", "gave_away": "win", "lost_moves": null,
    });
    assert_eq!(*early, expected);
}

#[test]
fn what_is_wrong_with_a_board_is_told_one_by_one() {
    let (status, refused) = explore("8/8/8/8/8/P7/8/KRRR4 w");
    assert_eq!((status, &refused["reason"]), (400, &json!("illegal_position")));
    let problems = json!([
        { "problem": "too_many", "side": "white", "role": "rook", "found": 3, "most": 2 },
        { "problem": "missing_king", "side": "black" },
    ]);
    assert_eq!(refused["problems"], problems);
    assert!(refused["error"].as_str().unwrap().contains("3 rooks"));
    for (fen, problem) in [
        ("8/8/8/8/8/8/Kk6/8 w", json!({ "problem": "touching_kings" })),
        ("8/8/8/8/8/6k1/6R1/K7 w", json!({ "problem": "opposite_check", "side": "black" })),
        ("8/8/P7/8/8/6k1/8/K7 w", json!({ "problem": "pawn_beyond_promotion", "square": "a6" })),
        ("8/p7/8/8/8/6k1/8/K7 w", json!({ "problem": "pawn_behind_start", "square": "a7" })),
        (
            "8/8/8/PPPPP3/MMMMM3/8/6k1/K7 w",
            json!({ "problem": "too_many_mets_and_pawns", "side": "white", "found": 10, "most": 9 }),
        ),
    ] {
        assert_eq!(explore(fen).1["problems"], json!([problem]));
    }
    let (status, refused) = explore("nonsense");
    assert_eq!((status, &refused["reason"], &refused["problems"]), (400, &json!("bad_fen"), &Json::Null));
}

#[test]
fn the_winners_own_count_is_no_limit_to_the_winner() {
    let with = |fen: &str, counts: &str| ask(json!({ "explore": { "fen": fen, "counts": counts } }));
    // Board's honour has run out; White, the winner, has counted.
    let fen = "k7/2K5/8/8/8/8/7r/1R6 w - 128 129 90";
    let (_, without_counter) = explore(fen);
    assert_eq!((&without_counter["category"], &without_counter["counts"]), (&json!("cursed-win"), &json!("black")));
    assert_eq!(with(fen, "black").1, without_counter);
    let (_, stopped) = with(fen, "white");
    assert_eq!((&stopped["category"], &stopped["count_stopped"]), (&json!("win"), &json!(true)));
    assert_eq!((&stopped["fen"], &stopped["counts"]), (&json!(fen), &json!("black")));
    let (_, fresh) = explore("k7/2K5/8/8/8/8/7r/1R6 w - - 0 90");
    assert_eq!(without(&stopped, &["fen", "count_stopped"]), without(&fresh, &["fen", "count_stopped"]));
    // A bare king counts, whatever `counts` says.
    let (status, refused) = with("8/8/8/8/8/k1K5/8/7R w - 32 9 1", "white");
    assert_eq!((status, &refused["reason"]), (400, &json!("bad_request")), "{refused}");
    let (status, refused) = with(fen, "red");
    assert_eq!((status, &refused["reason"], &refused["field"]), (400, &json!("bad_side"), &json!("side")));
}

#[test]
fn mistakes_are_placed_for_pages_of_other_languages() {
    for (fen, field, found) in [
        ("8/8/8/8/8/4ข1k1/4R3/K7 w", "board", "ข"),
        ("8/8/8/8/8/4s1k1/4R3/K7 x", "side", "x"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - สิบหก 2 1", "limit", "สิบหก"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 16 -2 1", "ply", "-2"),
    ] {
        let (status, refused) = explore(fen);
        assert_eq!((status, &refused["field"], &refused["found"]), (400, &json!(field), &json!(found)), "{refused}");
        let (_, answers) = ask(json!({ "batch": { "fens": [fen] } }));
        assert_eq!((&answers[0]["field"], &answers[0]["found"]), (&json!(field), &json!(found)), "{answers}");
    }
    let (_, games) = ask(json!({ "analyse": { "pgn": "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w\"]\n\n1. Rb9 *" } }));
    let bad = &games["games"][0];
    let fields = ["reason", "line", "problem", "move", "found"].map(|field| bad[field].clone());
    assert_eq!(fields, [json!("bad_pgn"), json!(3), json!("move"), json!("1."), json!("Rb9")], "{bad}");
}
