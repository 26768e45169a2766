//! The module for browsers, with a site of tables whose bytes are fetched.

use std::fs;
use std::path::Path;
use std::process::Command;

use makruk_answers::{Question, Remedy};
use makruk_probe_wasm::{Outcome, Site};
use makruk_remote::Catalogue;
use serde_json::Value;

use super::programs::objects;
use super::{failing, json_of, questions, read, right, whole};

/// The outcome of a question to a site, whose bytes are fetched, and the number of fetches.
fn ask_site(site: &Site, question: &Value) -> (Value, usize) {
    let mut asking = match site.begin(read(question)) {
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
            let whole = fs::read(whole().join(want.file.to_string())).unwrap();
            let end = want.len.map_or(whole.len(), |len| (want.offset + len) as usize);
            site.store.give(want.file, want.offset, &whole[want.offset as usize..end]).unwrap();
        }
    }
    panic!("the question has no end");
}

/// Questions that a site takes: its module does not play.
fn of_sites() -> impl Iterator<Item = Value> {
    questions().into_iter().chain(failing()).filter(|question| question["ask"] != "play")
}

#[test]
fn a_site_gives_them() {
    let site = Site::new(Catalogue::read(&fs::read(whole().join(Catalogue::PATH)).unwrap()).unwrap(), 1 << 20);
    for question in of_sites() {
        let (answer, rounds) = ask_site(&site, &question);
        assert_eq!(answer, json_of(&right(&question, Remedy::Site)), "{question}");
        assert!(
            rounds <= if question["ask"].as_str().unwrap().contains("line") { 100 } else { 4 },
            "{rounds} rounds: {question}"
        );
    }
    assert!(serde_json::from_str::<Question>(r#"{"search":{}}"#).is_err());
}

#[test]
#[ignore = "needs Node"]
fn the_npm_package_gives_them() {
    let questions: Vec<Value> = of_sites().collect();
    let input = questions.iter().map(|question| format!("{question}\n")).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/node_door.mjs");
    let (answers, status) = objects(Command::new("node").arg(script).arg(whole()), input);
    assert_eq!(status, 0);
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(answers) {
        assert_eq!(answer, json_of(&right(question, Remedy::Site)), "{question}");
    }
}
