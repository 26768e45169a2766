//! Engines and pyffish against the suite for the count. They differ from the rules in the cases listed here, and in no
//! other.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use makruk_tests::count_suite::{Pyffish, Report, Subject, UciEngine, XboardEngine, cases, report};
use makruk_tests::programs::{PROBE, program};

/// The cases in which Fairy-Stockfish differs, of all versions.
///
/// - It lets the first move of a bare king go uncounted if no count is given.
/// - It begins pieces' honour at a baring capture that comes after board's honour has run out.
/// - It counts a mate that comes after the one more move.
/// - It counts on from the fields of a FEN with a pawn.
const FAIRY_STOCKFISH: [&str; 6] = [
    "capture-a-move-too-late",
    "count-fields-beside-a-pawn",
    "mate-after-the-end",
    "mates-after-the-last-move",
    "no-restart-after-the-end",
    "uncounted-bare-king-moves",
];

/// The cases in which only its engine of version 11 differs, as Debian has it.
///
/// - A position given to it with the count run out is searched all the same, so it finds a mate in one there.
/// - It begins no count when a bare king takes the last pawn.
/// - It counts on from the fields of a FEN with a pawn even when the pawn has promoted.
const FAIRY_STOCKFISH_11: [&str; 4] = [
    "bare-king-takes-the-last-pawn-of-rooks",
    "last-pawn-after-anything",
    "last-pawn-taken-by-bare-king",
    "rook-mate-too-late",
];

fn asked(subject: &mut dyn Subject) -> Report {
    let report = report(subject, &cases()).unwrap_or_else(|error| panic!("{}: {error}", subject.name()));
    print!("{report}");
    report
}

/// Asserts that a program answers at least this number of questions and differs in exactly these cases.
fn assert_differs(report: &Report, least: usize, expected: &[&str]) {
    let answers: usize = report.lines.iter().map(|line| line.asked).sum();
    assert!(answers >= least, "{answers} answers of {}", report.subject);
    let differing: BTreeSet<&str> = report.differing().map(|line| line.case.as_str()).collect();
    assert_eq!(differing, expected.iter().copied().collect(), "{report}");
}

fn probe() -> String {
    program(PROBE).get_program().to_string_lossy().into_owned()
}

/// The arguments of our player with these tables.
fn player(protocol: &str, tables: &Path) -> Vec<String> {
    [protocol, "--tables", &tables.to_string_lossy()].map(str::to_owned).to_vec()
}

#[test]
#[ignore = "is in the environment of the peers"]
fn our_player_agrees_in_every_case() {
    let folder = test_tables::small();
    for protocol in ["uci", "xboard"] {
        let arguments = player(protocol, folder.path());
        let mut subject: Box<dyn Subject> = match protocol {
            "uci" => Box::new(UciEngine::start(&probe(), &arguments, &[]).expect("our player")),
            _ => Box::new(XboardEngine::start(&probe(), &arguments, &[]).expect("our player")),
        };
        assert_differs(&asked(subject.as_mut()), if protocol == "uci" { 60 } else { 8 }, &[]);
    }
}

#[test]
#[ignore = "needs fairy-stockfish"]
fn fairy_stockfish_differs_where_it_is_known_to() {
    let program = fairy_stockfish();
    let mut engine = UciEngine::start(&program, &[], &[]).expect("fairy-stockfish");
    assert!(engine.name().starts_with("Fairy-Stockfish 11"), "another version: {}", engine.name());
    let expected: Vec<&str> = FAIRY_STOCKFISH.into_iter().chain(FAIRY_STOCKFISH_11).collect();
    assert_differs(&asked(&mut engine), 60, &expected);
    let mut engine = XboardEngine::start(&program, &[], &[]).expect("fairy-stockfish");
    assert_differs(&asked(&mut engine), 8, &[]);
}

#[test]
#[ignore = "needs a Python with pyffish"]
fn pyffish_differs_where_it_is_known_to() {
    let python = std::env::var("MAKRUK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut pyffish = Pyffish::start(&python).expect("a Python with pyffish: set MAKRUK_PYTHON");
    assert_differs(&asked(&mut pyffish), 50, &FAIRY_STOCKFISH);
}

/// The kit's folder.
const KIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/count-kit");

/// The exit status and the output of a command in the kit's folder.
fn kit(program: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(program).args(arguments).current_dir(KIT).env("PYTHONDONTWRITEBYTECODE", "1").output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// The cases that a report of the kit lists.
fn listed(report: &str) -> BTreeSet<&str> {
    report
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(", "))
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with(' '))
        .collect()
}

#[test]
#[ignore = "needs python3"]
fn the_kit_finds_every_wrong_rule() {
    let ask = |rule: &str| kit("python3", &["-m", "makruk_count_kit", "makruk_count_kit.subjects:counting", rule]);
    let (status, report) = ask("right");
    assert_eq!(status, Some(0), "{report}");
    assert!(report.starts_with("260 answers, 0 differ"), "{report}");
    for rule in 0..10 {
        let (status, report) = ask(&rule.to_string());
        assert_eq!(status, Some(1), "{rule}: {report}");
        assert!(listed(&report).len() >= 3, "{rule}: {report}");
    }
    for wrong in [&["-m", "makruk_count_kit"][..], &["-m", "makruk_count_kit", "nothing:here"]] {
        assert_eq!(kit("python3", wrong).0, Some(2));
    }
}

#[test]
#[ignore = "needs a Python with pyffish"]
fn the_kit_asks_pyffish() {
    let python = std::env::var("MAKRUK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let (status, report) = kit(&python, &["-m", "makruk_count_kit", "makruk_count_kit.subjects:pyffish"]);
    assert_eq!(status, Some(1), "{report}");
    assert_eq!(listed(&report), BTreeSet::from(FAIRY_STOCKFISH), "{report}");
}

#[test]
#[ignore = "needs Node and ffish-es6"]
fn the_kit_asks_ffish() {
    let (status, report) = kit("node", &["run.mjs", "subjects/ffish.mjs"]);
    assert_eq!(status, Some(1), "FFISH names the folder in which ffish-es6 is installed: {report}");
    assert_eq!(listed(&report), BTreeSet::from(FAIRY_STOCKFISH), "{report}");
    assert_eq!(kit("node", &["run.mjs", "./nothing.mjs"]).0, Some(2));
}

#[test]
#[ignore = "needs jsonschema"]
fn the_cases_fit_their_schema() {
    let python = std::env::var("MAKRUK_CLIENTS").map_or_else(|_| "python3".to_owned(), |bin| format!("{bin}/python"));
    let check = "import json, jsonschema\n\
                 read = lambda name: json.load(open('makruk_count_kit/' + name))\n\
                 jsonschema.Draft202012Validator(read('cases.schema.json')).validate(read('cases.json'))";
    let (status, report) = kit(&python, &["-c", check]);
    assert_eq!(status, Some(0), "{report}");
}

/// Fairy-Stockfish, as the environment or Debian provides it.
fn fairy_stockfish() -> String {
    let debian = "/usr/games/fairy-stockfish";
    std::env::var(makruk_tests::engine::VARIABLE)
        .unwrap_or_else(|_| if Path::new(debian).exists() { debian.to_owned() } else { "fairy-stockfish".to_owned() })
}
