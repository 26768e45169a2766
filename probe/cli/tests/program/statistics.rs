//! `research stats`, `study` and `plot`.

use std::process::Output;

use serde_json::Value;

use super::{command, errors, text};

fn run(arguments: &[&str]) -> Output {
    command(&["research"]).args(arguments).output().unwrap()
}

#[test]
fn statistics_have_three_formats() {
    let home = tempfile::tempdir().unwrap();
    let (csv, json) = (home.path().join("stats.csv"), home.path().join("stats.json"));
    let (csv, json) = (csv.to_str().unwrap(), json.to_str().unwrap());
    let output = run(&["stats", "KRvKR", "KRvK", "--csv", csv, "--json", json]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let table = text(&output);
    assert!(table.contains("KRvKR") && table.contains("3211696") && table.contains("16.7%"), "{table}");
    let csv = std::fs::read_to_string(csv).unwrap();
    let objects: Vec<Value> =
        std::fs::read_to_string(json).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), objects.len()), (5, 4));
    for (line, object) in lines[1..].iter().zip(&objects) {
        assert_eq!(line.len(), lines[0].len());
        for (name, field) in lines[0].iter().zip(line) {
            match &object[*name] {
                Value::Null => assert_eq!(*field, "", "{name}"),
                Value::String(text) => assert_eq!(field, text),
                Value::Object(_) => assert!(field.contains(':') || field.is_empty(), "{name}: {field}"),
                number => assert_eq!(field.parse::<f64>().unwrap(), number.as_f64().unwrap(), "{name}"),
            }
        }
    }
    assert_eq!((&objects[0]["set"], &objects[0]["saves"]), (&"KRvKR".into(), &29920.into()));
    // Headers alone have the same totals.
    let headers = run(&["stats", "KRvKR", "--headers", "--format", "json"]);
    let first: Value = serde_json::from_str(text(&headers).lines().next().unwrap()).unwrap();
    assert_eq!(first["taken"], objects[0]["taken"]);
    assert_eq!(first["sacrifice_share"], Value::Null);
}

#[test]
fn studies_are_printed_with_diagrams() {
    let home = tempfile::tempdir().unwrap();
    let output = run(&["study", "KRvKS", "--candidates", "500", "--best", "2", "--svg", home.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let printed = text(&output);
    assert!(
        printed.starts_with("1. KRvKS, ")
            && printed.contains("\n2. KRvKS, ")
            && printed.contains("    a b c d e f g h")
    );
    let files: Vec<_> = std::fs::read_dir(home.path()).unwrap().flatten().collect();
    assert_eq!(files.len(), 2);
    assert!(files.iter().all(|file| std::fs::read_to_string(file.path()).unwrap().starts_with("<svg")));
    let json = run(&["study", "KRvKS", "--candidates", "500", "--best", "2", "--json"]);
    let objects: Vec<Value> = text(&json).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert!(printed.contains(objects[1]["fen"].as_str().unwrap()));
}

#[test]
fn pictures_are_written() {
    let home = tempfile::tempdir().unwrap();
    let (svg, png) = (home.path().join("a.svg"), home.path().join("a.png"));
    for (file, begin) in [(&svg, &b"<svg"[..]), (&png, &b"\x89PNG"[..])] {
        let output = run(&["plot", "distances", "KSSvK", "--out", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        assert!(std::fs::read(file).unwrap().starts_with(begin));
    }
    let output = run(&["plot", "shares", "KSSvK", "KRvKS", "--out", svg.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    for wrong in [
        &["plot", "distances", "KSSvK", "--out", "a.gif"][..],
        &["plot", "distances", "--out", "a.svg"],
        &["plot", "squares", "KSSvK", "KRvK", "--out", "a.svg"],
        &["stats"],
        &["study"],
    ] {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let missing = run(&["stats", "KNNvKN"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(errors(&missing).contains("makruk-gen build KNNvKN"), "{}", errors(&missing));
}
