//! The page for players, with a browser of the test's own.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Waits for a value, as long as a busy machine may take.
fn wait<T>(value: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "it does not come");
        sleep(Duration::from_millis(20));
    }
}

/// Starts `makruk-probe open` in an empty folder of tables; returns the address that its browser was given.
fn open(place: &Path) -> (Child, String) {
    let (browser, asked) = (place.join("bin"), place.join("asked"));
    fs::create_dir(&browser).unwrap();
    for name in ["xdg-open", "open"] {
        let script = browser.join(name);
        fs::write(&script, format!("#!/bin/sh\necho \"$@\" >'{}'\n", asked.display())).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", browser.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
    command.args(["open", "--tables"]).arg(place.join("tables")).env("PATH", path);
    let child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let page = wait(|| fs::read_to_string(&asked).ok().filter(|text| text.ends_with('\n')));
    (child, page.trim().to_owned())
}

fn get(page: &str, path: &str) -> String {
    let address = page.strip_prefix("http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_page_is_opened_builds_tables_and_ends_by_enter() {
    let place = tempfile::tempdir().unwrap();
    let (mut child, page) = open(place.path());
    assert!(page.starts_with("http://127.0.0.1:") && page.ends_with('/'), "{page}");
    let answer = get(&page, "/");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<html"), "{answer}");
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "7\n5").unwrap();
    // A table is used as soon as it is built, while the build goes on.
    wait(|| get(&page, "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1").contains("\"category\":\"win\"").then_some(()));
    writeln!(input).unwrap();
    let ended = child.wait_with_output().unwrap();
    let text = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{text}");
    assert!(text.contains("5 and Enter builds the tables of up to 5 men"), "{text}");
    assert!(!text.contains("cannot"), "{text}");
}

#[test]
fn without_a_terminal_a_signal_ends_it() {
    let place = tempfile::tempdir().unwrap();
    let (mut child, page) = open(place.path());
    drop(child.stdin.take());
    assert!(get(&page, "/").starts_with("HTTP/1.1 200 "));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}
