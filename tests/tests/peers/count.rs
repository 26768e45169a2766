//! Engines and pyffish against the suite for the count. They differ from the rules in the cases listed here, and in no other.

use std::collections::BTreeSet;
use std::path::Path;

use makruk_tests::built;
use makruk_tests::count_suite::{Pyffish, Report, Subject, UciEngine, XboardEngine, cases, report};
use makruk_tests::programs::{PROBE, program};

/// The cases in which Fairy-Stockfish differs, of all versions.
///
/// - It lets the first move of a bare king go uncounted if no count is given.
/// - It begins pieces' honour at a baring capture that comes after board's honour has run out.
/// - It counts a mate that comes after the one more move.
const FAIRY_STOCKFISH: [&str; 3] = ["mate-after-the-end", "no-restart-after-the-end", "uncounted-bare-king-moves"];

/// The cases in which only its engine of version 11 differs, as Debian has it.
///
/// - A position given to it with the count run out is searched all the same, so it finds a mate in one there.
/// - It begins no count when a bare king takes the last pawn.
const FAIRY_STOCKFISH_11: [&str; 2] = ["last-pawn-taken-by-bare-king", "rook-mate-too-late"];

fn asked(subject: &mut dyn Subject) -> Report {
    let report = report(subject, &cases()).unwrap_or_else(|error| panic!("{}: {error}", subject.name()));
    print!("{report}");
    report
}

/// Asserts that a program answers at least so many questions and differs in exactly these cases.
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
    let folder = built::small_tables();
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

/// Fairy-Stockfish, as the environment or Debian provides it.
fn fairy_stockfish() -> String {
    let debian = "/usr/games/fairy-stockfish";
    std::env::var(makruk_tests::engine::VARIABLE)
        .unwrap_or_else(|_| if Path::new(debian).exists() { debian.to_owned() } else { "fairy-stockfish".to_owned() })
}
