//! Generates `probe/c/include/makruk_probe.h` from the sources of the C library. `--check` compares instead of writing.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use cbindgen::{Builder, Config};

/// The crate `makruk-probe-capi`.
const CRATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const COMMAND: &str = "cargo run --manifest-path probe/c/header/Cargo.toml";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let is_check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        _ => {
            eprintln!("usage: {COMMAND} [-- --check]");
            return ExitCode::from(2);
        }
    };
    match run(is_check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(is_check: bool) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(CRATE);
    let config = Config::from_file(folder.join("cbindgen.toml"))?;
    let mut generated = Vec::new();
    Builder::new().with_config(config).with_src(folder.join("src/lib.rs")).generate()?.write(&mut generated);
    let header = in_c(&String::from_utf8(generated)?);
    let path = folder.join("include/makruk_probe.h");
    if !is_check {
        fs::write(path, header)?;
    } else if fs::read_to_string(path)? != header {
        return Err(format!(
            "probe/c/include/makruk_probe.h differs from what the sources generate: run `{COMMAND}` and commit it."
        )
        .into());
    }
    Ok(())
}

/// The header as C programmers write it: negative constants in parentheses, a contract where Rust has a heading, no marks
/// around names.
fn in_c(generated: &str) -> String {
    let line = |line: &str| -> String {
        if let Some((name, value)) = line.strip_prefix("#define ").and_then(|define| define.split_once(' '))
            && value.starts_with('-')
        {
            return format!("#define {name} ({value})\n");
        }
        line.replace(" # Safety", " Contract:").replace('`', "") + "\n"
    };
    let text: String = generated.lines().map(line).collect();
    text.replace(" Contract:\n\n ", " Contract: ")
}

#[test]
fn the_header_is_c() {
    let generated =
        "/*\n A `name`.\n\n # Safety\n\n `fen` is NULL.\n */\n#define MAKRUK_BAD -1\n#define MAKRUK_MANY 128\n";
    let expected = "/*\n A name.\n\n Contract: fen is NULL.\n */\n#define MAKRUK_BAD (-1)\n#define MAKRUK_MANY 128\n";
    assert_eq!(in_c(generated), expected);
}
