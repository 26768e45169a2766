//! The page for players, with a browser of the test's own.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use test_tables::host::{Host, Reply, absent, answer, honest};

/// A question about K+R v K, which is won.
const QUESTION: &str = "/v1/probe?fen=8/8/8/8/3k4/8/8/R3K3_w_-_-_0_1";

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

/// Starts `makruk-probe open`; returns the address that its browser was given.
fn open(place: &Path, arguments: &[&str]) -> (Child, String) {
    let (browser, asked) = (place.join("bin"), place.join("asked"));
    fs::create_dir_all(&browser).unwrap();
    let _ = fs::remove_file(&asked);
    for name in ["xdg-open", "open"] {
        let script = browser.join(name);
        fs::write(&script, format!("#!/bin/sh\necho \"$@\" >'{}'\n", asked.display())).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", browser.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-probe"));
    command.args(["open", "--tables"]).arg(place.join("tables")).args(arguments).env("PATH", path);
    for proxy in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
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
    let (mut child, page) = open(place.path(), &[]);
    assert!(page.starts_with("http://127.0.0.1:") && page.ends_with('/'), "{page}");
    let answer = get(&page, "/");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("<html"), "{answer}");
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "7\n5").unwrap();
    // A table is used as soon as it is built, while the build goes on.
    wait(|| get(&page, QUESTION).contains("\"category\":\"win\"").then_some(()));
    writeln!(input).unwrap();
    let ended = child.wait_with_output().unwrap();
    let text = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{text}");
    assert!(text.contains("5 and Enter builds the tables of up to 5 men"), "{text}");
    assert!(text.contains("\n7: expected http:// or https:// with a host"), "{text}");
    assert!(!text.contains("cannot"), "{text}");
}

#[test]
fn tables_are_fetched_and_a_later_run_continues() {
    let place = tempfile::tempdir().unwrap();
    let served = test_tables::alone(test_tables::materials(&["KRvK"]));
    let whole = answer("200 OK", "", &fs::read(served.join("KRvK.dtm")).unwrap());
    // It sends all but the last 1,000 bytes.
    let silent = Host::start(move |path, _| match path {
        "/KRvK.dtm" => Reply::Stalled(whole[..whole.len() - 1000].to_vec()),
        _ => absent().into(),
    });
    let begun = fs::metadata(served.join("KRvK.dtm")).unwrap().len() - 1000;
    let (mut child, _) = open(place.path(), &["--from", &silent.url]);
    let part = place.path().join("tables/.KRvK.dtm.part");
    wait(|| fs::metadata(&part).ok().filter(|part| part.len() == begun));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());

    let host = Host::start(move |path, ranges| honest(&served, path, ranges));
    let (mut child, page) = open(place.path(), &[]);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", host.url).unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut text = String::new();
    // The other tables are not there.
    while !text.contains("cannot fetch") {
        text += &format!("{}\n", lines.next().unwrap());
    }
    assert!(get(&page, QUESTION).contains("\"category\":\"win\""), "{text}");
    assert!(
        text.ends_with("; name another mirror with --from, or build the tables with `makruk-gen build`\n"),
        "{text}"
    );
    writeln!(input).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(text.contains("the address of a mirror (https://...) and Enter fetches them from there"), "{text}");
    assert!(host.asked().contains(&("/KRvK.dtm".to_owned(), Some(format!("{begun}-")))), "only the rest is asked for");
}

#[test]
fn without_a_terminal_a_signal_ends_it() {
    let place = tempfile::tempdir().unwrap();
    let (mut child, page) = open(place.path(), &[]);
    drop(child.stdin.take());
    assert!(get(&page, "/").starts_with("HTTP/1.1 200 "));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert!(child.wait().unwrap().success());
}
