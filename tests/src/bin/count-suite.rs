//! Asks an engine the suite for the count, and reports where it differs from the rules.
//!
//! ```sh
//! cargo run -p makruk-tests --bin count-suite -- --uci fairy-stockfish
//! cargo run -p makruk-tests --bin count-suite -- --xboard ./engine --option NAME=VALUE --json
//! ```

use std::process::ExitCode;

use makruk_tests::count_suite::{Subject, SubjectError, UciEngine, XboardEngine, cases, report};

const USAGE: &str = "\
usage: count-suite (--uci PROGRAM | --xboard PROGRAM) [--option NAME=VALUE]... [--json] [-- ARGUMENT...]
Exit status: 0 the engine agrees in every case; 1 it differs in some; 2 it cannot be asked.";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("count-suite: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns whether the engine agrees.
fn run() -> Result<bool, SubjectError> {
    let misuse = || SubjectError(USAGE.to_owned());
    let (mut program, mut options, mut json, mut passed_on) = (None, Vec::new(), false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--uci" | "--xboard" => program = Some((argument, arguments.next().ok_or_else(misuse)?)),
            "--option" => options.push(arguments.next().ok_or_else(misuse)?),
            "--json" => json = true,
            "--" => passed_on.extend(arguments.by_ref()),
            _ => return Err(misuse()),
        }
    }
    let (protocol, program) = program.ok_or_else(misuse)?;
    let mut subject: Box<dyn Subject> = match protocol.as_str() {
        "--uci" => Box::new(UciEngine::start(&program, &passed_on, &options)?),
        _ => Box::new(XboardEngine::start(&program, &passed_on, &options)?),
    };
    let report = report(subject.as_mut(), &cases())?;
    if json {
        println!("{}", serde_json::to_string(&report).map_err(|error| SubjectError(error.to_string()))?);
    } else {
        print!("{report}");
    }
    Ok(report.differing().next().is_none())
}
