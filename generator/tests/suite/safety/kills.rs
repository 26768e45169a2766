//! `kill -9` at random moments.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::harness::{Build, FOUR_MEN, Files, Undisturbed, check, files, tables, temporaries, undisturbed};

/// Kills of a build that takes seconds.
const LONG_KILLS: usize = 10;

/// Kills of a build that takes a tenth of a second: many of them hit the moments between solving and the next material.
const SHORT_KILLS: usize = 30;

/// The most kills, as a multiple of those asked for, until one hits a table that is being written.
const PATIENCE: usize = 5;

/// The materials of the short build, which writes 13 KB at a time at the most.
const SHORT: [&str; 5] = ["KRvK", "KMvKM", "KNvKN", "--threads", "1"];

/// A generator of random numbers, whose seed is printed; `MAKRUK_SAFETY_SEED` sets it.
fn rng() -> Rng {
    let seed = match std::env::var("MAKRUK_SAFETY_SEED") {
        Ok(seed) => seed.parse().expect("MAKRUK_SAFETY_SEED is a number"),
        Err(_) => fastrand::u64(..),
    };
    println!("MAKRUK_SAFETY_SEED={seed}");
    Rng::with_seed(seed)
}

/// The states of the builds that were killed.
#[derive(Debug, Default)]
struct Hits {
    /// Builds that were killed.
    kills: usize,
    /// Among them those that were writing a table: their temporary was left behind.
    writing: usize,
    /// Among those, temporaries that were still empty.
    empty: usize,
    /// Builds that were done before they were hit.
    done: usize,
}

/// Kills a build in `folder` once, at a random moment in `span`, or when a table is being written.
fn kill_once(folder: &Path, materials: &[&str], span: Duration, rng: &mut Rng, hits: &mut Hits) {
    let before = temporaries(folder);
    let stood = inodes(folder);
    let mut build = Build::start(folder, materials);
    if rng.bool() {
        let moment = Instant::now() + span.mul_f64(rng.f64());
        build.runs_until(|| Instant::now() >= moment);
    } else {
        let nth = rng.usize(0..3);
        let mut seen = before.clone();
        build.runs_until(|| {
            seen.extend(temporaries(folder).into_iter().filter(|name| !seen.contains(name)).collect::<Vec<_>>());
            seen.len() > before.len() + nth
        });
        let moment = Instant::now() + span.mul_f64(rng.f64() / 5.0);
        build.runs_until(|| Instant::now() >= moment);
    }
    if build.kill() {
        hits.kills += 1;
    } else {
        hits.done += 1;
    }
    check(folder);
    let left = temporaries(folder);
    let new: Vec<&String> = left.iter().filter(|name| !before.contains(name)).collect();
    assert!(new.len() <= 2, "a build writes one file at a time, or the last distances and the category table: {new:?}");
    hits.writing += usize::from(!new.is_empty());
    hits.empty += new.iter().filter(|name| fs::metadata(folder.join(name)).unwrap().len() == 0).count();
    let stand = inodes(folder);
    assert!(stood.iter().all(|table| stand.get(table.0) == Some(table.1)), "a complete table was written again");
}

/// The file of each table, by its number on the disk.
fn inodes(folder: &Path) -> BTreeMap<String, u64> {
    let inode = |name: &String| fs::metadata(folder.join(name)).unwrap().ino();
    tables(folder).into_iter().map(|name| (name.clone(), inode(&name))).collect()
}

/// Builds and kills in a folder that holds `all` and loses some tables now and then, so that there is work to do. Then
/// a build runs to its end.
fn kill_builds(materials: &[&str], all: &Files, took: Duration, kills: usize) -> Hits {
    let mut rng = rng();
    let mut hits = Hits::default();
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let total: usize = all.values().map(Vec::len).sum();
    all.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    while hits.kills < kills || (hits.writing == 0 && hits.kills < PATIENCE * kills) {
        let mut missing: usize =
            all.iter().filter(|(name, _)| !folder.join(name).exists()).map(|file| file.1.len()).sum();
        if missing == 0 {
            for (name, bytes) in all.iter().filter(|_| rng.u8(0..5) < 2) {
                fs::remove_file(folder.join(name)).unwrap();
                missing += bytes.len();
            }
        }
        // The expected time of the missing tables.
        kill_once(folder, materials, took.mul_f64(missing as f64 / total as f64), &mut rng, &mut hits);
        // The next build that runs to its end removes the temporaries of the killed ones, whatever it builds itself.
        if rng.bool() {
            assert_succeeds(folder, &["KNvK"]);
            assert_eq!(check(folder), 0, "orphans stay: {:?}", temporaries(folder));
        }
    }
    assert_succeeds(folder, materials);
    assert!(files(folder) == *all);
    assert!(hits.writing > 0, "no kill hit a table that was being written: {hits:?}");
    hits
}

fn assert_succeeds(folder: &Path, materials: &[&str]) {
    let ended = Build::start(folder, materials).end();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
}

#[test]
#[ignore = "kills many builds: a minute"]
fn a_long_build_killed_at_random_moments() {
    let Undisturbed { files, took } = undisturbed();
    let hits = kill_builds(&FOUR_MEN, files, *took, LONG_KILLS);
    println!("{FOUR_MEN:?}: {hits:?}");
}

#[test]
#[ignore = "kills many builds: half a minute"]
fn a_short_build_killed_at_random_moments() {
    let place = tempfile::tempdir().unwrap();
    let begun = Instant::now();
    assert_succeeds(place.path(), &SHORT);
    let hits = kill_builds(&SHORT, &files(place.path()), begun.elapsed(), SHORT_KILLS);
    println!("{SHORT:?}: {hits:?}");
    // Its tables are shorter than the writer's buffer: until they are complete their files are empty.
    assert!(hits.empty > 0, "no kill hit a table before its first write: {hits:?}");
}
