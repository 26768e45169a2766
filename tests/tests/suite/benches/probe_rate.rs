//! The program probe-rate finds the same categories in each of its modes.

use std::fmt::Write;
use std::fs;

use fastrand::Rng;
use makruk_tests::programs::{PROBE_RATE, program};
use test_tables::random_position_of;
use test_tables::reference::NamedMaterial;

const POSITIONS: usize = 1000;

#[test]
fn every_mode_finds_the_same_categories() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = test_tables::usual(["KRvKN".parse().expect("a material")]);
    let file = place.path().join("positions");
    let mut text = String::new();
    let (mut random, material) = (Rng::with_seed(1), NamedMaterial::named("KRvKN"));
    for _ in 0..POSITIONS {
        let position = random_position_of(&mut random, &material);
        writeln!(text, "{} {}", position.board(), position.turn().letter()).expect("a line");
    }
    fs::write(&file, text).expect("the positions");

    let mut found = Vec::new();
    for mode in [&[][..], &["--category"], &["--positional", "--cache", "0", "--threads", "2"], &["--open"]] {
        let output = program(PROBE_RATE)
            .arg(folder.path())
            .arg(&file)
            .args(["--rounds", "2"])
            .args(mode)
            .output()
            .expect("probe-rate");
        assert!(output.status.success(), "{mode:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let categories = text.lines().find(|line| line.starts_with(&format!("{POSITIONS} positions")));
        found.push(categories.unwrap_or_else(|| panic!("{text}")).to_owned());
        assert!(text.contains("million a second"), "{text}");
        assert_eq!(text.contains("tables opened"), mode == ["--open"], "{text}");
    }
    assert!(found.iter().all(|line| *line == found[0]), "{found:?}");
    assert!(!found[0].ends_with("[0, 0, 0, 0, 0]"), "{}", found[0]);
}
