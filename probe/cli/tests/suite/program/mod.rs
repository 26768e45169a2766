//! The program, run as users run it.

#[path = "../../../../tests/suite/common.rs"]
pub(crate) mod common;

mod games;
mod mistakes;
#[cfg(all(unix, feature = "full"))]
mod open;
mod partial;
mod player;
mod positions;
mod practice;
mod puzzles;
mod remedies;
mod saves;
#[cfg(feature = "full")]
mod site;
mod statistics;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
    command.args(arguments).env("MAKRUK_TABLES", common::folder());
    command
}

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn errors(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}
