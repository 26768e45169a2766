//! Games as people and programs write them, read by the library. The tests of doors ask them too.
//!
//! The files and the table of their right readings are in `tests/data/dialects/games`; a README beside them explains
//! its columns.

// A test's helpers may fail as its body may.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use makruk_rules::{CountingRules, Games, decode};

/// A row of the table.
struct Row {
    file: PathBuf,
    text: String,
    /// The plies of each game; `None` if the file is to be refused.
    plies: Option<Vec<usize>>,
    /// Whether the file may be refused as well.
    may_be_refused: bool,
    /// The first position, or `-`.
    start: String,
}

/// A game that was read: every position, and the notes. The error of a game that was not.
type Shown = Result<(Vec<String>, Vec<String>), String>;

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/dialects/games");
    let table = fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let row = |line: &str| {
        let [name, _, plies, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let file = folder.join(name);
        let text = decode(&fs::read(&file).unwrap()).0.into_owned();
        let (plies, may_be_refused) = plies.strip_suffix(" or ERROR").map_or((plies, false), |plies| (plies, true));
        let plies = (plies != "ERROR").then(|| plies.split(',').map(|plies| plies.parse().unwrap()).collect());
        Row { file, text, plies, may_be_refused, start: start.to_owned() }
    };
    table.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// The library's reading.
fn read(text: &str) -> Vec<Shown> {
    let games = Games::parse(text).map(|game| match game {
        Ok(game) => Ok((
            game.fens(&CountingRules::MAKRUK).iter().map(ToString::to_string).collect(),
            game.notes.iter().map(ToString::to_string).collect(),
        )),
        Err(error) => Err(error.to_string()),
    });
    games.collect()
}

/// The texts, for tests of doors that pass them on.
pub(super) fn texts() -> Vec<String> {
    rows().into_iter().map(|row| row.text).collect()
}

#[test]
fn the_library_reads_what_is_right() {
    let rows = rows();
    assert_eq!(rows.len(), 27);
    for Row { file, text, plies, may_be_refused, start } in rows {
        let games: Vec<Shown> = read(&text);
        let file = file.display();
        let found: Option<Vec<usize>> =
            games.iter().map(|game| game.as_ref().ok().map(|(fens, _)| fens.len() - 1)).collect();
        assert!(found == plies || may_be_refused && found.is_none(), "{file}: {games:?}");
        if let (Some(Ok((fens, _))), true) = (games.first(), start != "-") {
            assert_eq!(fens[0], start, "{file}");
        }
    }
}

#[test]
fn the_files_of_thai_and_latin_letters_have_the_same_moves() {
    let positions = |name: &str| {
        let row = rows().into_iter().find(|row| row.file.ends_with(name)).unwrap();
        read(&row.text).remove(0).unwrap().0
    };
    assert_eq!(positions("thai-san.pgn"), positions("ms4-crlf.pgn"));
}
