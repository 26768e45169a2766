//! `research puzzles`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use serde_json::{Value, json};

use super::{errors, objects, run, text};

/// Materials in which puzzles of all themes are found.
const MATERIALS: [&str; 5] = ["KRvKR", "KRvKN", "KRPvK", "KSvKM", "KRMvK"];

/// The output of `research puzzles`.
fn puzzles(arguments: &[&str]) -> Output {
    run(&[&["research", "puzzles", "--quiet"], arguments].concat(), b"")
}

fn some(more: &[&str]) -> Output {
    let output = puzzles(&[&["--sample", "150", "--each", "1"][..], &MATERIALS, more].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

#[test]
fn the_same_seed_gives_the_same_puzzles() {
    let (one, other) = (some(&["--threads", "1"]), some(&["--threads", "3"]));
    assert_eq!(text(&one), text(&other));
    assert_ne!(text(&one), text(&some(&["--seed", "2"])));
    let only = objects(&some(&["--themes", "refuse,give", "--limit", "4"]));
    assert!(!only.is_empty() && only.len() <= 4);
    assert!(only.iter().all(|puzzle| puzzle["theme"] == "refuse" || puzzle["theme"] == "give"));
}

#[test]
fn every_format_is_printed_or_written() {
    let folder = tempfile::tempdir().unwrap();
    assert!(text(&some(&["--out", folder.path().to_str().unwrap()])).is_empty());
    for (name, format) in
        [("puzzles.json", "json"), ("puzzles-pychess.json", "pychess"), ("puzzles-trainer.txt", "trainer")]
    {
        let printed = some(&["--format", format]);
        assert!(text(&printed).lines().count() > 5, "{name}");
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text(&printed), "{name}");
    }
}

#[test]
fn puzzles_are_found_in_games_and_lists() {
    let found = objects(&some(&[]));
    let list: String = found.iter().map(|puzzle| format!("{}\n", puzzle["fen"].as_str().unwrap())).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.fen");
    // A mirror image is the same puzzle.
    let mirrored: String = list
        .lines()
        .map(|fen| {
            let (board, rest) = fen.split_once(' ').unwrap();
            let rank = |rank: &str| rank.chars().rev().collect::<String>();
            format!("{} {rest}\n", board.split('/').map(rank).collect::<Vec<_>>().join("/"))
        })
        .collect();
    fs::write(&file, format!("{list}{mirrored}")).unwrap();
    let again = objects(&puzzles(&["--each", "1000", "--games", file.to_str().unwrap()]));
    let ids = |puzzles: &[Value]| puzzles.iter().map(|puzzle| puzzle["id"].to_string()).collect::<BTreeSet<_>>();
    assert_eq!(ids(&again), ids(&found));
    let game = b"[FEN \"8/8/8/8/8/4s1k1/4R3/K7 w - - 0 1\"]\n1. Rxe3+ Kf4 *\n\n[FEN \"8/8 w\"]\n1. Rh9 *\n";
    let output = run(&["research", "puzzles", "--quiet", "--games", "-"], game);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(errors(&output).contains("standard input: game 2"), "{}", errors(&output));
}

#[test]
fn an_engine_tells_the_difficulty() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |name: &str, script: &str| {
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let blind = engine(
        "blind",
        "while read -r line; do case $line in uci) echo option name UCI_Variant type combo default chess var makruk; \
         echo uciok;; go*) echo bestmove a1a1;; quit) exit;; esac; done",
    );
    let judged = objects(&some(&["--limit", "3", "--engine", &blind, "--nodes", "10,20"]));
    for puzzle in judged {
        assert_eq!((&puzzle["found"], &puzzle["level"]), (&json!([[10, 0], [20, 0]]), &json!(3)), "{puzzle}");
    }
    let chess = engine("chess", "while read -r line; do case $line in uci) echo uciok;; quit) exit;; esac; done");
    let gone = engine("gone", "exit 0");
    for (arguments, part) in [
        (vec!["--engine", &chess], "does not know makruk"),
        (vec!["--engine", &gone], "has ended"),
        (vec!["--engine", &blind, "--nodes", "20,10"], "is not ascending"),
    ] {
        let output = puzzles(&[&["KRvKR", "--sample", "10"][..], &arguments].concat());
        assert!(!output.status.success() && errors(&output).contains(part), "{arguments:?}: {output:?}");
    }
}
