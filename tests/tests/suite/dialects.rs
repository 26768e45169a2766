//! Positions as people and programs write them, read by the library. The tests of doors ask them too.
//!
//! The tables of inputs are in `tests/data/dialects`; its README explains their columns. The reader in C has tests of
//! its own over the same files.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use makruk_rules::Reading;

/// A row of a table of inputs.
struct Row {
    /// The place of the row, for messages.
    place: String,
    /// The text as it was written.
    text: String,
    /// The right reading: a FEN, `ERROR`, or `ANY`; with ` or ERROR` if the text may be refused too.
    right: String,
    /// A part of the note or of the error; `-` for no note. Rows of others' texts have none.
    part: Option<String>,
}

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/dialects");
    let read = |name: &str, is_own: bool| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        let rows = lines.map(|(at, line)| {
            let fields: Vec<&str> = line.split('\t').collect();
            let place = format!("{name}, line {}: {line}", at + 1);
            match (is_own, &fields[..]) {
                (true, &[_, text, right, part]) => {
                    let [text, part] = [text, part].map(unescaped);
                    Row { place, text, right: right.to_owned(), part: Some(part) }
                }
                (false, &[_, _, text, right, _]) => {
                    Row { place, text: text.to_owned(), right: right.to_owned(), part: None }
                }
                _ => panic!("{place}: fields are missing"),
            }
        });
        rows.collect::<Vec<_>>()
    };
    [read("rules.tsv", true), read("given.txt", false)].into_iter().flatten().collect()
}

/// The texts, for tests of doors that pass them on.
pub(super) fn texts() -> Vec<String> {
    rows().into_iter().map(|row| row.text).collect()
}

/// A text with `\t`, `\r` and `\u{...}` undone.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (letter, rest) = match part.split_at(1) {
            ("t", rest) => ('\t', rest),
            ("r", rest) => ('\r', rest),
            _ => {
                let (code, rest) = part.strip_prefix("u{").unwrap().split_once('}').unwrap();
                (char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap(), rest)
            }
        };
        plain.push(letter);
        plain.push_str(rest);
    }
    plain
}

#[test]
fn the_library_reads_what_is_right() {
    for Row { place, text, right, part } in rows() {
        let read = Reading::parse(&text);
        let (right, may_be_refused) = match right.strip_suffix(" or ERROR") {
            Some(right) => (right, true),
            None => (right.as_str(), false),
        };
        let said = match (&read, right) {
            (_, "ANY") => continue,
            (Err(_), _) if may_be_refused => continue,
            (Err(error), "ERROR") => error.to_string(),
            (Ok(reading), right) => {
                assert_eq!(reading.fen.to_string(), right, "{place}");
                reading.sentences().join("; ")
            }
            (Err(error), _) => panic!("{error}: {place}"),
        };
        match part.as_deref() {
            None => {}
            Some("-") => assert_eq!(said, "", "{place}"),
            Some(part) => assert!(said.contains(part), "{said}: {place}"),
        }
        if let Ok(reading) = read {
            let again = Reading::parse(&reading.fen.to_string());
            assert_eq!(again.as_ref().map(|again| &again.fen), Ok(&reading.fen), "{place}");
        }
    }
}
