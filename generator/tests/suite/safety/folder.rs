//! Folders that vanish, and paths that are not folders.

use std::fs;

use super::harness::{Build, FIVE_MEN, names, tables};

#[test]
fn a_folder_that_is_removed_while_building() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    let mut build = Build::start(&folder, &FIVE_MEN);
    assert!(build.runs_until(|| folder.is_dir() && !tables(&folder).is_empty()), "{}", build.end().log);
    // The build may put a new file into it while it is being emptied.
    while folder.exists() {
        let _ = fs::remove_dir_all(&folder);
    }
    build.end().assert_failed(&[folder.to_str().unwrap(), "; "]);
    assert!(names(place.path()).is_empty(), "{:?}", names(place.path()));
}

#[test]
fn a_folder_that_is_a_file_or_lies_under_one() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("tables");
    fs::write(&file, "notes").unwrap();
    Build::start(&file, &["KRvK"])
        .end()
        .assert_failed(&[file.to_str().unwrap(), "this is not a folder; name a folder with --tables or MAKRUK_TABLES"]);
    let under = file.join("deep");
    Build::start(&under, &["KRvK"]).end().assert_failed(&[under.to_str().unwrap(), "can't make the table folder"]);
    assert_eq!(fs::read(&file).unwrap(), b"notes");
}
