//! Engines and pyffish against the suite for the count. They differ from the rules in the cases listed here, and in no
//! other.

use std::collections::BTreeSet;
use std::process::Command;

use makruk_tests::count_suite::cases;
use makruk_tests::engine::Engine;

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

/// The cases in which an engine counts otherwise, or finds another mate.
fn differing(engine: &mut Engine) -> BTreeSet<String> {
    let mut differing = BTreeSet::new();
    for case in cases() {
        engine.new_game();
        let fen = engine.show(&case.fen, &case.moves).fen;
        let fields: Vec<&str> = fen.split_whitespace().skip(3).collect();
        let count = match &fields[..] {
            ["-" | "0", ..] => None,
            [limit, ply, ..] => Some((limit.parse().expect(&fen), ply.parse().expect(&fen))),
            _ => panic!("{fen:?} has no count: {}", case.name),
        };
        let mate = |mate| engine.mate(&case.fen, &case.moves, case.depth()) == mate;
        if count != case.count() || !case.expected_mate().is_none_or(mate) {
            println!("{}: {count:?} in {fen}", case.name);
            differing.insert(case.name);
        }
    }
    differing
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
#[ignore = "is in the environment of the peers"]
fn our_player_agrees_in_every_case() {
    assert_eq!(differing(&mut Engine::makruk_probe(test_tables::small().path())), set(&[]));
}

#[test]
#[ignore = "needs fairy-stockfish of version 11, as Debian has it"]
fn fairy_stockfish_differs_where_it_is_known_to() {
    let expected = [&FAIRY_STOCKFISH[..], &FAIRY_STOCKFISH_11].concat();
    assert_eq!(differing(&mut Engine::start()), set(&expected));
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
