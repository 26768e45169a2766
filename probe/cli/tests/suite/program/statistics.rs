//! `research stats`, `list`, `pack` and `plot`.

use std::process::Output;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{command, errors, text};

fn run(arguments: &[&str]) -> Output {
    command(&["research"]).args(arguments).output().unwrap()
}

#[test]
fn statistics_have_three_formats() {
    let [table, csv, json] = [&[][..], &["--csv"], &["--json"]].map(|format| {
        let output = run(&[&["stats", "KRvKR", "KRvK"], format].concat());
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        text(&output).to_owned()
    });
    assert!(table.contains("KRvKR") && table.contains("3211696") && table.contains("16.7%"), "{table}");
    let objects: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
    assert_eq!((&objects[0]["material"], &objects[0]["saves"]), (&"KRvKR".into(), &29920.into()));
    // Headers alone have the same totals.
    let headers = run(&["stats", "KRvKR", "--headers", "--json"]);
    let first: Value = serde_json::from_str(text(&headers).lines().next().unwrap()).unwrap();
    assert_eq!(first["taken"], objects[0]["taken"]);
    assert_eq!(first["sacrifice_share"], Value::Null);
}

#[test]
fn pictures_are_written() {
    let home = tempfile::tempdir().unwrap();
    let svg = home.path().join("a.svg");
    let output = run(&["plot", "distances", "KRRvK", "--out", svg.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert!(std::fs::read(&svg).unwrap().starts_with(b"<svg"));
    let output = run(&["plot", "shares", "KRRvK", "KRvKS", "--out", svg.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn lists_and_archives_have_manifests() {
    let home = tempfile::tempdir().unwrap();
    let folder = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let output = run(&["list", "KRvKR", "KRvK", "--out", &folder("lists"), "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let manifest: Vec<Vec<String>> =
        text(&output).lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert_eq!(manifest[0], ["kind", "material", "positions", "bytes", "sha256"]);
    for line in &manifest[1..] {
        let [kind, material, positions, bytes, sha256] = &line[..] else { panic!("{line:?}") };
        let list =
            std::fs::read_to_string(home.path().join("lists").join(kind).join(format!("{material}.epd"))).unwrap();
        assert_eq!((list.lines().count().to_string(), list.len().to_string()), (positions.clone(), bytes.clone()));
        let digest: String = Sha256::digest(&list).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(*sha256, digest);
        assert!(list.lines().all(|line| line.contains(&format!(" - - id \"{material}:")) && line.ends_with("\";")));
    }
    let found: Vec<(&str, &str)> = manifest[1..].iter().map(|line| (&*line[0], &*line[1])).collect();
    let armed =
        ["longest-mates", "longest-conversions", "deepest-saves", "wasteful-captures"].map(|kind| (kind, "KRvKR"));
    let bare = ["longest-mates", "deepest-saves", "tightest-wins"].map(|kind| (kind, "KRvK"));
    assert_eq!(found, [armed.to_vec(), bare.to_vec()].concat());
    let printed = run(&["list", "--kind", "deepest-saves", "KRvK", "--quiet"]);
    let list = std::fs::read_to_string(home.path().join("lists/deepest-saves/KRvK.epd")).unwrap();
    assert_eq!(text(&printed), list);
    for (kind, material) in [("deepest-saves", "KRvK"), ("zugzwangs", "KRvKN")] {
        let all = run(&["list", "--kind", kind, material, "--quiet"]);
        let some = run(&["list", "--kind", kind, material, "--quiet", "--limit", "2"]);
        assert_eq!(text(&all).lines().take(2).collect::<Vec<_>>(), text(&some).lines().collect::<Vec<_>>(), "{kind}");
    }

    let pack = || run(&["pack", "KRvKR", "KRvK", "--out", &folder("archives")]);
    let output = pack();
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let archive = std::fs::read(home.path().join("archives/KRvKR.tar")).unwrap();
    let lines: Vec<Vec<&str>> = text(&output).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["archive", "bytes", "sha256", "tables"]);
    assert_eq!(lines[1][..2], ["KRvKR.tar", &archive.len().to_string()]);
    assert_eq!((lines[1][3], lines[2][3]), ("KRvKR.dtm KRvKR.dtz KRvKR.category", "KRvK.dtm KRvK.category"));
    let mut packed = tar::Archive::new(&*archive);
    let names = packed.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().into_owned());
    assert_eq!(names.collect::<Vec<_>>(), lines[1][3].split(' ').map(std::path::PathBuf::from).collect::<Vec<_>>());
    assert_eq!(text(&pack()), text(&output), "the same archives again");
}

#[test]
fn other_rules_take_other_wins() {
    let taken = |rules: &str, material: &str| {
        let output = run(&["stats", "--headers", "--json", "--rules", rules, material]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        let first: Value = serde_json::from_str(text(&output).lines().next().unwrap()).unwrap();
        first["taken"].as_u64().unwrap()
    };
    // 13 moves are left in Makruk with the defender to move and 14 with the attacker to move, then one more and one
    // less.
    let all = ["attackers-men", "makruk", "khon-first", "no-last-move", "ouk"].map(|rules| taken(rules, "KRvK"));
    assert_eq!(all, [21_256, 62_872, 62_872, 112_524, 112_524]);
}
