//! `research positions`.

use std::fs;
use std::process::Output;

use super::{command, errors, objects, run, text};

fn positions(arguments: &[&str]) -> Output {
    run(&[&["research", "positions", "--quiet"], arguments].concat(), b"")
}

#[test]
fn records_are_the_same_for_any_threads_and_in_parts() {
    for format in ["tsv", "json", "plain", "bin"] {
        let ask = |more: &[&str]| {
            let fixed = ["KRvKS", "KRRvK", "--format", format, "--counts", "none,any,near", "--moves", "--seed", "5"];
            let output = positions(&[&fixed, more].concat());
            assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
            assert!(output.stderr.is_empty(), "{}", errors(&output));
            output.stdout
        };
        let whole = ask(&["--number", "300", "--threads", "1"]);
        assert_eq!(whole, ask(&["--number", "300", "--threads", "2"]), "{format}");
        let parts = [ask(&["--number", "100"]), ask(&["--skip", "100", "--number", "200"])].concat();
        assert!(whole == parts, "{format}");
        let header = usize::from(format == "tsv");
        match format {
            "bin" => assert_eq!(whole.len(), 300 * 72),
            "plain" => assert_eq!(String::from_utf8(whole).unwrap().lines().count(), 300 * 6),
            _ => assert_eq!(String::from_utf8(whole).unwrap().lines().count(), 300 + header),
        }
    }
}

#[test]
fn records_say_what_a_query_says() {
    let output = positions(&[
        "KRvKN",
        "KRMvK",
        "--number",
        "200",
        "--format",
        "json",
        "--moves",
        "--counts",
        "any",
        "--calm",
        "quiet-move",
    ]);
    let records = objects(&output);
    let fens: Vec<&str> = records.iter().map(|record| record["fen"].as_str().unwrap()).collect();
    let queried = objects(&run(&["query", "--json", "--moves"], fens.join("\n").as_bytes()));
    assert_eq!((records.len(), queried.len()), (200, 200));
    for (record, queried) in records.iter().zip(&queried) {
        for field in ["fen", "material", "side", "category", "dtm", "dtz", "count", "checkmate", "stalemate"] {
            assert_eq!(record[field], queried[field], "{}: {field}", record["fen"]);
        }
        assert_eq!((&record["move"], &queried["moves"][0]["capture"]), (&queried["moves"][0]["uci"], &false.into()));
    }
}

#[test]
fn games_and_lists_are_read_and_what_cannot_be_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let games = write("games.pgn", "[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - 128 3 7\"]\n1. Rxe3+ Kf4 2. Ra3 *\n");
    let list =
        write("list.fen", "8/8/8/3k4/8/8/1R6/K7 b - 32 29 40\n8/8/8/8/8/4s1k1/8/KNN5 w\n8/8/8/8/4p3/k7/8/K7 w\n");
    let out = folder.path().join("out.tsv");
    let arguments = ["--games", &games, "--games", &list, "--men", "5", "--out", out.to_str().unwrap()];
    let output = positions(&arguments);
    assert_eq!(output.status.code(), Some(1), "a table is missing");
    assert!(errors(&output).contains("makruk-gen build") && !out.exists(), "{}", errors(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    let output = positions(&["--games", &games, "--games", &list, "KRvK", "KRvKS", "--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let written = fs::read_to_string(&out).unwrap();
    let mut fens: Vec<&str> = written.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    fens.sort_unstable();
    assert_eq!(
        fens,
        [
            "8/8/8/3k4/8/8/1R6/K7 b - 32 29 40",
            "8/8/8/8/5k2/4R3/8/K7 w - 32 7 8",
            "8/8/8/8/5k2/R7/8/K7 b - 32 8 8",
            "8/8/8/8/8/4R1k1/8/K7 b - 32 6 7",
            "8/8/8/8/8/4s1k1/4R3/K7 w - 128 3 7",
        ]
    );
    // Standard input, a bound, and lines that cannot be read.
    let input = format!("{}\n8/8 w\n", fens.join("\n"));
    let output = run(&["research", "positions", "--quiet", "--games", "-", "KRvK", "--number", "2"], input.as_bytes());
    assert_eq!((output.status.code(), text(&output).lines().count()), (Some(1), 3));
    assert!(errors(&output).contains("-: line 6: "), "{}", errors(&output));
}

#[test]
fn data_that_makes_no_sense_to_ask_for() {
    for (arguments, why) in [
        (&["--number", "10"][..], "no material is named"),
        (&["KRvK"], "--number"),
        (&["KRvK", "--number", "-1"], "-1"),
        (&["KXvK", "--number", "1"], "KXvK"),
        (&["KRvK", "--number", "1", "--counts", "some"], "near"),
        (&["KRvK", "--number", "1", "--format", "binpack"], "plain"),
        (&["KRvK", "--number", "1", "--even", "all"], "distances"),
        (&["KRvK", "--number", "1", "--rarest", "0"], "--rarest"),
        (&["KRvK", "--number", "1", "--win-score", "32001"], "32000"),
        (&["KRvK", "--games", "-", "--weights", "materials"], "--weights"),
        (&["--men", "8", "--number", "1"], "--men"),
    ] {
        let output = positions(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", errors(&output));
        assert!(errors(&output).contains(why) && output.stdout.is_empty(), "{arguments:?}: {}", errors(&output));
    }
    for (arguments, why) in [
        (&["KNNvKS", "--number", "1"][..], "makruk-gen build KNNvKS"),
        (&["KRvK", "--games", "/nonexistent.pgn"], "cannot read /nonexistent.pgn"),
        (&["KRvK", "--number", "1", "--out", "/nonexistent/data.bin"], "cannot write /nonexistent/"),
        (&["KRvK", "--number", "1", "--tables", "/nonexistent"], "does not exist"),
    ] {
        let output = positions(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", errors(&output));
        assert!(errors(&output).contains(why) && output.stdout.is_empty(), "{arguments:?}: {}", errors(&output));
    }
    // Scores of counts in a format without them: written, and said.
    let arguments = ["research", "positions", "KRvK", "--number", "1", "--format", "bin", "--counts", "any"];
    let output = run(&arguments, b"");
    assert!(
        output.stdout.len() == 72 && errors(&output).contains("bin does not store the count"),
        "{}",
        errors(&output)
    );
    // The counts of games are counts, too.
    for (more, warns) in [(&[][..], true), (&["--counts", "none"], false)] {
        let arguments = ["research", "positions", "KRvK", "--games", "-", "--format", "bin"];
        let output = run(&[&arguments[..], more].concat(), b"8/8/8/8/3k4/8/8/R3K3 w - 32 5 1\n");
        assert_eq!(output.stdout.len(), 72, "{}", errors(&output));
        assert_eq!(errors(&output).contains("bin does not store the count"), warns, "{}", errors(&output));
    }
}

#[cfg(unix)]
#[test]
fn data_that_is_interrupted_goes_on_or_leaves_no_file() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let interrupt = |id: u32| assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().unwrap().success());
    let arguments = ["research", "positions", "--quiet", "KRvK", "KRvKS", "--even", "distances", "--at-once", "500"];
    // Far more than could be written in the time of a test.
    let mut child = command(&arguments)
        .args(["--number", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut before = String::new();
    (0..2).for_each(|_| assert!(output.read_line(&mut before).unwrap() > 0));
    interrupt(child.id());
    output.read_to_string(&mut before).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8(ended.stderr).unwrap();
    let next = said.trim().strip_prefix("makruk-probe research positions: go on with --skip ").unwrap();
    let written = before.lines().count() - 1;
    assert_eq!(next, written.to_string());
    let last = before.lines().last().unwrap().to_owned() + "\n";
    let skip = (written - 1).to_string();
    assert_eq!(text(&positions(&[&arguments[3..], &["--skip", &skip, "--number", "1"]].concat())), last);
    // A file is not there before it is complete.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.bin");
    let child = command(&arguments)
        .args(["--number", "1000000000", "--format", "bin", "--out", path.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(10));
    }
    interrupt(child.id());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert!(String::from_utf8(ended.stderr).unwrap().contains("no file was written"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
