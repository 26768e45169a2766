//! The program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use test_tables::host::{Host, Reply, UNKNOWN, absent};

use super::{assert_whole, honest_host, host_with_certificate, names};

fn makruk_gen(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_makruk-gen"));
    command.arg("fetch").args(arguments).arg("--tables").arg(folder);
    for proxy in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(proxy);
    }
    command
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn it_fetches_all_that_captures_lead_to_and_a_dry_run_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    let (status, out, error) = texts(&makruk_gen(&folder, &["--dry-run", "KRvKN"]).output().unwrap());
    assert_eq!((status, error.as_str()), (Some(0), ""));
    assert!(out.starts_with("KRvK.dtm\t15010\n") && out.contains("\n7 tables to fetch, "), "{out}");
    assert!(!folder.exists());
    let host = honest_host();
    let (status, out, error) = texts(&makruk_gen(&folder, &["--from", &host.url, "KRvKN"]).output().unwrap());
    assert_eq!((status, error.as_str()), (Some(0), ""));
    assert!(out.starts_with("7 tables, "), "{out}");
    assert_whole(&folder);
    let part = folder.join(".KRvK.dtm.part");
    fs::write(&part, "begun").unwrap();
    let (status, out, error) = texts(&makruk_gen(&folder, &["--dry-run", "KRvKN"]).output().unwrap());
    assert_eq!((status, out.as_str(), error.as_str()), (Some(0), "0 tables to fetch, 0 bytes; 7 there\n", ""));
    assert!(part.exists());
    let (status, _, error) = texts(&makruk_gen(&folder, &["--from", &host.url, "KRvKN"]).output().unwrap());
    assert!(status == Some(0) && error.starts_with("nothing to do: all tables are in "), "{error}");
    assert_whole(&folder);
}

#[test]
fn a_refusal_is_a_line_with_its_remedy() {
    let (place, host) = (tempfile::tempdir().unwrap(), Host::start(|_, _| absent()));
    let (status, _, error) = texts(&makruk_gen(place.path(), &["--from", &host.url, "KRvK"]).output().unwrap());
    let remedy = "; name another mirror with --from, or build the tables with `makruk-gen build`\n";
    let expected = "makruk-gen: no mirror has KRvK.dtm: 2 tables are missing, the first is KRvK.dtm";
    assert_eq!((status, error), (Some(1), format!("{expected}{remedy}")));
    let host = host_with_certificate(UNKNOWN);
    let (status, _, error) = texts(&makruk_gen(place.path(), &["--from", &host.url, "KRvK"]).output().unwrap());
    let fault = "its connection is not secure: its certificate is not of an authority that this program knows";
    let missing = "2 tables are missing, the first is KRvK.dtm";
    let expected = format!("makruk-gen: {} is refused: {fault}: {missing}{remedy}", host.url);
    assert_eq!((status, error), (Some(1), expected));
    let (status, _, error) = texts(&makruk_gen(place.path(), &["--from", &host.url, "KRRvKRR"]).output().unwrap());
    let list = "the program's own list has no line for KRRvKRR.dtm: name a list that you trust with --manifest\n";
    assert!(status == Some(1) && error.ends_with(list), "{error}");
    for from in ["ftp://example.org/", "example.org", "https:///x", "https://example.org/?x"] {
        let (status, _, error) = texts(&makruk_gen(place.path(), &["--from", from, "KRvK"]).output().unwrap());
        assert!(status == Some(2) && error.contains("expected http:// or https:// with a host"), "{from}: {error}");
    }
    assert!(names(place.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_while_a_mirror_is_silent() {
    let (place, host) = (tempfile::tempdir().unwrap(), Host::start(|_, _| Reply::Stalled(Vec::new())));
    let mut command = makruk_gen(place.path(), &["--from", &host.url, "KRvK"]);
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    while host.asked().is_empty() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let (status, _, error) = texts(&child.wait_with_output().unwrap());
    let last = "makruk-gen: stopped: the tables fetched so far are complete; the same command continues from there\n";
    assert!(status == Some(143) && error.ends_with(last), "{error}");
    assert!(names(place.path()).is_empty());
}
