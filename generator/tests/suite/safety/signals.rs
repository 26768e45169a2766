//! Signals that ask a build to stop, and a terminal that goes away.

use std::path::Path;

use super::harness::{Build, Ended, FIVE_MEN, assert_complete, check, tables, temporaries, through};

/// A build that got this signal after its first table.
fn signalled(folder: &Path, signal: &str) -> Ended {
    // Tests in the background may run with the signal ignored, and the build would inherit that.
    let starter = ["env", &format!("--default-signal={signal}")];
    let starter = if cfg!(target_os = "linux") { &starter[..] } else { &[] };
    let mut build = Build::run(&mut through(starter, folder, &FIVE_MEN));
    assert!(build.runs_until(|| !tables(folder).is_empty()), "{}", build.end().log);
    build.signal(signal);
    build.end()
}

#[test]
fn signals_stop_a_build_in_order() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let place = tempfile::tempdir().unwrap();
        let ended = signalled(place.path(), signal);
        assert_eq!(ended.status.code(), Some(status), "{signal}: {:?}: {}", ended.status, ended.log);
        assert!(
            ended.log.ends_with(
                "makruk-gen: stopped: the tables finished so far are complete; the same command continues from there\n"
            ),
            "{}",
            ended.log
        );
        assert_eq!(check(place.path()), 0, "{signal} leaves a temporary behind");
    }
}

#[test]
fn what_a_build_that_is_killed_while_it_writes_leaves_the_next_removes() {
    let place = tempfile::tempdir().unwrap();
    let (folder, materials) = (place.path(), ["KRRvK"]);
    let mut build = Build::start(folder, &materials);
    assert!(build.runs_until(|| !temporaries(folder).is_empty()), "{}", build.end().log);
    // SIGKILL.
    drop(build);
    assert!(check(folder) <= 2, "the distances that were being written, and the category table");
    let ended = Build::start(folder, &materials).end();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
    assert_complete(folder, &materials);
}

#[test]
fn a_hangup_that_is_ignored_stays_ignored() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    // As nohup does it.
    let starter = ["sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""];
    let mut build = Build::run(&mut through(&starter, folder, &["KRRvK"]));
    assert!(build.runs_until(|| !tables(folder).is_empty()), "{}", build.end().log);
    build.signal("HUP");
    let ended = build.end();
    assert!(ended.status.success() || cfg!(not(target_os = "linux")), "{:?}: {}", ended.status, ended.log);
    check(folder);
}

#[test]
fn a_build_goes_on_when_its_output_is_closed() {
    let place = tempfile::tempdir().unwrap();
    let mut build = Build::start(place.path(), &["KMMvK"]);
    build.hang_up();
    let ended = build.end();
    assert!(ended.status.success(), "{:?}", ended.status);
    assert_complete(place.path(), &["KMvK", "KMMvK"]);
}
