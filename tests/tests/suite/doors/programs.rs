//! The command line, and the Python package.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use makruk_answers::{Answer, Refusal, Remedy};
use makruk_console::table_remedy;
use makruk_probe::ProbeError;
use makruk_tests::programs::{PROBE, program};
use serde_json::{Value, json};

use super::{DAMAGED, TEXTS, check_older, dialects, failing, json_of, of_tables, questions, right, tables};

/// Answers whose sentences are those of the table's error; programs add what helps.
const PLAIN: Remedy = Remedy::Folder(|error: &ProbeError| error.to_string());

/// Answers whose sentences are those of the Python package: a table's error, and what helps.
const PYTHON: Remedy = Remedy::Folder(|error: &ProbeError| {
    let remedy = if let ProbeError::Table(error) = error { table_remedy(error) } else { None };
    remedy.map_or_else(|| error.to_string(), |remedy| format!("{error}; {remedy}"))
});

/// Compares an answer with the library's. A program adds what helps to the sentence for a table.
fn check(question: &Value, mut answer: Value, mut right: Value) {
    if let (Some(answers), Some(right)) =
        (answer["unknown_moves"].as_array_mut(), right["unknown_moves"].as_array_mut())
    {
        for (answer, right) in answers.iter_mut().zip(right) {
            let (error, said) = (answer["error"].take(), right["error"].take());
            assert!(error.as_str().unwrap().starts_with(said.as_str().unwrap()), "{error}: {said}");
        }
    }
    if let (Some(said), Some(error)) = (right["error"].as_str(), answer["error"].as_str()) {
        assert!(error.starts_with(said), "{error}: {said}");
        if question["fen"] == DAMAGED[1] {
            check_older(error);
        }
        (right["error"], answer["error"]) = (Value::Null, Value::Null);
    }
    assert_eq!(answer, right, "{question}");
}

/// The exit status of a program that gave this answer.
fn status(answer: &Result<Answer, Box<Refusal>>) -> u8 {
    answer.as_ref().map_or_else(|refusal| refusal.reason.exit_status(), |_| 0)
}

/// The objects that a program prints for some input, one a line, and its exit status.
pub(super) fn objects(command: &mut Command, input: String) -> (Vec<Value>, i32) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(|line| line.parse().unwrap()).collect(), output.status.code().unwrap())
}

#[test]
fn query_gives_them() {
    let written = dialects::texts();
    let texts = || TEXTS.into_iter().chain(DAMAGED).chain(written.iter().map(String::as_str));
    let mut command = program(PROBE);
    let command = command.args(["query", "--json", "--moves", "--tables"]).arg(tables()).arg("--").args(texts());
    let (answers, found) = objects(command, String::new());
    assert_eq!(answers.len(), texts().count(), "{answers:?}");
    let mut expected = 0;
    for (fen, answer) in texts().zip(answers) {
        let question = json!({ "ask": "probe", "fen": fen, "moves": true });
        let right = right(&question, PLAIN);
        expected = expected.max(status(&right));
        check(&question, answer, json_of(&right));
    }
    assert_eq!(found, i32::from(expected));
}

/// One line for each position with a verdict, and one for each game: its summary, or the reason why it cannot be read.
#[test]
fn analyse_gives_them() {
    for question in questions().into_iter().chain(failing()).filter(|question| question["ask"] == "analyse") {
        // It has no option for a position to begin from.
        if question["from"].is_string() {
            continue;
        }
        let mut command = program(PROBE);
        let unclaimed = question["unclaimed"].as_bool().filter(|&is_so| is_so).map(|_| "--unclaimed");
        let command = command.args(["analyse", "--json", "--tables"]).arg(tables()).args(unclaimed).arg("-");
        let (answers, status) = objects(command, question["pgn"].as_str().unwrap().to_owned());
        let (mut answers, mut is_right) = (answers.into_iter(), true);
        let right = json_of(&right(&question, PLAIN));
        for mut game in right["games"].as_array().unwrap().iter().cloned() {
            let Some(positions) = game["positions"].as_array() else {
                let mut answer = answers.next().unwrap();
                is_right = false;
                if game["problem"] == "position" {
                    // The program says which of its commands takes a position.
                    (game["error"], answer["error"]) = (Value::Null, Value::Null);
                }
                check(&question, answer, game);
                continue;
            };
            let covered = positions.iter().filter(|at| at["reason"].is_null());
            for mut at in covered.clone().cloned() {
                at["game"] = game["game"].clone();
                check(&question, answers.next().unwrap(), at);
            }
            let answer = answers.next().unwrap();
            let summary = &answer["summary"];
            let of =
                |reasons: &[&str]| positions.iter().filter(|at| reasons.iter().any(|one| at["reason"] == *one)).count();
            let missing =
                summary["missing"].as_array().unwrap().iter().map(|table| table["positions"].as_u64().unwrap());
            assert_eq!((&answer["game"], &summary["positions"]), (&game["game"], &json!(positions.len())));
            assert_eq!((&summary["covered"], &summary["notes"]), (&json!(covered.count()), &game["notes"]));
            assert_eq!(missing.sum::<u64>() as usize, of(&["missing_table"]), "{answer}");
            assert_eq!(summary["too_many_men"], of(&["too_many_men"]), "{answer}");
            for (list, reason) in [("damaged", "corrupt_table"), ("unreadable", "unreadable_table")] {
                assert_eq!(summary[list] != json!([]), of(&[reason]) > 0, "{answer}");
                is_right &= of(&[reason]) == 0;
            }
            let gave_away = |side: &str, what: &str| {
                let is_one = |at: &&Value| at["side"] == side && at["played"]["gave_away"] == what;
                positions.iter().filter(is_one).count()
            };
            for side in ["white", "black"] {
                for (name, what) in [("wins", "win"), ("draws", "draw"), ("slow_moves", "time")] {
                    assert_eq!(summary["gave_away"][side][name], gave_away(side, what), "{answer}");
                }
            }
        }
        assert_eq!((answers.next(), status), (None, i32::from(!is_right)), "{question}");
    }
}

/// A move of Python's has what it knows of the position after it, and its squares.
fn check_moves(question: &Value, answers: &Value, right: &Value) {
    let (answers, right) = (answers.as_array().unwrap(), right.as_array().unwrap());
    assert_eq!(answers.len(), right.len(), "{question}");
    for (answer, right) in answers.iter().zip(right) {
        for (name, value) in answer.as_object().unwrap() {
            if !["count", "from_square", "to_square"].contains(&&**name) {
                assert_eq!(*value, right[name], "{question}: {answer}");
            }
        }
        let field =
            |at: usize| right["fen"].as_str().unwrap().split(' ').nth(at).and_then(|text| text.parse::<u32>().ok());
        let limit = field(3);
        let (count, ply) = (&answer["count"], limit.and(field(4)));
        assert_eq!((&count["limit"], &count["ply"]), (&json!(limit), &json!(ply)), "{question}: {answer}");
        assert_eq!(count["rule"] == "none", limit.is_none(), "{question}: {answer}");
        if !right["attacker_moves_left"].is_null() {
            assert_eq!(count["attacker_moves_left"], right["attacker_moves_left"], "{question}: {answer}");
        }
    }
}

#[test]
#[ignore = "needs the Python package"]
fn python_gives_them() {
    let python = std::env::var_os("MAKRUK_WHEEL").expect("MAKRUK_WHEEL: a Python with the package makruk_probe");
    // It asks for the moves of a position apart, and has no answer to the others.
    let kinds = ["probe", "line", "play", "batch", "category", "statistics"];
    let of_tables = of_tables().filter(|question| question["longest"].is_null());
    let questions = questions().into_iter().chain(failing()).chain(of_tables).flat_map(|question| {
        let moves = json!({ "ask": "moves", "fen": question["fen"] });
        if question["ask"] == "probe" { vec![question, moves] } else { vec![question] }
    });
    let is_asked = |question: &Value| kinds.iter().chain(&["moves"]).any(|kind| question["ask"] == *kind);
    let questions: Vec<Value> = questions.filter(is_asked).collect();
    let input = questions.iter().map(|question| format!("{question}\n")).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python_door.py");
    let (answers, status) = objects(Command::new(python).arg(script).arg(tables()), input);
    assert_eq!(status, 0);
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(answers) {
        check_python(question, &answer, &json_of(&right(question, PYTHON)), "");
    }
}

/// `place` is what the sentence for one of many positions begins with.
fn check_python(question: &Value, answer: &Value, right: &Value, place: &str) {
    if right["reason"].is_string() {
        // A question that cannot be asked is Python's ValueError.
        let class = match right["reason"].as_str().unwrap() {
            "bad_policy" | "bad_material" => "ValueError",
            "missing_table" => "MissingTableError",
            "unreadable_table" => "UnreadableTableError",
            "corrupt_table" => "CorruptTableError",
            _ => "PositionError",
        };
        assert_eq!(answer["class"], class, "{question}: {answer}");
        if class != "ValueError" {
            assert_eq!(answer["reason"], right["reason"], "{question}");
        }
        let said = right["error"].as_str().unwrap().replace("\\u{0}", "\\x00");
        assert_eq!(answer["error"], place.to_owned() + &said, "{question}");
        if question["fen"] == DAMAGED[1] {
            check_older(answer["error"].as_str().unwrap());
        }
        return;
    }
    match question["ask"].as_str().unwrap() {
        "probe" => {
            let mut right = right.clone();
            right
                .as_object_mut()
                .unwrap()
                .retain(|field, _| !["status", "moves", "unknown_moves"].contains(&field.as_str()));
            assert_eq!(*answer, right, "{question}");
        }
        "batch" => {
            let (given, answers) = (&question["fens"], answer.as_array().unwrap());
            let right = right.as_array().unwrap();
            assert_eq!(answers.len(), right.len());
            for (at, (answer, right)) in answers.iter().zip(right).enumerate() {
                let kind = if question["moves"] == true { "moves" } else { "probe" };
                let question = json!({ "ask": kind, "fen": right["fen"] });
                let is_of_moves = kind == "moves" && right["reason"].is_null();
                let of_moves = is_of_moves.then(|| json_of(&super::right(&question, PYTHON)));
                let place = format!("position {at} of the list, {:?}: ", given[at].as_str().unwrap());
                check_python(&question, answer, of_moves.as_ref().unwrap_or(right), &place);
            }
        }
        "category" => assert_eq!(answer["category"], right["category"], "{question}"),
        "statistics" => assert_eq!(*answer, json!([right]), "{question}"),
        "line" => check_moves(question, answer, &right["line"]),
        "play" => {
            let made = right["move"].is_object().then(|| right["move"].clone());
            check_moves(question, answer, &json!(Vec::from_iter(made)));
        }
        _ => check_moves(question, answer, right),
    }
}
