//! The manual pages and completions that packages have.

use std::fs;

use super::{errors, run, text};

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["manuals", folder.path().to_str().unwrap()], b"");
    assert!(output.status.success(), "{}", errors(&output));
    let help = run(&["--help"], b"");
    let commands = text(&help).split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut pages = 0;
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|&name| name != "help") {
        let page = fs::read_to_string(folder.path().join(format!("makruk-probe-{name}.1"))).unwrap();
        assert!(page.contains(".SH OPTIONS"), "{name}: {page}");
        pages += 1;
    }
    assert_eq!(pages, 7);
    assert!(fs::read_to_string(folder.path().join("makruk-probe-serve.1")).unwrap().contains("listen"));
    for file in ["makruk-probe.bash", "_makruk-probe", "makruk-probe.fish"] {
        assert!(fs::read_to_string(folder.path().join(file)).unwrap().contains("listen"), "{file}");
    }
}
