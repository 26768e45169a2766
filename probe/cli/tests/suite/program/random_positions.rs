//! `research positions`.

use std::process::Output;

use super::{errors, run, text};

fn positions(arguments: &[&str]) -> Output {
    run(&[&["research", "positions", "--quiet"], arguments].concat(), b"")
}

#[test]
fn positions_are_printed() {
    let output = positions(&["KRvKS", "KRRvK", "--sample", "300", "--seed", "5"]);
    assert_eq!((output.status.code(), text(&output).lines().count()), (Some(0), 300), "{}", errors(&output));
    let output = positions(&["KRvK", "--sample", "10", "--format", "plain"]);
    assert_eq!((output.status.code(), text(&output).lines().count()), (Some(0), 60), "{}", errors(&output));
}
