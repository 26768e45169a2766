//! Folders that vanish, folders that cannot be written, and paths that are not folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::harness::{Build, FIVE_MEN, GENERATOR, assert_complete, build, check, names, skip, tables};

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
    // The files that were being written, DTM and category at most, have moved along: the next build there removes them.
    assert!(check(&other) <= 2);
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
        .assert_failed(&[file.to_str().unwrap(), "this is not a folder; name a folder with --tables or MAKRUK_TABLES"]);
    let under = file.join("deep");
    Build::start(&under, &["KRvK"]).end().assert_failed(&[under.to_str().unwrap(), "can't make the table folder"]);
    assert_eq!(fs::read(&file).unwrap(), b"notes");
}

/// The user who may write nowhere.
const NOBODY: &str = "65534";

/// A command that builds in `folder` with the rights of a user for whom its permissions count; `None` if the superuser
/// cannot give up his.
fn unprivileged(folder: &Path, program: &Path) -> Option<Command> {
    let is_superuser = fs::write(folder.join("trial"), "").is_ok();
    if !is_superuser {
        return Some(build(folder, &["KRvK"]));
    }
    fs::remove_file(folder.join("trial")).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]);
    command.arg(program).args(["build", "KRvK", "--tables"]).arg(folder);
    let can_drop = Command::new("setpriv").args(["--reuid", NOBODY, "true"]).status();
    can_drop.is_ok_and(|status| status.success()).then_some(command)
}

#[test]
fn a_folder_that_cannot_be_written() {
    // A copy of the program that any user may run, wherever the tests were compiled.
    let bin = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    let program = bin.path().join("makruk-gen");
    fs::copy(GENERATOR, &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let place = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let Some(mut command) = unprivileged(place.path(), &program) else {
        return skip("the superuser may write into any folder, and setpriv does not remove its rights");
    };
    let ended = Build::run(&mut command).end();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    ended.assert_failed(&[place.path().to_str().unwrap(), "change its permissions"]);
    assert!(names(place.path()).is_empty());
}
