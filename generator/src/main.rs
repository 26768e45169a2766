//! `makruk-gen`: builds, checks and describes endgame tables.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
