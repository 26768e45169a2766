//! A watched table that is cut short fails. Every other SIGBUS is what it was without the handler.

#![allow(unsafe_code)]

use std::fs::OpenOptions;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::ptr::null_mut;

use makruk_format::value::Value;
use makruk_format::{Access, Kind, TableFolder, lost_pages, survive_truncated_tables};
use makruk_rules::Color;

use crate::common::{id, rook, some_codes, write};

/// Opens a table, cuts it short, and reads it.
fn cut_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let spec = rook([5, 257]);
    write(folder.path(), &spec, &some_codes(&spec, 1), None);
    let access = Access::watched(survive_truncated_tables().ok());
    let table = TableFolder::open_existing(folder.path()).unwrap().with_access(access);
    let table = table.open::<Value>(id("KRvK.dtm")).unwrap();
    table.slab_codes(Color::Black, 0, &mut Vec::new()).unwrap();
    let lost = lost_pages();
    OpenOptions::new().write(true).open(folder.path().join("KRvK.dtm")).unwrap().set_len(100).unwrap();
    let error = table.slab_codes(Color::Black, 461, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), Kind::Changed, "{error}");
    assert!(lost_pages() > lost, "no page was mapped");
    assert_eq!(table.slab_codes(Color::Black, 0, &mut Vec::new()).unwrap_err().kind(), Kind::Changed);
}

/// Maps a file as another library of the process may, cuts it short, and reads it.
fn cut_another_map() {
    let file = tempfile::tempfile().unwrap();
    file.set_len(1 << 16).unwrap();
    // SAFETY: the system chooses a free address; the map is checked, and read within its length only.
    unsafe {
        let map = libc::mmap(null_mut(), 1 << 16, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert_ne!(map, libc::MAP_FAILED);
        file.set_len(0).unwrap();
        map.cast::<u8>().add(1 << 15).read_volatile();
    }
}

fn send() {
    // SAFETY: whatever the signal does is what the test asks for.
    unsafe { libc::raise(libc::SIGBUS) };
}

extern "C" fn exit(_: libc::c_int) {
    // SAFETY: this call is allowed in a handler.
    unsafe { libc::_exit(42) };
}

/// The handler of the host, by name.
fn install(host: &str) {
    let handler = match host {
        "own" => exit as extern "C" fn(libc::c_int) as usize,
        "ignored" => libc::SIG_IGN,
        _ => libc::SIG_DFL,
    };
    // SAFETY: all zeros is a valid `sigaction`; the handler makes no call that is not allowed in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        assert_eq!(libc::sigaction(libc::SIGBUS, &action, null_mut()), 0);
    }
}

/// The name of the host's handler, then what the child process does.
const CASE: &str = "MAKRUK_TEST_SIGBUS";

/// Runs this binary's child in a case.
fn child(host: &str, deed: &str) -> ExitStatus {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "sigbus::a_child_of_the_other_test"]).env(CASE, format!("{host} {deed}")).status().unwrap()
}

#[test]
fn a_child_of_the_other_test() {
    let Ok(case) = std::env::var(CASE) else { return };
    let (host, deed) = case.split_once(' ').unwrap();
    install(host);
    survive_truncated_tables().unwrap();
    // A second call must not make the handler its own predecessor.
    survive_truncated_tables().unwrap();
    // The handler knows a table before it meets another map.
    cut_a_table();
    match deed {
        "read another map" => cut_another_map(),
        _ => send(),
    }
}

#[test]
fn a_cut_table_fails_and_every_other_fault_is_the_hosts() {
    for (host, deed, expected) in [
        ("own", "read another map", Ok(42)),
        ("own", "send", Ok(42)),
        ("default", "read another map", Err(libc::SIGBUS)),
        ("default", "send", Err(libc::SIGBUS)),
        // The system ends a process that ignores a fault, and not one that ignores a signal.
        ("ignored", "read another map", Err(libc::SIGBUS)),
        ("ignored", "send", Ok(0)),
    ] {
        let status = child(host, deed);
        let found = status.code().ok_or_else(|| status.signal().unwrap());
        assert_eq!(found, expected, "{host}: {deed}");
    }
}
