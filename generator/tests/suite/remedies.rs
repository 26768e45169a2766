//! The messages of `makruk-gen`: each error with its remedy, in one line.

use std::collections::HashMap;
use std::process::Command;

use makruk_tables::material::Material;
use serde_json::Value;

/// The exit status and standard error of a command.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_makruk-gen")).args(arguments).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn too_little_memory() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    let (status, text) = run(&["build", "--men", "4", "--threads", "1", "--memory", "0.04", "--tables", folder]);
    assert_eq!(status, Some(1), "{text}");
    let line = text.lines().last().expect("a message");
    assert!(line.starts_with("makruk-gen: K") && line.contains(" of memory, but the limit is 41.0 MiB"), "{line}");
    assert!(line.contains("; give a larger --memory, or build the materials that fit: K"), "{line}");
    let (status, text) = run(&["build", "KRvK", "--memory", "0.001", "--tables", folder]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.ends_with("; give a larger --memory; no other material of this build fits either\n"), "{text}");
    assert_eq!(std::fs::read_dir(folder).expect("the folder").count(), 0, "they are refused beforehand");
}

#[test]
fn too_many_men() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().to_str().expect("UTF-8");
    let (status, text) = run(&["build", "KNNMMMvKS", "--tables", folder]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("\"KNNMMMvKS\" has 8 men: materials of up to 7 men have tables"), "{text}");
    // A small disk is reported before.
    let (status, text) = run(&["build", "KNMMMvKS", "--memory", "4", "--tables", folder]);
    assert_eq!(status, Some(1), "{text}");
    let line = text.lines().last().expect("a message");
    assert!(line.starts_with("makruk-gen: KNMMMvKS needs at least "), "{line}");
    assert!(line.contains(" of memory, but the limit is 4.00 GiB"), "{line}");
}

#[test]
fn arguments_that_make_no_sense() {
    let (status, text) = run(&["build", "KvK"]);
    assert_eq!(status, Some(1), "{text}");
    assert_eq!(text, "makruk-gen: KvK has no table: two bare kings always draw\n");
    let (status, text) = run(&["build", "KRvK", "--memory", "0"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.starts_with("makruk-gen: --memory is 0: expected a number of GiB above 0"), "{text}");
    let (status, text) = run(&["build", "KXvK"]);
    assert_eq!(status, Some(2), "{text}");
}

/// Builds beside files that are not the tables of their names.
#[test]
fn a_build_replaces_no_file_that_somebody_may_need() {
    let tables = test_tables::usual(test_tables::materials(&["KRvK", "KNvK"]));
    let sound = std::fs::read(tables.path().join("KRvK.dtm")).expect("the table");
    let other = std::fs::read(tables.path().join("KNvK.dtm")).expect("the other table");
    let newer = [&sound[..8], &[0xff], &sound[9..]].concat();
    let place = tempfile::tempdir().expect("a temporary folder");
    let (folder, file) = (place.path().to_str().expect("UTF-8"), place.path().join("KRvK.dtm"));
    for (bytes, kept) in [
        (&[b"\x1f\x8b", &sound[..]].concat()[..], Some("decompress it")),
        (b"version https://git-lfs.github.com/spec/v1", Some("git lfs pull")),
        (b"my notes", Some("move the file elsewhere")),
        (&other, Some("rename the file")),
        (&newer, Some("update this program")),
        (&sound[..sound.len() / 2], None),
        (&[&sound[..], b"\n"].concat(), None),
        (&[&sound[..100], &[!sound[100]], &sound[101..]].concat(), None),
    ] {
        std::fs::write(&file, bytes).expect("the file");
        let (status, text) = run(&["build", "KRvK", "--tables", folder]);
        let after = std::fs::read(&file).expect("the file");
        match kept {
            Some(said) => assert!(status == Some(1) && text.contains(said) && after == bytes, "{said}: {text}"),
            None => assert!(status == Some(0) && after == sound, "{text}"),
        }
    }
}

/// `makruk_console` has no plans, and says what the most is.
#[test]
fn the_plan_of_five_men_is_within_what_remedies_say() {
    let plan = ["plan", "--men", "5", "--threads", "32", "--json", "--tables", "nowhere"];
    let output = Command::new(env!("CARGO_BIN_EXE_makruk-gen")).args(plan).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let plans: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let material = |plan: &Value| plan["material"].as_str().expect("a name").parse::<Material>().expect("a material");
    let of: HashMap<Material, &Value> = plans.iter().map(|plan| (material(plan), plan)).collect();
    assert_eq!(of.len(), 142);
    for &root in of.keys() {
        let all = Material::with_descendants([root]);
        let seconds: f64 = all.iter().filter_map(|material| of[material]["core_seconds"].as_f64()).sum();
        let memory = all.iter().filter_map(|material| of[material]["memory_bytes"].as_u64()).max();
        assert!(seconds <= if root.men() == 5 { 120.0 } else { 2.0 }, "{root}: {seconds} s");
        assert!(memory.is_some_and(|bytes| bytes <= 2_000_000_000), "{root}: {memory:?} bytes");
    }
}
