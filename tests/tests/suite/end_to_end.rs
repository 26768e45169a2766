//! The two programs as users run them: builds from an empty folder, queries, and the errors of both.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use makruk_tables::material::Material;
use makruk_tests::programs::{GENERATOR, PROBE, program, run};
use serde_json::Value;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file")))
        .collect()
}

fn generator(command: &str, folder: &Path) -> Command {
    let mut generator = program(GENERATOR);
    generator.args([command, "--tables"]).arg(folder);
    generator
}

/// Queries positions with JSON output; returns the exit status and an object for each.
fn query(folder: &Path, fens: &[&str]) -> (i32, Vec<Value>) {
    let (status, text, _) = run(program(PROBE).args(["query", "--json", "--tables"]).arg(folder).args(fens));
    (status, text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect())
}

#[test]
fn three_men_from_an_empty_folder_and_then_nothing_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("not/there/yet");
    let (status, _, errors) = run(generator("build", &tables).args(["--men", "3"]));
    assert_eq!(status, 0, "{errors}");
    let built = files(&tables);
    let names = |material: Material| material.table_metrics().iter().map(move |metric| format!("{material}.{metric}"));
    let mut expected: Vec<String> = Material::all(3).into_iter().flat_map(names).collect();
    expected.sort();
    assert_eq!(built.keys().cloned().collect::<Vec<_>>(), expected);

    let before = fs::metadata(tables.join("KRvK.dtm")).and_then(|file| file.modified()).expect("a time");
    let (status, _, errors) = run(generator("build", &tables).args(["--men", "3"]));
    assert_eq!(status, 0);
    assert!(errors.contains("nothing to do"), "{errors}");
    assert_eq!(files(&tables), built);
    assert_eq!(fs::metadata(tables.join("KRvK.dtm")).and_then(|file| file.modified()).expect("a time"), before);

    // A missing table is built again, with the same bytes.
    fs::remove_file(tables.join("KSvK.dtm")).expect("removed");
    let (status, ..) = run(generator("build", &tables).arg("KSvK"));
    assert_eq!(status, 0);
    assert_eq!(files(&tables), built);
}

#[test]
fn bad_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let (status, _, errors) = run(generator("info", &missing).arg("KRvK"));
    assert_ne!(status, 0);
    assert!(errors.contains("missing"), "{errors}");

    // Nothing checked is not right.
    for (command, said) in [("verify", "nothing is verified"), ("info", "has no tables")] {
        let (status, _, errors) = run(&mut generator(command, folder.path()));
        assert!(status == 1 && errors.contains(said), "{command}: {errors}");
    }
}

#[test]
fn a_damaged_table_is_named_and_the_others_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let small = test_tables::usual(test_tables::materials(&["KRvK", "KNvK"]));
    for name in ["KRvK.dtm", "KRvK.category", "KNvK.dtm", "KNvK.category"] {
        fs::copy(small.path().join(name), folder.path().join(name)).expect("copied");
    }
    let verify = |args: &[&str]| run(generator("verify", folder.path()).args(args));
    const LOOKS: [&[&str]; 3] = [&[], &["--checksums"], &["--sample", "50"]];
    for look in LOOKS {
        let (status, _, errors) = verify(look);
        assert_eq!(status, 0, "{errors}");
    }

    let damaged = folder.path().join("KRvK.dtm");
    let sound = fs::read(&damaged).expect("read");
    let rook = "8/8/8/8/8/6k1/4R3/K7 w - - 0 1";
    let knight = "8/8/8/8/1N6/6k1/8/K7 w - - 0 1";
    let mut flipped = sound.clone();
    let last = flipped.len() - 1;
    // Everything after the header, whose length it has at byte 12.
    let header = usize::from(u16::from_le_bytes([sound[12], sound[13]]));
    flipped[header..].iter_mut().for_each(|byte| *byte ^= 0x40);
    let mut newer = sound.clone();
    newer[8] ^= 0x80;
    // A table of a newer version is kept, and counts as missing.
    let cases = [
        (&flipped[..], "corrupt_table"),
        (&sound[..last], "corrupt_table"),
        (b"", "corrupt_table"),
        (b"something else", "corrupt_table"),
        (&newer, "missing_table"),
    ];
    for (bytes, reason) in cases {
        fs::write(&damaged, bytes).expect("written");
        let (status, answers) = query(folder.path(), &[rook, knight]);
        assert_eq!(status, 1);
        assert_eq!(answers[0]["reason"], reason, "{}", answers[0]);
        assert!(answers[0]["error"].as_str().is_some_and(|error| error.contains("KRvK.dtm")), "{}", answers[0]);
        assert_eq!(answers[1]["category"], "draw");
        for look in LOOKS {
            let (status, _, errors) = verify(look);
            assert_ne!(status, 0);
            assert!(errors.contains("KRvK.dtm"), "{look:?}: {errors}");
        }
    }
}
