//! `research positions`.

use std::fs;
use std::process::Output;

use super::{errors, run, text};

fn positions(arguments: &[&str]) -> Output {
    run(&[&["research", "positions", "--quiet"], arguments].concat(), b"")
}

#[test]
fn positions_are_printed_or_written() {
    let output = positions(&["KRvKS", "KRRvK", "--sample", "300", "--seed", "5"]);
    assert_eq!((output.status.code(), text(&output).lines().count()), (Some(0), 300), "{}", errors(&output));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.plain");
    let arguments = ["KRvK", "--sample", "10", "--format", "plain", "--out", out.to_str().unwrap()];
    let output = positions(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 60);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_interrupted_does_not_appear() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    // Far more than could be written in the time of a test.
    let child = super::command(&["research", "positions", "--quiet", "KRvK", "--sample", "1000000000"])
        .args(["--out", path.to_str().unwrap()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert!(String::from_utf8(ended.stderr).unwrap().contains("no file was written"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
