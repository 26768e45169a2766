//! The patches for Fairy-Stockfish that need no tables, each alone: the check that it is for, and the nodes of `bench`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::fairy_tables::ADAPTER;

/// The checks of `makruk_count.sh`, in the order of the patches.
const CHECKS: [&str; 3] = ["no-move-rule", "count-in-the-key", "null-moves-count"];

const POSITIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/positions");

/// A copy of the checkout, built with these patches.
fn build(checkout: &Path, place: &Path, patches: &[&str]) -> PathBuf {
    let copy = place.join(if patches.is_empty() { "plain".to_owned() } else { patches.join("") });
    assert!(Command::new("cp").arg("-r").arg(checkout).arg(&copy).status().expect("cp").success());
    let mut command = Command::new(format!("{ADAPTER}/build"));
    command.arg(&copy).arg("--jobs").arg(thread::available_parallelism().map_or(1, usize::from).to_string());
    if patches.is_empty() {
        command.arg("--plain")
    } else {
        command.arg("--patches").arg(patches.join(","))
    };
    let output = command.output().expect("the script runs");
    assert!(output.status.success(), "{patches:?}: {}", String::from_utf8_lossy(&output.stderr));
    copy.join("src/stockfish")
}

/// Runs a check on the engine. An error is the text of its failure.
fn check(engine: &Path, name: &str) -> Result<(), String> {
    let mut command = Command::new(format!("{ADAPTER}/tests/makruk_count.sh"));
    let output = command.arg(engine).arg(name).output().expect("the script runs");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The nodes of `bench` on the variant's own positions, or on those of a file.
fn bench_nodes(engine: &Path, row: &str) -> u64 {
    let (variant, file) = row.split_once(", ").unwrap_or((row, ""));
    let mut command = Command::new(engine);
    command.args(["bench", variant, "16", "1", "10"]);
    if !file.is_empty() {
        command.arg(format!("{POSITIONS}/{}", file.trim_matches('`')));
    }
    let output = command.output().expect("the engine runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let nodes =
        text.lines().find_map(|line| line.strip_prefix("Nodes searched")?.split(':').nth(1)?.trim().parse().ok());
    nodes.unwrap_or_else(|| panic!("{row}: {text}"))
}

/// The rows of the page's table of nodes, by variant and positions: without patches, with each alone, with all three.
fn nodes_of_the_page() -> BTreeMap<String, Vec<u64>> {
    let page = fs::read_to_string(format!("{ADAPTER}/README.md")).expect("the page");
    let (_, table) = page.split_once("| `bench VARIANT 16 1 10` |").expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let variant = cells.next().expect("a variant").to_owned();
        (variant, cells.map(|cell| cell.replace(',', "").parse().expect("a number")).collect())
    })
    .collect()
}

#[test]
#[ignore = "needs MAKRUK_FAIRY_CHECKOUT, g++, make and expect; builds five engines"]
fn each_patch_passes_its_own_check() {
    let checkout = PathBuf::from(std::env::var_os("MAKRUK_FAIRY_CHECKOUT").expect("MAKRUK_FAIRY_CHECKOUT is set"));
    let place = tempfile::tempdir().expect("a folder");
    let engines =
        [&[][..], &["1"], &["2"], &["3"], &["1", "2", "3"]].map(|patches| build(&checkout, place.path(), patches));
    let [plain, alone @ .., all] = &engines;
    for (name, engine) in CHECKS.iter().zip(alone) {
        let failure = check(plain, name).expect_err(name);
        assert!(failure.contains("expected"), "{name}: {failure}");
        assert_eq!(check(engine, name), Ok(()), "{name} alone");
        assert_eq!(check(all, name), Ok(()), "{name} with the others");
    }
    let page = nodes_of_the_page();
    for variant in ["asean", "cambodian", "chess", "makruk"] {
        assert!(page.contains_key(variant), "{page:?}");
    }
    for (row, expected) in page {
        let found: Vec<u64> = engines.iter().map(|engine| bench_nodes(engine, &row)).collect();
        assert_eq!(found, expected, "{row}");
    }
}
