//! The two programs as users run them: builds from an empty folder, queries, and the errors of both.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

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
fn query(folder: &Path, arguments: &[&str], input: Option<&str>) -> (i32, Vec<Value>) {
    let mut command = program(PROBE);
    command.args(["query", "--json", "--tables"]).arg(folder).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("makruk-probe starts");
    let mut stdin = child.stdin.take().expect("its input");
    if let Some(input) = input {
        stdin.write_all(input.as_bytes()).expect("it reads");
    }
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let objects = text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect();
    (output.status.code().expect("an exit status"), objects)
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
fn the_same_bytes_from_one_thread_and_from_two() {
    let built = ["1", "2"].map(|threads| {
        let folder = tempfile::tempdir().expect("a folder");
        let (status, _, errors) = run(generator("build", folder.path()).args(["--threads", threads, "KRvK", "KPvK"]));
        assert_eq!(status, 0, "{errors}");
        files(folder.path())
    });
    assert_eq!(built[0].len(), 7, "three materials, one of them with a DTZ of its own");
    for (name, bytes) in &built[0] {
        assert!(built[1][name] == *bytes, "{name} differs");
    }
}

#[test]
fn totals_add_up() {
    let folder = test_tables::usual(test_tables::materials(&["KRvKS", "KNMvK"]));
    for (material, name) in [("KRvKS", "KRvKS"), ("KvKMN", "KNMvK")] {
        let (status, text, errors) = run(generator("info", folder.path()).args([material, "--json"]));
        assert_eq!(status, 0, "{errors}");
        let info: Value = serde_json::from_str(&text).expect("one object");
        assert_eq!(info["material"], name);
        assert_eq!(info.get("dtz").is_some(), name == "KRvKS");
        let legal = |metric: &str, side: &str| -> u64 {
            ["win", "draw", "loss"].map(|field| info[metric][side][field].as_u64().expect("a number")).iter().sum()
        };
        if name == "KNMvK" {
            assert_eq!(info["dtm"]["white"]["win"], 472_900);
            assert_eq!(info["dtm"]["white"]["max_win_plies"], 71);
            assert_eq!(legal("dtm", "white") + legal("dtm", "black"), 25_590_600);
        } else {
            assert_eq!(legal("dtm", "white"), legal("dtz", "white"));
            assert_eq!(legal("dtm", "black"), legal("dtz", "black"));
        }
    }
}

#[test]
fn questions_and_their_answers() {
    let folder = test_tables::usual(test_tables::materials(&["KRvKS"]));
    let fens = [
        "8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1", // the quickest mate takes the khon and comes too late
        "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 1", // five men: no such table here
        "k7/8/8/2K5/8/8/8/1R6 b - 32 27 1", // exactly enough moves
        "k7/8/8/2K5/8/8/8/1R6 b - 32 28 1", // one ply too few
        "k6R/8/K7/8/8/8/8/8 b - 32 33 1",   // a mate on a count that has run out
        "8/8/8/3k4/8/3K4/8/8 w",            // bare kings
    ];
    let (status, answers) = query(folder.path(), &fens, None);
    assert_eq!((status, answers.len()), (1, fens.len()));
    assert_eq!(
        (&answers[0]["category"], &answers[0]["dtm"], &answers[0]["dtz"]),
        (&"win".into(), &31.into(), &45.into())
    );
    assert_eq!(answers[1]["reason"], "missing_table");
    assert!(
        answers[1]["error"].as_str().is_some_and(|error| error.contains("makruk-gen build KNMMvK")),
        "{}",
        answers[1]
    );
    assert_eq!((&answers[2]["category"], &answers[2]["dtm"]), (&"loss".into(), &(-6).into()));
    assert_eq!(answers[2]["count"]["attacker_moves_left"], 3);
    assert_eq!((&answers[3]["category"], &answers[3]["dtm"]), (&"blessed-loss".into(), &(-6).into()));
    assert_eq!((&answers[4]["category"], &answers[4]["checkmate"]), (&"loss".into(), &true.into()));
    assert_eq!((&answers[5]["category"], &answers[5]["material"]), (&"draw".into(), &"KvK".into()));

    // The same from standard input, where an error names its line.
    let (status, mut lines) = query(folder.path(), &[], Some(&fens.join("\n")));
    assert_eq!(lines[1].as_object_mut().and_then(|error| error.remove("line")), Some(2.into()));
    assert_eq!((status, lines), (1, answers));
}

#[test]
fn bad_input_gives_one_error_each_and_the_run_goes_on() {
    let folder = test_tables::usual(test_tables::materials(&["KRvKS"]));
    let long = "8/".repeat(1000);
    let bad = [
        ("8/8/8/8/8/4x1k1/4R3/K7 w - - 0 1", "bad_fen"),
        ("8/8/8/8/8/4s1k1/4R3 w - - 0 1", "bad_fen"),
        ("8/8/8/8/8/4s1k1/4R3/K7", "bad_fen"),
        (long.as_str(), "bad_fen"),
        ("8/8/8/8/8/4s1k1/4R3/8 w - - 0 1", "illegal_position"),
        ("8/8/8/8/8/6k1/7K/R7 w - - 0 1", "illegal_position"),
        ("k7/8/8/8/R7/8/8/7K w - - 0 1", "illegal_position"),
        ("k7/8/8/8/8/1RRR4/8/7K w - - 0 1", "illegal_position"),
        ("k7/8/3P4/8/8/8/8/7K w - - 0 1", "illegal_position"),
        ("k7/nnss4/8/8/8/1RRNN3/8/7K w - - 0 1", "too_many_men"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 10000 0 1", "bad_count"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 -1 1", "bad_count"),
        ("8/8/8/8/8/4s1k1/4R3/K7 w - 128 many 1", "bad_count"),
    ];
    let mut fens: Vec<&str> = bad.iter().map(|(fen, _)| *fen).collect();
    fens.push("8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1");
    let (status, answers) = query(folder.path(), &fens, None);
    assert_eq!((status, answers.len()), (1, fens.len()));
    for ((fen, reason), answer) in bad.iter().zip(&answers) {
        assert_eq!(answer["reason"], *reason, "{fen}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|error| error.len() > 10), "{answer}");
        assert!(answer.get("category").is_none());
    }
    assert_eq!(answers[bad.len()]["category"], "win");

    let misuse = run(program(PROBE).args(["query", "--no-such-option"]));
    assert_eq!(misuse.0, 2);
    for arguments in [&["build"][..], &["build", "--men", "2"], &["build", "KXvK"], &["build", "KRRRvK"], &["frob"]] {
        let (status, _, errors) = run(program(GENERATOR).args(arguments));
        assert_ne!(status, 0, "{arguments:?}");
        assert!(!errors.is_empty() && !errors.contains("panicked"), "{arguments:?}: {errors}");
    }
}

#[test]
fn bad_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let (status, _, errors) = run(generator("info", &missing).arg("KRvK"));
    assert_ne!(status, 0);
    assert!(errors.contains("missing"), "{errors}");

    let file = folder.path().join("file");
    fs::write(&file, "no folder").expect("written");
    let (status, _, errors) = run(generator("build", &file).arg("KRvK"));
    assert_ne!(status, 0);
    assert!(errors.contains("file") && !errors.contains("panicked"), "{errors}");

    for tables in [&missing, &file] {
        let (status, answers) = query(tables, &["8/8/8/8/8/6k1/4R3/K7 w - - 0 1"], None);
        assert_eq!(status, 1);
        assert!(answers.iter().all(|answer| answer.get("category").is_none()));
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
        let (status, answers) = query(folder.path(), &[rook, knight], None);
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
