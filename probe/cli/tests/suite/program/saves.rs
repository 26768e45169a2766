//! `research saves`.

use std::process::{Output, Stdio};

use super::{command, objects, run, text};

/// The output of `research saves`.
fn saves(arguments: &[&str]) -> Output {
    run(&[&["research", "saves", "--quiet"], arguments].concat(), b"")
}

#[test]
fn saves_are_listed_in_parts_and_after_breaks_as_in_one_go() {
    list_in_parts("KSvK", &[&["--brief"], &["--format", "epd", "--where", "unique"]]);
    let [all, white, black] = [&[][..], &["--side", "white"], &["--side", "black"]].map(|more| count("KRvKR", more));
    assert!(white > 0 && black > 0 && white + black == all, "{white} and {black} of {all}");
}

/// The number of saves of a material.
fn count(material: &str, more: &[&str]) -> u64 {
    let output = saves(&[&["--count", material], more].concat());
    text(&output).split(' ').next().unwrap().parse().unwrap()
}

fn list_in_parts(material: &str, formats: &[&[&str]]) {
    for &format in formats {
        let ask = |more: &[&str]| {
            let output = saves(&[format, &[material, "KRvK"], more].concat());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            (text(&output).to_owned(), String::from_utf8(output.stderr).unwrap())
        };
        let (whole, said) = ask(&[]);
        assert!(whole.lines().count() > 100 && said.is_empty(), "{said}");
        let parts: String = (1..=3).map(|part| ask(&["--part", &format!("{part}/3"), "--threads", "1"]).0).collect();
        assert!(parts == whole, "{format:?}");
        let mut resumed = String::new();
        let mut from = None::<String>;
        loop {
            let limit = (whole.lines().count() / 3).to_string();
            let mut more = vec!["--limit", &limit];
            more.extend(from.iter().flat_map(|cursor| ["--from", cursor]));
            let (page, said) = ask(&more);
            resumed += &page;
            let Some(cursor) = said.trim().strip_prefix("makruk-probe research saves: go on with --from ") else {
                break;
            };
            from = Some(cursor.to_owned());
        }
        assert!(resumed == whole, "{format:?}");
        let half = from.unwrap();
        let (before, after) = (ask(&["--until", &half]).0, ask(&["--from", &half]).0);
        assert!(before + &after == whole);
        let counted = saves(&[&["--count"], format.get(2..).unwrap_or_default(), &[material, "KRvK"]].concat());
        let number = text(&counted).split(' ').next();
        assert_eq!(number, Some(&*whole.lines().count().to_string()));
    }
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
    assert_eq!(text(&saves(&["--count", "KRvKR"])), "7480 saves up to symmetry\n");
}

#[cfg(unix)]
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
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut before = first;
    output.read_to_string(&mut before).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8(ended.stderr).unwrap();
    let cursor = said.trim().strip_prefix("makruk-probe research saves: go on with --from ").unwrap();
    let after = scan(&["--from", cursor]).output().unwrap();
    let whole = scan(&[]).output().unwrap();
    assert!(before.len() < whole.stdout.len());
    assert!(before.as_bytes().iter().chain(&after.stdout).eq(&whole.stdout));
}
