//! `makruk-probe`: what a Makruk position is worth under the count.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::run()
}
