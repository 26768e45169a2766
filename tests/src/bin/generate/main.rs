//! Generates the files that follow from others: the protocol's code and page, the OpenAPI description,
//! TypeScript's types. `--check` compares instead of writing.

mod description;
mod page;
mod protocol;

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

/// The repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("usage: cargo regenerate [--check]");
            return ExitCode::from(2);
        }
    };
    match generate(is_check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(is_check: bool) -> Outcome<()> {
    let act = if is_check { compare } else { write };
    for (file, content) in protocol::files()? {
        act(&file, &content)?;
    }
    act("probe/service/openapi.json", description::text()?.as_bytes())?;
    // Its types are made by a tool of TypeScript's.
    let script = if is_check { "check" } else { "build" };
    let made = Command::new("npm")
        .args(["run", "--silent", "--prefix", "probe/wasm/types", script])
        .current_dir(ROOT)
        .status()?;
    match made.success() {
        true => Ok(()),
        false => Err("TypeScript's types: run `npm ci --prefix probe/wasm/types`, then `cargo regenerate`".into()),
    }
}

fn write(file: &str, content: &[u8]) -> Outcome<()> {
    Ok(fs::write(Path::new(ROOT).join(file), content)?)
}

fn compare(file: &str, content: &[u8]) -> Outcome<()> {
    match fs::read(Path::new(ROOT).join(file)) {
        Ok(committed) if committed == content => Ok(()),
        _ => Err(format!("{file} differs from what its sources generate: run `cargo regenerate` and commit it").into()),
    }
}
