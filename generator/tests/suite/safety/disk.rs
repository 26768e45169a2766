//! Disks that are full or read-only, and limits on the size of files.

use std::process::{Command, Stdio};

use super::harness::{Build, GENERATOR, assert_complete, check, skip, tables, through};

/// Shells that limit files to 2 KiB (in some shells 4), or 150 KiB (300), and then run the command that follows.
const SMALL_FILES: [&str; 3] = ["sh", "-c", "ulimit -f 4 && exec \"$0\" \"$@\""];
const LARGE_FILES: [&str; 3] = ["sh", "-c", "ulimit -f 300 && exec \"$0\" \"$@\""];

/// The limit is met at once or later, by a table or by a working file.
#[test]
fn a_limit_on_the_size_of_files() {
    for (starter, materials) in [(SMALL_FILES, ["KRvK"]), (LARGE_FILES, ["KRRvK"])] {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let ended = Build::run(&mut through(&starter, folder, &materials)).end();
        ended.assert_failed(&[
            folder.to_str().unwrap(),
            "can't write the ",
            "raise the limit on the size of files (ulimit -f)",
        ]);
        assert_eq!(check(folder), 0, "the unfinished file is removed");
        assert!(!tables(folder).contains(&format!("{}.dtm", materials[0])));
        let ended = Build::start(folder, &materials).end();
        assert!(ended.status.success(), "{}", ended.log);
        assert_complete(folder, &materials);
    }
}

/// Runs a shell script for which `$1` is a disk of 64 MiB: a file system in memory, mounted with these options in a
/// namespace of its own.
fn on_a_small_disk(options: &str, script: &str) -> Option<(tempfile::TempDir, std::process::Output)> {
    let place = tempfile::tempdir().unwrap();
    let script = format!("mount -t tmpfs -o size=64m,{options} tmpfs \"$1\" || exit 77\n{script}");
    // With the caller's rights, or as the superuser of a user namespace.
    for rights in ["-m", "-rm"] {
        let mut command = Command::new("unshare");
        command.args([rights, "sh", "-c", &script, GENERATOR]).arg(place.path());
        match command.stdin(Stdio::null()).output() {
            Ok(output) if output.status.success() => return Some((place, output)),
            // unshare itself fails with 1, the script with other numbers.
            Ok(output) => assert!(
                matches!(output.status.code(), Some(1 | 77)),
                "{:?}: {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ),
            Err(_) => break,
        }
    }
    skip("no file system can be mounted here");
    None
}

#[test]
#[ignore = "builds four men three times: ten seconds"]
fn a_full_disk() {
    let Some((place, output)) = on_a_small_disk(
        "rw",
        "head -c 66000000 /dev/zero > \"$1\"/films || exit 4
         \"$0\" build KSSvK --tables \"$1\"
         [ $? = 1 ] || exit 3
         ls -A \"$1\"
         rm \"$1\"/films
         \"$0\" build KSSvK --tables \"$1\" || exit 5
         \"$0\" verify KSSvK --tables \"$1\"",
    ) else {
        return;
    };
    let (out, log) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let mut errors = log.lines().filter(|line| line.starts_with("makruk-gen: "));
    let warning = errors.next().expect(&log);
    assert!(warning.contains("free, but the plan needs up to "), "{warning}");
    let error = errors.find(|line| line.contains("can't write the ")).expect(&log);
    assert!(error.contains(place.path().to_str().unwrap()) && error.contains("free some space"), "{error}");
    assert!(out.starts_with("KSvK.category\nKSvK.dtm\nfilms\n") && out.contains("\nKSSvK dtm: file verified"), "{out}");
    assert!(!log.contains("panicked"), "{log}");
}

#[test]
fn a_disk_that_is_read_only() {
    let Some((place, output)) = on_a_small_disk(
        "ro",
        "\"$0\" build KRvK --tables \"$1\"
         [ $? = 1 ] || exit 3",
    ) else {
        return;
    };
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.starts_with(&format!("makruk-gen: {}/", place.path().display())), "{log}");
    assert!(log.contains("change its permissions, or name another folder") && !log.contains("panicked"), "{log}");
}
