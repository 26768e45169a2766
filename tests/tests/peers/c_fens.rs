//! The reader in one file of C reads the FENs that other programs write as the library does, with the same sentences.

use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use makruk_rules::{Fen, FenError, FenErrorKind, Note, Reading};
use test_tables::{RandomPositions, random_position};

use crate::c_reader::{number, run, sanitized};

/// FENs of other programs, and texts for each rule of the page: the text is in the third and in the second column, its
/// right reading in the next one.
const GIVEN: &str = include_str!("../../data/dialects/given.txt");
const RULES: &str = include_str!("../../data/dialects/rules.tsv");

/// The texts that the reader in C reads as the library does, with their right readings.
fn texts() -> Vec<(String, &'static str)> {
    let rows = [(GIVEN, 2), (RULES, 1)].into_iter().flat_map(|(file, column)| {
        file.lines().filter(|line| !line.starts_with('#')).map(move |line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (unescaped(fields[column]), fields[column + 1])
        })
    });
    rows.filter(|(text, _)| is_alike(text)).collect()
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| {
        let (number, rest) = part.split_once('}').expect("an escape");
        let letter = u32::from_str_radix(number, 16).ok().and_then(char::from_u32).expect("a letter");
        format!("{text}{letter}{rest}")
    });
    text.replace("\\t", "\t").replace("\\r", "\r")
}

/// The line that the program prints about a text: result, FEN and explanation.
fn line_about(text: &str) -> String {
    match Reading::parse(text) {
        Ok(reading) => format!("ok\t{}\t{}", reading.fen, reading.sentences().join("; ")),
        Err(error) => {
            let kind = match error.kind() {
                FenErrorKind::BadFen => "bad FEN",
                FenErrorKind::IllegalPosition => "illegal position",
                FenErrorKind::BadCount => "bad count",
            };
            format!("{kind}\t\t{error}")
        }
    }
}

/// Whether the reader in C reads a text as the library does, with the same sentence. It knows no links, nothing of
/// files and materials, and shows the text after a FEN as it is written.
fn is_alike(text: &str) -> bool {
    let is_other = match Reading::parse(text) {
        Ok(reading) => reading.notes.contains(&Note::Link),
        Err(error) => matches!(error, FenError::Material(_) | FenError::FileName(_)),
    };
    let is_plain = text.contains(' ') || !text.contains([';', '#']);
    let has_other_escapes = text.split('%').skip(1).any(|rest| !rest.starts_with("20") && !rest.starts_with("2F"));
    !is_other && !text.contains("://") && is_plain && !has_other_escapes
}

/// The text with a few letters changed, and fields of others.
fn changed(text: &str, rng: &mut Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.u8(1..5) {
        let at = rng.usize(..=letters.len());
        let pieces = [
            " ", " - ", " 0 ", " 64", "/", "8", "~", "+", ";", "#", "_", "%20", "\"", "\u{e51}", "Q", "p", " w ", "e3",
        ];
        let piece: Vec<char> = pieces[rng.usize(..pieces.len())].chars().collect();
        match rng.u8(..4) {
            0 => drop(letters.splice(at..at, piece)),
            1 => drop(letters.splice(at..(at + 1).min(letters.len()), piece)),
            2 => drop(letters.drain(at..(at + rng.usize(..3)).min(letters.len()))),
            _ => drop(letters.splice(at..at, [if rng.bool() { rng.char(' '..='~') } else { rng.char('ก'..='ฮ') }])),
        }
    }
    letters.into_iter().collect()
}

/// Asks the program about texts, one per line, and compares its answers with the library's.
fn compare(texts: &[String], place: &Path) {
    let input = place.join("texts");
    std::fs::write(&input, texts.join("\n")).expect("a file of texts");
    let answers = run(&mut Command::new(sanitized("fens")), &input);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), texts.len());
    for (text, answer) in texts.iter().zip(answers) {
        assert_eq!(answer, line_about(text), "{text}");
    }
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn fens_of_other_programs_are_read_as_by_the_library() {
    let place = tempfile::tempdir().expect("a folder");
    let originals = texts();
    for (text, right) in &originals {
        let read = Reading::parse(text).map_or("ERROR".to_owned(), |reading| reading.fen.to_string());
        assert!(*right == "ANY" || right.split(" or ").any(|right| right == read), "{text}");
    }
    let originals: Vec<String> = originals.into_iter().map(|(text, _)| text).collect();
    compare(&originals, place.path());
    let mut rng = Rng::with_seed(45);
    let mut texts = Vec::new();
    for _ in 0..number(40, 2000) {
        texts.extend(originals.iter().map(|text| changed(text, &mut rng)).filter(|text| is_alike(text)));
    }
    let read = texts.iter().filter(|text| Reading::parse(text).is_ok()).count();
    println!("{} changed texts, {read} of them positions", texts.len());
    assert!(read > texts.len() / 50 && read < texts.len());
    compare(&texts, place.path());
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn counts_are_judged_as_by_the_library() {
    let place = tempfile::tempdir().expect("a folder");
    let mut rng = Rng::with_seed(61);
    let limits = [8, 14, 16, 22, 30, 32, 42, 44, 62, 64, 86, 88, 126, 128, 4999, 5000];
    let text = |_| {
        let men = RandomPositions { most_men: rng.u32(3..=9), pawns: false };
        let board = Fen::new(random_position(&mut rng, men), None).to_string();
        let fields = board.strip_suffix(" - 0 1").expect("no count");
        let limit = limits[rng.usize(..limits.len())];
        match rng.u8(..5) {
            0 => format!("{fields} {limit}"),
            1 => format!("{fields} {} {limit}", rng.u32(1..30)),
            2 => format!("{fields} {limit} {}", limit + rng.u32(..9)),
            _ => format!("{fields} {limit} {}", rng.u32(..30)),
        }
    };
    let texts: Vec<String> = (0..number(20_000, 1_000_000)).map(text).collect();
    let noted = texts.iter().filter(|text| text.parse::<Fen>().is_err()).count();
    println!("{} counts, {noted} of them noted", texts.len());
    assert!(noted > texts.len() / 4 && noted < texts.len() * 3 / 4);
    compare(&texts, place.path());
}

#[test]
#[ignore = "needs gcc with sanitizers"]
fn no_text_does_harm() {
    let place = tempfile::tempdir().expect("a folder");
    let input = place.path().join("texts");
    let texts: Vec<String> = texts().into_iter().map(|(text, _)| text).collect();
    std::fs::write(&input, texts.join("\n")).expect("a file of texts");
    run(Command::new(sanitized("fens")).arg(number(100, 10_000).to_string()), &input);
}
