//! Several builds at once in one folder.

use std::fs::{File, TryLockError};

use super::harness::{Build, assert_complete, check, temporaries};

#[test]
fn three_builds_with_overlapping_materials() {
    let place = tempfile::tempdir().unwrap();
    let asked = [["KRvK", "KMMvK"], ["KMMvK", "KNvK"], ["KNvK", "KRvK"]];
    let builds = asked.map(|materials| Build::start(place.path(), &materials));
    for build in builds {
        let ended = build.end();
        assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
    }
    assert_complete(place.path(), &["KRvK", "KNvK", "KMvK", "KMMvK"]);
}

/// A build that is suspended while it writes a table keeps its file; another makes all tables meanwhile.
#[test]
fn a_build_that_is_overtaken() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let materials = ["KRRvK"];
    // A file that has no lock yet is stale to another build.
    let is_locked = |name: &str| {
        File::open(folder.join(name)).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    };
    let is_writing = || temporaries(folder).iter().any(|name| name.starts_with(".K") && is_locked(name));
    let mut slow = Build::start(folder, &materials);
    loop {
        assert!(slow.runs_until(is_writing), "never seen writing: {}", slow.end().log);
        slow.pause();
        if is_writing() {
            break;
        }
        slow.signal("CONT");
    }
    let held = temporaries(folder);
    let quick = Build::start(folder, &materials).end();
    assert!(quick.status.success(), "{:?}: {}", quick.status, quick.log);
    assert_eq!(temporaries(folder), held, "the file of a live build stays, and only it");
    check(folder);
    slow.signal("CONT");
    let slow = slow.end();
    assert!(slow.status.success(), "{:?}: {}", slow.status, slow.log);
    assert_complete(folder, &materials);
    println!("{}", slow.log);
}
