//! The answers of the tables with the fields of lila-tablebase.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};
use test_tables::random_position_of;
use test_tables::reference::NamedMaterial;

use super::{ROOK_WINS, of, without};

fn position(fen: &str) -> Json {
    let (status, answer) = of("lichess", fen);
    assert_eq!(status, 200, "{fen}: {answer}");
    answer
}

/// The dialect's fields of a position, from the answer of `/v1/probe`.
fn standing(probed: &Json) -> Json {
    let is_mate = probed["checkmate"] == true;
    let (dtz, precise) = match (probed["dtm"].as_i64(), probed["dtz"].as_i64()) {
        (None, _) => (0, Some(0)),
        (Some(0), _) => (-1, Some(-1)),
        (Some(mate), conversion) => (conversion.unwrap_or(mate), conversion),
    };
    // The category of a mate that came after the count's end: lost, were it not for the count.
    let category =
        if is_mate && probed["category"] == "draw" { json!("blessed-loss") } else { probed["category"].clone() };
    let mut standing = json!({
        "checkmate": probed["checkmate"],
        "stalemate": probed["stalemate"],
        "variant_win": false,
        "variant_loss": false,
        "insufficient_material": probed["can_mate"] == json!({ "white": false, "black": false }),
        "dtz": dtz,
        "precise_dtz": precise,
        "dtm": probed["dtm"].as_i64().unwrap_or(0),
        "dtw": null,
        "dtc": null,
        "category": category,
        "count": probed["count"],
    });
    if let Some(notes) = probed.get("notes") {
        standing["notes"] = notes.clone();
    }
    standing
}

/// Holds an answer to the promises on which programs of others rest.
fn assert_fits(answer: &Json, seen: &mut BTreeSet<String>) {
    let category = answer["category"].as_str().unwrap();
    seen.insert(category.to_owned());
    let (dtz, dtm) = (answer["dtz"].as_i64(), answer["dtm"].as_i64());
    match category {
        "win" | "cursed-win" => assert!(dtz > Some(0) && dtm > Some(0), "{answer}"),
        "loss" | "blessed-loss" => assert!(dtz < Some(0) && dtz.is_some() && dtm <= Some(0), "{answer}"),
        "draw" => assert_eq!((dtz, dtm), (Some(0), Some(0)), "{answer}"),
        other => panic!("{other}"),
    }
    for (name, value) in [("checkmate", "mate"), ("stalemate", "stalemate"), ("insufficient_material", "bare")] {
        if answer[name] == true {
            seen.insert(value.to_owned());
        }
    }
}

/// Random positions, with and without a count.
fn random_fens(count: usize) -> Vec<String> {
    let mut rng = fastrand::Rng::with_seed(1);
    let materials = ["KRvKR", "KRvK", "KSvK", "KNvK", "KMvK", "KPvK", "KRPvK"].map(NamedMaterial::named);
    let counts = ["- 0", "128 10", "128 110", "32 20", "16 17", "7 3"];
    let fen = |_| {
        let material = &materials[rng.usize(..materials.len())];
        let position = random_position_of(&mut rng, material);
        format!("{} {} - {} 1", position.board(), position.turn().letter(), counts[rng.usize(..counts.len())])
    };
    (0..count).map(fen).collect()
}

#[test]
fn every_move_has_the_fields_of_the_position_after_it() {
    let mut fens = random_fens(60);
    fens.extend(
        [
            "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
            "k6R/8/1K6/8/8/8/8/8 b - 32 35 1",
            "k7/8/K7/8/8/8/8/1R6 b - 32 10 1",
            "k7/8/1K6/8/8/8/8/7R w - 32 32 9",
            "k7/8/1K6/8/8/8/8/7R w - 32 33 9",
            "8/8/8/8/8/4r1k1/4R3/K7 b - 128 120 70",
            "8/8/8/8/8/4r1k1/4R3/K7 b - 128 129 70",
            "8/8/8/2P5/8/1K6/7R/3k4 w - - 0 1",
            "8/8/2P5/8/8/1K6/7R/3k4 w - - 0 1",
            "8/8/8/8/3k4/8/8/4K3 w - - 0 1",
        ]
        .map(str::to_owned),
    );
    let (mut seen, mut moves, mut sides) = (BTreeSet::new(), 0, BTreeSet::new());
    for fen in &fens {
        let (status, probed) = of("probe", fen);
        if status != 200 {
            assert_eq!(of("lichess", fen), (status, probed), "{fen}");
            continue;
        }
        let answer = position(fen);
        assert_eq!(without(&answer, &["moves"]), standing(&probed), "{fen}");
        assert_fits(&answer, &mut seen);
        sides.insert(probed["side"].to_string());
        let (_, explored) = of("explore", fen);
        let explored = explored["moves"].as_array().unwrap();
        let found = answer["moves"].as_array().unwrap();
        assert_eq!(found.len(), explored.len(), "{fen}");
        for (found, expected) in found.iter().zip(explored) {
            let after = of("probe", expected["fen"].as_str().unwrap()).1;
            assert_eq!(
                without(found, &["uci", "san", "zeroing", "conversion"]),
                without(&standing(&after), &["notes"]),
                "{fen} {}",
                expected["uci"]
            );
            assert_eq!((&found["uci"], &found["san"]), (&expected["uci"], &expected["san"]));
            let is_conversion = expected["capture"] == true || expected["promotion"] == true;
            assert_eq!((&found["zeroing"], &found["conversion"]), (&expected["begins_count"], &json!(is_conversion)));
            assert_fits(found, &mut seen);
            moves += 1;
        }
    }
    assert!(moves > 300, "{moves}");
    let expected = ["bare", "blessed-loss", "cursed-win", "draw", "loss", "mate", "stalemate", "win"];
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(sides.len(), 2);
}

#[test]
fn signs_are_those_of_the_side_to_move() {
    // White wins; so the opponent loses after a good move, and the move has the opponent's signs.
    let answer = position(&ROOK_WINS.replace(' ', "_"));
    assert_eq!((&answer["category"], &answer["dtz"]), (&json!("win"), &answer["precise_dtz"]));
    let best = &answer["moves"][0];
    assert_eq!(best["category"], "loss");
    assert_eq!(best["dtz"].as_i64().unwrap(), 1 - answer["dtz"].as_i64().unwrap());
    // A win that the count takes away has a sign all the same, by the mate.
    let late = position("k7/8/1K6/8/8/8/8/7R w - 32 33 9");
    assert_eq!((&late["category"], &late["dtz"], &late["precise_dtz"]), (&json!("cursed-win"), &json!(1), &json!(1)));
    let mates = &late["moves"][0];
    assert_eq!(
        (&mates["category"], &mates["checkmate"], &mates["dtz"]),
        (&json!("blessed-loss"), &json!(true), &json!(-1))
    );
    let saved = position("8/8/8/8/8/8/7R/K2r2k1 w - - 0 1");
    assert!(saved["precise_dtz"].is_null() || saved["dtz"] == saved["precise_dtz"], "{saved}");
}

#[test]
fn a_missing_table_is_unknown_and_what_is_known_is_told() {
    let unknown = position("8/8/8/8/3k4/8/8/RR2K3 w - - 0 1");
    assert_eq!((&unknown["category"], &unknown["reason"]), (&json!("unknown"), &json!("missing_table")));
    assert!(unknown["error"].as_str().unwrap().contains("KRRvK"), "{unknown}");
    for name in ["dtz", "precise_dtz", "dtm", "count"] {
        assert_eq!(unknown[name], Json::Null, "{name}");
        assert!(unknown["moves"].as_array().unwrap().iter().all(|mv| mv[name] == Json::Null), "{name}");
    }
    assert!(unknown["moves"].as_array().unwrap().len() > 20);
    // The rook takes the knight and mates: K+R v K is here, K+R v K+N is not.
    let won = position("k6n/8/1K6/8/8/8/8/7R w - - 0 1");
    assert_eq!((&won["category"], &won["dtz"], &won["precise_dtz"]), (&json!("win"), &json!(1), &Json::Null));
    let categories: Vec<&str> =
        won["moves"].as_array().unwrap().iter().map(|mv| mv["category"].as_str().unwrap()).collect();
    assert_eq!((categories[0], categories[1]), ("loss", "unknown"));
    assert_eq!(won["moves"][0]["zeroing"], true);
    // Black takes the rook, the best of what is known; a knight's move might be better.
    let open = position("8/8/8/8/8/1k6/2n5/R6K b - - 0 1");
    assert_eq!(open["category"], "unknown");
    let last = open["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["uci"], &last["category"], &last["insufficient_material"]),
        (&json!("c2a1"), &json!("draw"), &json!(true))
    );
    // No table has 32 men.
    let many = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
    assert_eq!((&many["category"], &many["reason"]), (&json!("unknown"), &json!("too_many_men")));
    assert_eq!(many["moves"].as_array().unwrap().len(), 23);
    let (status, line) = of("lichess_line", "8/8/8/8/3k4/8/8/RR2K3 w - - 0 1");
    assert_eq!((status, &line["reason"]), (404, &json!("missing_table")));
}

#[test]
fn the_mainline_ends_with_mate_or_with_the_count() {
    let line = |fen: &str| of("lichess_line", fen).1;
    let won = line(ROOK_WINS);
    let root = position(ROOK_WINS);
    assert_eq!((&won["winner"], &won["dtz"], &won["precise_dtz"]), (&json!("w"), &root["dtz"], &root["precise_dtz"]));
    let moves = won["mainline"].as_array().unwrap();
    assert_eq!(moves.len() as i64, root["dtm"].as_i64().unwrap());
    // The distances are those of the position after each move, seen by its side to move.
    let plies = moves.len() as i64;
    for (at, mv) in moves.iter().enumerate() {
        let left = plies - 1 - at as i64;
        let expected = if left == 0 {
            -1
        } else if at % 2 == 0 {
            -left
        } else {
            left
        };
        assert_eq!((&mv["dtz"], &mv["precise_dtz"]), (&json!(expected), &json!(expected)), "{mv}");
    }
    assert!(moves.last().unwrap()["san"].as_str().unwrap().ends_with('#'));
    let black = line("8/8/8/8/3K4/8/8/r3k3 b - - 0 1");
    assert_eq!(black["winner"], "b");
    // The count ends this one: it begins with three moves left, and mate needs more.
    let drawn = line("8/8/8/3k4/8/8/1R6/K7 w - 32 28 1");
    assert_eq!((&drawn["winner"], drawn["dtz"].as_i64() > Some(0)), (&Json::Null, true));
    assert_eq!(drawn["mainline"].as_array().unwrap().len(), 5);
    let mate = line("k6R/8/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!((&mate["winner"], &mate["mainline"], &mate["dtz"]), (&json!("w"), &json!([]), &json!(-1)));
    let draw = line("8/8/8/8/3k4/8/8/4K3 w - - 0 1");
    assert_eq!(draw, json!({ "mainline": [], "winner": null, "dtz": 0, "precise_dtz": 0 }));
}
