//! Questions as the module is asked them, against the library over the same tables.

#![allow(clippy::unwrap_used)] // helpers outside of test functions

use std::fs;
use std::path::Path;
use std::sync::Arc;

use makruk_explorer::{ErrorPlace, GameJson, GameReview, GamesJson, UnjudgedJson, explore};
use makruk_probe::json::{LineJson, PositionJson};
use makruk_probe::{LineIter, Policy, Prober, Tablebase};
use makruk_probe_wasm::{Outcome, Question, Session};
use makruk_remote::{AskingSource, Catalogue, PublishError, RemoteStore, publish};
use makruk_tables::format::TableFolder;
use makruk_tables::rules::{Fen, Games, Reading};
use serde::Serialize;

/// A site with the tables of a rook or a knight against a bare king.
struct Site {
    folder: tempfile::TempDir,
    store: RemoteStore,
    source: Arc<AskingSource>,
}

impl Site {
    fn new() -> Site {
        let materials = test_tables::materials(&["KRvK", "KNvK"]);
        let folder = test_tables::own(&test_tables::usual(materials.clone()), materials);
        let tables = TableFolder::create(folder.path()).unwrap();
        publish::<PublishError>(&tables, folder.path(), ".", |_, _| Ok(())).unwrap();
        let catalogue = Catalogue::read(&fs::read(folder.path().join(Catalogue::PATH)).unwrap()).unwrap();
        let store = RemoteStore::new(catalogue, 1 << 20);
        let tablebase = Tablebase::builder().store(Arc::new(store.clone())).build();
        Site { source: Arc::new(AskingSource::new(tablebase)), store, folder }
    }

    fn tables(&self) -> &Path {
        self.folder.path()
    }

    /// Asks until there is an answer or a refusal; returns it as JSON, and the number of rounds.
    fn ask(&self, question: &str) -> (String, usize) {
        let mut session = Session::new(serde_json::from_str::<Question>(question).unwrap());
        for rounds in 0..200 {
            match session.go_on(&self.source, &self.store) {
                Outcome::Answer(answer) => return (answer.get().to_owned(), rounds),
                Outcome::Refused(why) => return (serde_json::to_string(&why).unwrap(), rounds),
                Outcome::Wants(wants) => {
                    assert!(!wants.is_empty());
                    for (file, offset, len) in wants {
                        let whole = fs::read(self.tables().join(&file)).unwrap();
                        let end = len.map_or(whole.len(), |len| (offset + len) as usize);
                        self.store.give(file.parse().unwrap(), offset, &whole[offset as usize..end]).unwrap();
                    }
                }
                Outcome::Progress { .. } => panic!("an outcome of its own only within a question"),
            }
        }
        panic!("{question} has no end");
    }
}

fn json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).unwrap()
}

#[test]
fn answers_are_those_of_the_library() {
    let site = Site::new();
    let prober = Prober::new(Tablebase::new(site.tables()));
    let describe = |error: makruk_probe::ProbeError| UnjudgedJson {
        reason: error.reason().name().to_owned(),
        error: "there is no table KRRvK.dtm here".to_owned(),
        command: None,
        place: ErrorPlace::default(),
    };
    for text in [
        "8/8/8/3k4/8/8/1R6/K7 b - - 0 1",
        "8/8/8/3k4/8/8/1R6/K7 w - 32 7 1",
        "8/8/8/3k4/8/8/1N6/K7 w - - 0 1",
        "8/8/8/3k4/8/8/8/K7 w - - 0 1",
        "8/8/8/3k4/8/8/1RR5/K7 w - - 0 1",
    ] {
        let reading = Reading::parse(text).unwrap();
        let (answer, rounds) = site.ask(&format!(r#"{{"ask":"explore","fen":"{text}"}}"#));
        assert_eq!(answer, json(&explore(&prober, &reading, None, describe)), "{text}");
        assert!(rounds <= 2, "{rounds} rounds: {text}");
    }
    let fen: Fen = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1".parse().unwrap();
    let start = PositionJson::new(&fen, &prober.probe(&fen).unwrap(), None);
    let line = LineIter::new(prober.clone(), &fen, Policy::Safest, 9).line().unwrap();
    let (answer, _) = site.ask(&format!(r#"{{"ask":"line","fen":"{fen}","max_plies":9}}"#));
    assert_eq!(answer, json(&LineJson::whole(start, &line)));
    let pgn = format!("[FEN \"{fen}\"]\n\n1. Rb8 Kd6 2. Rb1 *");
    let game = Games::parse(&pgn).next().unwrap().unwrap();
    let review = GameReview::new(prober.rules(), &game);
    let positions = (0..review.len()).map(|ply| review.position(&prober, ply, describe).unwrap()).collect();
    let (answer, _) = site.ask(&json(&serde_json::json!({ "ask": "analyse", "pgn": pgn })));
    assert_eq!(answer, json(&GamesJson { games: vec![GameJson::new(1, &game, positions)] }));
}

#[test]
fn refusals_say_why() {
    let site = Site::new();
    for (question, reason) in [
        (r#"{"ask":"probe","fen":"x"}"#, "bad_fen"),
        (r#"{"ask":"probe","fen":"8/8/8/3k4/8/8/P7/K7 w - - 0 1"}"#, "illegal_position"),
        (r#"{"ask":"probe","fen":"8/8/8/3k4/8/8/1RR5/K7 w - - 0 1"}"#, "missing_table"),
        (r#"{"ask":"explore","fen":"8/8/8/8/8/8/8/K7 w - - 0 1"}"#, "illegal_position"),
        (r#"{"ask":"explore","fen":"8/8/8/3k4/8/8/1R6/K7 w - - 0 1","counts":"green"}"#, "bad_side"),
        (r#"{"ask":"explore","fen":"8/8/8/3k4/8/8/1R6/K7 w - 32 7 1","counts":"white"}"#, "bad_request"),
        (r#"{"ask":"line","fen":"8/8/8/3k4/8/8/1R6/K7 w - - 0 1","defence":"green"}"#, "bad_policy"),
    ] {
        let (answer, _) = site.ask(question);
        assert!(answer.contains(&format!(r#""reason":"{reason}""#)), "{question}: {answer}");
    }
    assert!(serde_json::from_str::<Question>(r#"{"ask":"search"}"#).is_err());
    let (batch, _) = site.ask(r#"{"ask":"batch","fens":["x","8/8/8/3k4/8/8/1R6/K7 w - - 0 1"]}"#);
    assert!(batch.starts_with(r#"[{"fen":"x""#) && batch.contains(r#""material":"KRvK""#), "{batch}");
}
