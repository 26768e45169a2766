//! The program `makruk-probe`.

use std::process::ExitCode;

fn main() -> ExitCode {
    makruk_cli::main()
}
