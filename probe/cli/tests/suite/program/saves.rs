//! `research saves`.

use std::process::{Output, Stdio};

use super::{command, errors, objects, run, text};

/// The output of `research saves`.
fn saves(arguments: &[&str]) -> Output {
    run(&[&["research", "saves", "--quiet"], arguments].concat(), b"")
}

#[test]
fn saves_are_listed_in_parts_and_from_cell_to_cell_as_in_one_go() {
    let ask = |more: &[&str]| {
        let output = saves(&[&["--format", "epd", "--where", "unique", "KSvK", "KRvK"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (text(&output).to_owned(), errors(&output).to_owned())
    };
    let (whole, said) = ask(&[]);
    assert!(whole.lines().count() > 100 && said.is_empty(), "{said}");
    let parts: String = (1..=3).map(|part| ask(&["--part", &format!("{part}/3"), "--threads", "1"]).0).collect();
    assert!(parts == whole);
    let (first, said) = ask(&["--limit", "50"]);
    assert_eq!(first.lines().count(), 50);
    let cursor = said.lines().last().unwrap().strip_prefix("makruk-probe research saves: go on with --from ").unwrap();
    let [before, after] = ["--until", "--from"].map(|option| ask(&[option, cursor]).0);
    assert!(before == first && before + &after == whole);
}

#[test]
fn examples_are_spread_over_the_table_and_numbers_have_their_shares() {
    let sample = saves(&["--sample", "10", "--brief", "KRvKR"]);
    let kings: std::collections::HashSet<String> = objects(&sample)
        .iter()
        .map(|save| save["fen"].as_str().unwrap().split(' ').next().unwrap().replace(['R', 'r'], "1"))
        .collect();
    assert!(kings.len() >= 8, "{kings:?}");
    // All saves of this material have Black to move.
    assert_eq!(text(&saves(&["--sample", "10", "--brief", "KRvKS"])).lines().count(), 10);
    let counted = saves(&["--count", "--where", "unique", "KRvKR"]);
    assert_eq!(text(&counted), "2088 of 7480 saves up to symmetry (27.9%)\n");
    for (side, saves_of_side) in [("white", 3740), ("black", 3740)] {
        let counted = saves(&["--count", "--side", side, "KRvKR"]);
        assert_eq!(text(&counted), format!("{saves_of_side} saves up to symmetry\n"));
    }
}

#[test]
fn a_scan_that_is_interrupted_says_where_to_go_on() {
    use std::io::{BufRead, BufReader, Read};

    let arguments = ["research", "saves", "--quiet", "--brief", "--threads", "1", "KRvKR"];
    let scan = |more: &[&str]| {
        let mut command = command(&arguments);
        command.args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let mut child = scan(&[]).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    // The rest of the output does not fit into a pipe, so the scan is not at its end.
    assert!(std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let mut before = first;
    output.read_to_string(&mut before).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(143));
    let said = String::from_utf8(ended.stderr).unwrap();
    let cursor = said.lines().last().unwrap().strip_prefix("makruk-probe research saves: go on with --from ").unwrap();
    let after = scan(&["--from", cursor]).output().unwrap();
    let whole = scan(&[]).output().unwrap();
    assert!(before.len() < whole.stdout.len());
    assert!(before.as_bytes().iter().chain(&after.stdout).eq(&whole.stdout));
}
