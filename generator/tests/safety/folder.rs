//! Folders that vanish, that can't be written, that are none.

use std::fs;
use std::path::Path;

use crate::harness::{Build, FIVE_MEN, assert_complete, check, names, tables};

/// A build in `folder` that has made a table or more.
fn begun(folder: &Path) -> Build {
    let mut build = Build::start(folder, &FIVE_MEN);
    assert!(build.runs_until(|| folder.is_dir() && !tables(folder).is_empty()), "{}", build.end().log);
    build
}

#[test]
fn a_folder_that_is_removed_while_building() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    let build = begun(&folder);
    // The build may put a new file into it while it is being emptied.
    while folder.exists() {
        let _ = fs::remove_dir_all(&folder);
    }
    build.end().assert_failed(&[folder.to_str().unwrap(), "; "]);
    assert!(names(place.path()).is_empty(), "{:?}", names(place.path()));
}

#[test]
fn a_folder_that_is_renamed_while_building() {
    let place = tempfile::tempdir().unwrap();
    let (folder, other) = (place.path().join("tables"), place.path().join("elsewhere"));
    let build = begun(&folder);
    fs::rename(&folder, &other).unwrap();
    build.end().assert_failed(&[folder.to_str().unwrap(), "; "]);
    assert_eq!(names(place.path()), ["elsewhere"]);
    // A file that was being written has gone along: the next build there sweeps it.
    assert!(check(&other) <= 1);
    let ended = Build::start(&other, &["KRvK"]).end();
    assert!(ended.status.success(), "{}", ended.log);
    assert_complete(&other, &["KRvK"]);
}

#[test]
fn a_folder_that_is_a_file_or_lies_under_one() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("tables");
    fs::write(&file, "notes").unwrap();
    Build::start(&file, &["KRvK"])
        .end()
        .assert_failed(&[file.to_str().unwrap(), "this is no folder; name a folder with --tables or MAKRUK_TABLES"]);
    let under = file.join("deep");
    Build::start(&under, &["KRvK"]).end().assert_failed(&[under.to_str().unwrap(), "can't make the table folder"]);
    assert_eq!(fs::read(&file).unwrap(), b"notes");
}

#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(place.path().join("trial"), "").is_ok() {
        println!("skipped: the superuser may write into any folder");
        return;
    }
    let ended = Build::start(place.path(), &["KRvK"]).end();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    ended.assert_failed(&[place.path().to_str().unwrap(), "change its permissions"]);
    assert!(names(place.path()).is_empty());
}
