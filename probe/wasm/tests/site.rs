//! Questions as the module is asked them: the answers of the library over the same tables, in few rounds.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;

use makruk_answers::{Door, Question, Remedy, ask};
use makruk_probe::{Prober, Tablebase};
use makruk_probe_wasm::{Outcome, Site};
use makruk_remote::{Catalogue, PublishError, publish};
use makruk_tables::format::TableFolder;
use serde_json::{Value, json};

const ROOK: &str = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1";

#[test]
fn answers_are_those_of_the_library() {
    let materials = test_tables::materials(&["KRvK", "KNvK"]);
    let folder = test_tables::own(&test_tables::usual(materials.clone()), materials);
    let tables = TableFolder::create(folder.path()).unwrap();
    publish::<PublishError>(&tables, folder.path(), ".", |_, _| Ok(())).unwrap();
    let catalogue = Catalogue::read(&fs::read(folder.path().join(Catalogue::PATH)).unwrap()).unwrap();
    let site = Site::new(catalogue, 1 << 20);
    let prober = Prober::new(Tablebase::new(folder.path()));
    // Asks until there is an answer or a refusal; returns it as JSON, and the number of rounds.
    let ask_site = |question: Question| {
        let mut asking = match site.begin(question) {
            Ok(asking) => asking,
            Err(refusal) => return (serde_json::to_value(refusal).unwrap(), 0),
        };
        for rounds in 0..200 {
            let wants = match site.go_on(&mut asking) {
                Outcome::Answer(answer) => return (serde_json::to_value(answer).unwrap(), rounds),
                Outcome::Refused(refusal) => return (serde_json::to_value(refusal).unwrap(), rounds),
                Outcome::Wants(wants) => wants,
            };
            assert!(!wants.is_empty());
            for want in wants {
                let whole = fs::read(folder.path().join(want.file.to_string())).unwrap();
                let end = want.len.map_or(whole.len(), |len| (want.offset + len) as usize);
                site.store.give(want.file, want.offset, &whole[want.offset as usize..end]).unwrap();
            }
        }
        panic!("the question has no end");
    };
    let one = |text: &str| json!({ "ask": "explore", "fen": text });
    for (question, most) in [
        (one("8/8/8/3k4/8/8/1R6/K7 b - - 0 1"), 2),
        (one("8/8/8/3k4/8/8/1R6/K7 w - 32 7 1"), 2),
        (one("8/8/8/3k4/8/8/1N6/K7 w - - 0 1"), 2),
        (one("8/8/8/3k4/8/8/8/K7 w - - 0 1"), 2),
        (one("8/8/8/3k4/8/8/1RR5/K7 w - - 0 1"), 2),
        (json!({ "ask": "explore", "fen": ROOK, "counts": "white" }), 2),
        (json!({ "ask": "probe", "fen": ROOK, "moves": true }), 2),
        (json!({ "ask": "play", "fen": ROOK, "policy": "tricky" }), 4),
        (json!({ "ask": "category", "fen": ROOK }), 2),
        (json!({ "ask": "line", "fen": ROOK, "max_plies": 9 }), 30),
        (json!({ "ask": "batch", "fens": ["x", ROOK, "8/8/8/3k4/8/8/1RR5/K7 w"] }), 2),
        (json!({ "ask": "analyse", "pgn": format!("[FEN \"{ROOK}\"]\n\n1. Rb8 Kd6 2. Rb1 *\n\n[FEN \"x\"]\n\n*") }), 3),
    ] {
        let read = || serde_json::from_value::<Question>(question.clone()).unwrap();
        let door = Door { remedy: Remedy::Site, most_positions: usize::MAX };
        let right: Value = match ask(read(), prober.clone(), door) {
            Ok(answer) => serde_json::to_value(answer).unwrap(),
            Err(refusal) => serde_json::to_value(refusal).unwrap(),
        };
        let (answer, rounds) = ask_site(read());
        assert_eq!(answer, right, "{question}");
        assert!(rounds <= most, "{rounds} rounds: {question}");
    }
    assert!(serde_json::from_str::<Question>(r#"{"ask":"search"}"#).is_err());
}
