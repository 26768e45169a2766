//! `kill -9` at random moments.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Instant;

use fastrand::Rng;

use super::harness::{Build, FOUR_MEN, Undisturbed, check, files, tables, temporaries, undisturbed};

/// Kills of a build that takes seconds.
const KILLS: usize = 10;

/// The most kills, as a multiple of these, until one hits a table that is being written.
const PATIENCE: usize = 5;

/// A generator of random numbers, whose seed is printed; `MAKRUK_SAFETY_SEED` sets it.
fn rng() -> Rng {
    let seed = match std::env::var("MAKRUK_SAFETY_SEED") {
        Ok(seed) => seed.parse().expect("MAKRUK_SAFETY_SEED is a number"),
        Err(_) => fastrand::u64(..),
    };
    println!("MAKRUK_SAFETY_SEED={seed}");
    Rng::with_seed(seed)
}

/// The file of each table, by its number on the disk.
fn inodes(folder: &Path) -> BTreeMap<String, u64> {
    let inode = |name: &String| fs::metadata(folder.join(name)).unwrap().ino();
    tables(folder).into_iter().map(|name| (name.clone(), inode(&name))).collect()
}

fn assert_succeeds(folder: &Path, materials: &[&str]) {
    let ended = Build::start(folder, materials).end();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
}

/// In a folder that has all tables and loses some now and then, so that there is work to do.
#[test]
#[ignore = "kills many builds: a minute"]
fn a_build_killed_at_random_moments() {
    let Undisturbed { files: all, took } = undisturbed();
    let (mut rng, place) = (rng(), tempfile::tempdir().unwrap());
    let folder = place.path();
    all.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    // Builds that were killed, and among them those that were writing a table: their temporary was left behind.
    let (mut kills, mut writing) = (0, 0);
    while kills < KILLS || (writing == 0 && kills < PATIENCE * KILLS) {
        if tables(folder).len() == all.len() {
            let lost = all.keys().filter(|_| rng.u8(0..5) < 2);
            lost.for_each(|name| fs::remove_file(folder.join(name)).unwrap());
        }
        let (before, stood) = (temporaries(folder), inodes(folder));
        let is_new = |name: &String| !before.contains(name);
        let mut build = Build::start(folder, &FOUR_MEN);
        // At any moment, or soon after a table begins to be written.
        let mut span = took.mul_f64(rng.f64());
        if rng.bool() {
            build.runs_until(|| temporaries(folder).iter().any(is_new));
            span /= 10;
        }
        let moment = Instant::now() + span;
        build.runs_until(|| Instant::now() >= moment);
        kills += usize::from(build.kill());
        check(folder);
        let left = temporaries(folder).into_iter().filter(is_new).count();
        assert!(left <= 2, "a build writes one file at a time, or the last distances and the category table: {left}");
        writing += usize::from(left > 0);
        let stand = inodes(folder);
        assert!(stood.iter().all(|table| stand.get(table.0) == Some(table.1)), "a complete table was written again");
        // The next build that runs to its end removes the temporaries of the killed ones, whatever it builds itself.
        if rng.bool() {
            assert_succeeds(folder, &["KNvK"]);
            assert_eq!(check(folder), 0, "orphans stay: {:?}", temporaries(folder));
        }
    }
    assert_succeeds(folder, &FOUR_MEN);
    assert!(files(folder) == *all);
    assert!(writing > 0, "no kill hit a table that was being written: {kills} kills");
    println!("{kills} kills, {writing} of them while a table was written");
}
