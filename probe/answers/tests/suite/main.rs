//! Questions, asked as JSON, and their answers.

#![allow(clippy::unwrap_used)]

mod explore;
mod games;
mod lichess;

use std::sync::OnceLock;

use makruk_answers::{Answer, Ask, Door, Question, Refusal, Remedy};
use makruk_probe::{Prober, Tablebase};
use makruk_tables::material::Material;
use serde_json::{Value as Json, json};

/// Rook against bare king, White to move and win.
const ROOK_WINS: &str = "8/8/8/8/3k4/8/8/R3K3 w - - 0 1";

/// All materials of three men, KRvKR and KRPvK.
fn prober() -> Prober<Tablebase> {
    static TABLES: OnceLock<Prober<Tablebase>> = OnceLock::new();
    let open = || {
        let mut materials = test_tables::materials(&["KRvKR", "KRPvK"]);
        materials.extend(Material::all(3));
        Prober::new(Tablebase::new(test_tables::alone(materials)))
    };
    TABLES.get_or_init(open).clone()
}

/// The answer, or the refusal with its status in HTTP.
fn ask(question: Json) -> (u16, Json) {
    let question: Question = serde_json::from_value(question).unwrap();
    let answer: Result<Answer, Box<Refusal>> = question
        .ask(prober(), Door { remedy: Remedy::Server(|material| format!("build {material}")), most_positions: 1000 });
    match answer {
        Ok(answer) => (200, serde_json::to_value(answer).unwrap()),
        Err(refusal) => (refusal.reason.http_status(), serde_json::to_value(refusal).unwrap()),
    }
}

/// The answer to a question about a position.
fn of(kind: &str, fen: &str) -> (u16, Json) {
    ask(json!({ kind: { "fen": fen, "moves": true } }))
}

/// The same object without some of its fields.
fn without(json: &Json, fields: &[&str]) -> Json {
    let mut json = json.clone();
    fields.iter().for_each(|field| drop(json.as_object_mut().unwrap().remove(*field)));
    json
}
