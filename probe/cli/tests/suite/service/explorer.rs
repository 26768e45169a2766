//! The requests of the page: positions with all that it shows, games, materials, saves.

use makruk_service::{Limits, Settings};
use serde_json::{Value as Json, json};

use super::harness::{ROOK_WINS, Running, tables};
use super::http::{self, escaped};

async fn explore(server: &Running, fen: &str) -> (u16, Json) {
    let answer = http::get(server.address, &format!("/v1/explore?fen={}", escaped(fen))).await;
    (answer.status, answer.json())
}

/// The same object without some of its fields.
fn without(json: &Json, fields: &[&str]) -> Json {
    let mut json = json.clone();
    fields.iter().for_each(|field| drop(json.as_object_mut().unwrap().remove(*field)));
    json
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_with_all_there_is_to_show() {
    let server = Running::tables(tables()).await;
    let (status, explored) = explore(&server, ROOK_WINS).await;
    assert_eq!(status, 200);
    let probed = http::probe(server.address, ROOK_WINS).await.json();
    assert_eq!(
        without(&explored, &["check", "begins", "moves", "counts", "count_stopped"]),
        without(&probed, &["moves"])
    );
    assert_eq!(explored["begins"], json!({ "limit": 32, "ply": 5, "counts": "black" }));
    assert_eq!(explored["check"], json!(false));
    let more = ["attacker_moves_left", "fen", "gave_away", "lost_moves"];
    let moves = explored["moves"].as_array().unwrap();
    for (explored, probed) in moves.iter().zip(probed["moves"].as_array().unwrap()) {
        assert_eq!(&without(explored, &more), probed);
    }
    let line = http::get(server.address, &format!("/v1/line?fen={}", escaped(ROOK_WINS))).await.json();
    for field in ["fen", "san", "attacker_moves_left"] {
        assert_eq!(moves[0][field], line["line"][0][field], "{field}");
    }
    assert_eq!(moves[0]["gave_away"], Json::Null);
    let given_away: Vec<&Json> = moves.iter().filter(|mv| mv["gave_away"] == "win").collect();
    assert!(given_away.iter().all(|mv| mv["category"] == "cursed-win" && mv["lost_moves"].is_null()), "{given_away:?}");
    assert!(!given_away.is_empty());
    let (_, slow) = explore(&server, "8/8/8/8/8/k1K5/8/7R w").await;
    let slow = slow["moves"].as_array().unwrap().iter().filter(|mv| mv["gave_away"] == "time");
    assert!(slow.clone().count() > 3 && slow.clone().all(|mv| mv["lost_moves"].as_u64() >= Some(1)));
    // Board's honour is not counted until somebody claims it, and then the position after a move has no count.
    let khon = "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1";
    let (_, armed) = explore(&server, khon).await;
    let rooks = escaped("8/2k5/8/8/2R5/1r6/2K5/8 b");
    let line = http::get(server.address, &format!("/v1/line?fen={rooks}")).await.json();
    let game =
        json!({ "pgn": format!("[FEN \"{khon}\"]\n1. Re1 Kf2 2. Rb1 Sf4 3. Rb2+ Kf3 4. Rf2+ Kxf2 *") }).to_string();
    let game = http::send(server.address, "POST", "/v1/analyse", &[], game.as_bytes()).await.json();
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
    let (_, claimed) = explore(&server, "8/8/8/8/8/4s1k1/4R3/K7 w - 128 5 1").await;
    assert!(claimed["moves"].as_array().unwrap().iter().all(|mv| mv["unclaimed_fen"].is_null()));
    // The position after a move has the value of the move.
    let (_, after) = explore(&server, moves[0]["fen"].as_str().unwrap()).await;
    assert_eq!((&after["category"], &after["side"]), (&json!("loss"), &json!("black")));
    assert_eq!(after["dtm"].as_i64().unwrap(), 1 - moves[0]["dtm"].as_i64().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_without_a_verdict_have_their_legal_moves() {
    let server = Running::tables(tables()).await;
    let array = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    for (fen, reason, moves, command) in [
        ("8/8/8/8/3k4/8/8/RR2K3 w", "missing_table", 21, json!("makruk-gen build KRRvK")),
        (array, "too_many_men", 23, Json::Null),
    ] {
        let (status, explored) = explore(&server, fen).await;
        assert_eq!((status, &explored["reason"], &explored["command"]), (200, &json!(reason), &command));
        assert!(explored["category"].is_null() && explored["error"].as_str().unwrap().len() > 10);
        let listed = explored["moves"].as_array().unwrap();
        assert_eq!(listed.len(), moves, "{explored}");
        for mv in listed {
            assert!(mv["category"].is_null() && mv["san"].is_string(), "{mv}");
            assert!(mv["fen"].as_str().unwrap().contains(" b "), "{mv}");
        }
    }
    let (_, explored) = explore(&server, array).await;
    assert_eq!(explored["begins"], Json::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_promotion_shows_the_count_that_it_begins() {
    let server = Running::tables(tables()).await;
    let (_, explored) = explore(&server, "8/8/8/3P4/8/4k3/8/KR6 w - 128 9 1").await;
    assert_eq!(explored["fen"], "8/8/8/3P4/8/4k3/8/KR6 w - - 0 1");
    assert_eq!((&explored["category"], &explored["dtm"], &explored["dtz"]), (&json!("win"), &json!(23), &json!(3)));
    let none = json!({ "rule": "none", "limit": null, "ply": null, "attacker_moves_left": null });
    assert_eq!((&explored["count"], &explored["begins"]), (&none, &Json::Null));
    let (early, waiting) = explored["moves"].as_array().unwrap().split_last().unwrap();
    assert!(
        waiting.iter().all(|mv| mv["category"] == "win" && mv["begins_count"] == false && mv["gave_away"] != "win")
    );
    let expected = json!({
        "uci": "d5d6m", "san": "d6=M", "category": "cursed-win", "dtm": 27, "dtz": null, "capture": false,
        "promotion": true, "bares_king": false, "begins_count": true, "attacker_moves_left": 12,
        "fen": "8/8/3M4/8/8/4k3/8/KR6 b - 32 8 1", "gave_away": "win", "lost_moves": null,
    });
    assert_eq!(*early, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_board_is_told_one_by_one() {
    let server = Running::tables(tables()).await;
    let (status, refused) = explore(&server, "8/8/8/8/8/P7/8/KRRR4 w").await;
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
        assert_eq!(explore(&server, fen).await.1["problems"], json!([problem]));
    }
    let (status, refused) = explore(&server, "nonsense").await;
    assert_eq!((status, &refused["reason"], &refused["problems"]), (400, &json!("bad_fen"), &Json::Null));
    assert_eq!(http::get(server.address, "/v1/explore").await.status, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_not_taken_in_every_form_or_number() {
    let server = Running::tables(tables()).await;
    for (body, status, reason) in [
        (&b"{\"pgn\": 1}"[..], 400, "bad_request"),
        (b"{\"text\": \"1. d4\"}", 400, "bad_request"),
        (&[b' '; 200_000], 413, "too_large"),
    ] {
        let answer = http::send(server.address, "POST", "/v1/analyse", &[], body).await;
        assert_eq!((answer.status, &answer.json()["reason"]), (status, &json!(reason)));
    }
    let settings = Settings { limits: Limits { batch: 6, ..Limits::default() }, ..Settings::default() };
    let small = Running::with(tables(), settings).await;
    let games = "[FEN \"8/8/8/8/3k4/8/8/R3K3 w\"]\n\n1. Kd2 Ke4 2. Ra4+ *\n\n".repeat(2);
    let games = json!({ "pgn": games }).to_string();
    let answer = http::send(small.address, "POST", "/v1/analyse", &[], games.as_bytes()).await;
    assert_eq!((answer.status, &answer.json()["reason"]), (400, &json!("too_many_positions")));
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_are_listed_whether_they_are_there_or_not() {
    let server = Running::tables(tables()).await;
    let materials = async |query: &str| {
        http::get(server.address, &format!("/v1/materials{query}")).await.json()["materials"].clone()
    };
    let all = materials("").await;
    assert_eq!(all.as_array().unwrap().len(), 5 + 30 + 107);
    assert_eq!(materials("?men=6").await.as_array().unwrap().len(), 335);
    assert_eq!(materials("?men=99").await, json!([]));
    let of = |name: &str| all.as_array().unwrap().iter().find(|entry| entry["material"] == name).cloned().unwrap();
    let rook = of("KRvK");
    assert_eq!((&rook["men"], &rook["command"]), (&json!(3), &Json::Null));
    let totals = without(&rook["totals"], &["bytes"]);
    let expected = json!({
        "white_wins": 376_868, "black_wins": 0, "draws": 22_244, "within_count": 313_996, "mate_moves": 16, "conversion_moves": 14,
    });
    assert_eq!(totals, expected);
    let rooks = of("KRvKR")["totals"].clone();
    assert_eq!((&rooks["mate_moves"], &rooks["conversion_moves"]), (&json!(19), &json!(5)));
    assert_eq!((&rooks["white_wins"], &rooks["within_count"]), (&json!(3_211_696), &json!(4_757_272)));
    // Every material with a pawn has a DTZ, which here takes a move more than the longest mate.
    let pawn = of("KRPvK")["totals"].clone();
    assert_eq!((&pawn["mate_moves"], &pawn["conversion_moves"]), (&json!(16), &json!(17)));
    assert_eq!((&pawn["white_wins"], &pawn["within_count"]), (&json!(8_575_416), &json!(8_538_148)));
    let missing = of("KRRvKR");
    assert_eq!((&missing["totals"], &missing["command"]), (&Json::Null, &json!("makruk-gen build KRRvKR")));
    // The limit of the histogram: 16 less 3 men, and one more if the attacker moves first.
    let statistics = http::get(server.address, "/v1/tables/KRvK").await.json();
    assert_eq!(statistics["dtm"]["white"]["win_count_moves"], json!(14));
    assert_eq!(statistics["dtm"]["black"]["loss_count_moves"], json!(13));
    let armed = http::get(server.address, "/v1/tables/KRvKR").await.json();
    assert_eq!(
        (&armed["dtm"]["white"]["win_count_moves"], &armed["dtz"]["white"]["win_count_moves"]),
        (&Json::Null, &json!(65))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_are_saves() {
    let server = Running::tables(tables()).await;
    let get = async |material: &str| http::get(server.address, &format!("/v1/tables/{material}/saves")).await;
    let answer = get("KRvKR").await.json();
    let saves = answer["saves"].as_array().unwrap();
    assert!(!saves.is_empty() && saves.len() <= 6, "{answer}");
    for save in saves {
        let (_, explored) = explore(&server, save["fen"].as_str().unwrap()).await;
        assert_eq!(explored["category"], "blessed-loss");
        let moves = explored["moves"].as_array().unwrap();
        let is_drawn = |mv: &&Json| ["draw", "blessed-loss", "cursed-win"].iter().any(|drawn| mv["category"] == *drawn);
        assert_eq!(save["drawing_moves"], json!(moves.iter().filter(is_drawn).count()));
        assert_eq!(save["legal_moves"], json!(moves.len()));
        assert!(save["drawing_moves"].as_u64() < save["legal_moves"].as_u64());
        let sacrifices: Vec<&Json> =
            moves.iter().map(|mv| &mv["sacrifice"]).filter(|given| given.is_object()).collect();
        assert_eq!(save["sacrifice"], json!(!sacrifices.is_empty()));
        for given in sacrifices {
            assert!(given["needed"].as_u64() > given["left"].as_u64(), "{given}");
        }
    }
    assert_eq!(get("KRvKR").await.json(), answer, "the same every time");
    assert_eq!((get("KRRvKR").await.status, get("KvK").await.status, get("KXvK").await.status), (404, 400, 400));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_winners_own_count_is_no_limit_to_the_winner() {
    let server = Running::tables(tables()).await;
    let ask = async |fen: &str, counts: &str| {
        let answer = http::get(server.address, &format!("/v1/explore?fen={}{counts}", escaped(fen))).await;
        (answer.status, answer.json())
    };
    // Board's honour has run out; White, the winner, has counted.
    let fen = "k7/2K5/8/8/8/8/7r/1R6 w - 128 129 90";
    let (_, without_counter) = ask(fen, "").await;
    assert_eq!((&without_counter["category"], &without_counter["counts"]), (&json!("cursed-win"), &json!("black")));
    assert_eq!(ask(fen, "&counts=black").await.1, without_counter);
    let (_, stopped) = ask(fen, "&counts=white").await;
    assert_eq!((&stopped["category"], &stopped["count_stopped"]), (&json!("win"), &json!(true)));
    assert_eq!((&stopped["fen"], &stopped["counts"]), (&json!(fen), &json!("black")));
    let (_, fresh) = ask("k7/2K5/8/8/8/8/7r/1R6 w - - 0 90", "").await;
    assert_eq!(without(&stopped, &["fen", "count_stopped"]), without(&fresh, &["fen", "count_stopped"]));
    // A bare king counts, whatever `counts` says.
    let (status, refused) = ask("8/8/8/8/8/k1K5/8/7R w - 32 9 1", "&counts=white").await;
    assert_eq!((status, &refused["reason"]), (400, &json!("bad_request")), "{refused}");
    let (status, refused) = ask(fen, "&counts=red").await;
    assert_eq!((status, &refused["reason"], &refused["field"]), (400, &json!("bad_side"), &json!("side")));
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_placed_for_pages_of_other_languages() {
    let server = Running::tables(tables()).await;
    for (fen, field, found) in [
        ("8/8/8/8/8/4ข1k1/4R3/K7 w", "board", "ข"),
        ("8/8/8/8/8/4s1k1/4R3/K7 x", "side", "x"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - สิบหก 2 1", "limit", "สิบหก"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 16 -2 1", "ply", "-2"),
    ] {
        let (status, refused) = explore(&server, fen).await;
        assert_eq!((status, &refused["field"], &refused["found"]), (400, &json!(field), &json!(found)), "{refused}");
        let batch = format!("{{\"fens\": [{}]}}", json!(fen));
        let answers = http::send(server.address, "POST", "/v1/batch", &[], batch.as_bytes()).await.json();
        assert_eq!((&answers[0]["field"], &answers[0]["found"]), (&json!(field), &json!(found)), "{answers}");
    }
    let pgn = json!({"pgn": "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w\"]\n\n1. Rb9 *"}).to_string();
    let games = http::send(server.address, "POST", "/v1/analyse", &[], pgn.as_bytes()).await.json();
    let bad = &games["games"][0];
    let fields = ["reason", "line", "problem", "move", "found"].map(|field| bad[field].clone());
    assert_eq!(fields, [json!("bad_pgn"), json!(3), json!("move"), json!("1."), json!("Rb9")], "{bad}");
}
