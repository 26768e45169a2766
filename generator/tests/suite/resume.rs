//! Builds that go on within a metric, from the checkpoint of a build that was stopped or, with a torn end, killed: the
//! same bytes.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use makruk_format::TableFolder;
use makruk_generator::{Budget, BuildError, CheckpointEvent, Options, Progress, Silent, build, unfinished};
use makruk_rules::{Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::Metric;
use tempfile::TempDir;

use super::{Files, built_with, files};

/// Both sides armed, so that there are two attacks under each of two metrics; few positions.
const ARMED: &str = "KMvKM";

/// One attack under one metric.
const BARE: &str = "KRvK";

/// As with six men: all decisions are in the checkpoint. A pass has many groups of slabs, a table many batches.
fn options() -> Options {
    let budget = Budget { men_in_memory: 2, group_bytes: 1, waiting_positions: 1, ..Budget::default() };
    Options { budget, threads: Some(2), ..Options::default() }
}

/// The least memory: sets of positions are packed, too.
fn packed(materials: &[Material]) -> Options {
    let options = options();
    let least = materials.iter().map(|&material| options.budget.least_memory_bytes(material, 3)).max();
    Options { memory: least, threads: Some(3), ..options }
}

/// Stops a build, and notes what it finds.
#[derive(Default)]
struct Watch {
    /// The moves after which the build stops, from the first attack of the material.
    stop_after: Option<(Material, usize)>,
    /// Stops within the pass after these moves.
    stops: AtomicUsize,
    current: Mutex<Option<Material>>,
    decided: AtomicUsize,
    events: Mutex<Vec<(TableId, CheckpointEvent)>>,
    phases: Mutex<Vec<(Metric, Color)>>,
    moves: Mutex<Vec<u16>>,
}

impl Watch {
    fn stopping(material: Material, moves: usize) -> Watch {
        Watch { stop_after: Some((material, moves)), ..Watch::default() }
    }

    fn events(self) -> Vec<(TableId, CheckpointEvent)> {
        self.events.into_inner().expect("no thread panicked")
    }
}

impl Progress for Watch {
    fn material(&self, material: Material) {
        *self.current.lock().expect("no thread panicked") = Some(material);
    }

    fn checkpoint(&self, table: TableId, event: &CheckpointEvent) {
        self.events.lock().expect("no thread panicked").push((table, event.clone()));
    }

    fn phase(&self, metric: Metric, attacker: Color) {
        self.phases.lock().expect("no thread panicked").push((metric, attacker));
    }

    fn decided(&self, moves: u16, _: u64) {
        self.moves.lock().expect("no thread panicked").push(moves);
        if self.stop_after.is_some_and(|(of, _)| *self.current.lock().expect("no thread panicked") == Some(of)) {
            self.decided.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        match self.stop_after {
            // A few groups of the next pass are written before the build stops.
            Some((_, moves)) if self.decided.load(Ordering::Relaxed) > moves => {
                match self.stops.fetch_add(1, Ordering::Relaxed) {
                    0..3 => Ok(()),
                    _ => Err(BuildError::Stopped),
                }
            }
            _ => Ok(()),
        }
    }
}

fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

fn table(name: &str) -> TableId {
    name.parse().expect("a table")
}

/// A folder of tables, and all files in it.
struct Place {
    _place: TempDir,
    folder: TableFolder,
}

impl Place {
    fn new() -> Place {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = TableFolder::create(place.path()).expect("a table folder");
        Place { _place: place, folder }
    }

    /// The folder with all that a material is solved from.
    fn with_children(name: &str) -> Place {
        let place = Place::new();
        build(&place.folder, material(name).children(), &Options::default(), &Silent).expect("a build");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn files(&self) -> Files {
        files(self.folder.path())
    }

    /// Builds a material, which is stopped after some moves; returns what was found.
    fn stop(&self, name: &str, moves: usize, options: &Options) -> Vec<(TableId, CheckpointEvent)> {
        let watch = Watch::stopping(material(name), moves);
        let outcome = build(&self.folder, [material(name)], options, &watch);
        assert!(matches!(outcome, Err(BuildError::Stopped)), "{name} was not stopped after {moves} moves");
        watch.events()
    }

    /// Builds a material to the end. Its tables have these bytes, and no other file is left.
    fn finish(&self, name: &str, options: &Options, expected: &Files) -> Watch {
        let watch = Watch::default();
        build(&self.folder, [material(name)], options, &watch).expect("a build");
        let files = self.files();
        assert!(files.keys().eq(expected.keys()), "{:?}", files.keys());
        expected.iter().for_each(|(name, bytes)| assert!(files[name] == *bytes, "{name} has other bytes"));
        watch
    }
}

/// The files of an undisturbed build of the usual kind, without a checkpoint.
fn undisturbed(name: &str) -> Files {
    built_with(&[name], &Options::default())
}

/// Stops builds after more and more moves, until one has fewer. A move of every attack has to be the next.
#[test]
fn a_build_goes_on_after_many_a_move() {
    let expected = undisturbed(ARMED);
    let material = material(ARMED);
    let place = Place::with_children(ARMED);
    let children = place.files();
    let mut options = [options(), packed(&[material])].into_iter().cycle();
    let mut resumed = Vec::new();
    for moves in (0..).step_by(3) {
        let place = Place::new();
        children.iter().for_each(|(name, bytes)| fs::write(place.path(name), bytes).expect("a table"));
        let watch = Watch::stopping(material, moves);
        if build(&place.folder, [material], &options.next().expect("one of two"), &watch).is_ok() {
            break;
        }
        let left = unfinished(&place.folder).expect("the folder");
        // The decisions under DTM stay until the tables of both metrics are written.
        let Some((left, before)) = left.split_last() else { panic!("no checkpoint after {moves} moves") };
        assert!(before.iter().all(|other| other.table.metric == Metric::Dtm), "after {moves} moves: {before:?}");
        // With other memory and other threads.
        let watch = place.finish(ARMED, &options.next().expect("one of two"), &expected);
        options.next();
        let first = watch.moves.lock().expect("no thread panicked").first().copied();
        let events = watch.events();
        let Some(((table, event), before)) = events.split_last() else { panic!("after {moves} moves: no event") };
        let is_solved = |event: &CheckpointEvent| matches!(event, CheckpointEvent::Solved { .. });
        assert!(before.iter().all(|(table, event)| table.metric == Metric::Dtm && is_solved(event)), "{before:?}");
        assert_eq!(*table, left.table);
        match *event {
            CheckpointEvent::Resumed { attacker, moves, .. } => {
                assert_eq!(first, Some(moves), "the first move that is solved after {event:?}");
                resumed.push((table.metric, attacker, moves));
            }
            // All moves were solved, and the table was being written.
            CheckpointEvent::Solved { .. } => {}
            _ => panic!("{event:?}"),
        }
    }
    // The attacks resume one after the other.
    assert!(resumed.is_sorted(), "{resumed:?}");
    for metric in Metric::DISTANCES {
        for attacker in Color::ALL {
            let is_reached = resumed.iter().any(|place| (place.0, place.1) == (metric, attacker));
            assert!(is_reached, "{metric} {attacker}: {resumed:?}");
        }
    }
}

#[test]
fn a_solve_that_was_finished_is_written() {
    let expected = undisturbed(BARE);
    let place = Place::new();
    let all = Place::new().finish(BARE, &options(), &expected).moves.into_inner().expect("no thread panicked").len();
    // All moves are solved, and the table is being written.
    place.stop(BARE, all - 1, &options());
    let watch = place.finish(BARE, &options(), &expected);
    assert!(watch.phases.lock().expect("no thread panicked").is_empty(), "it was solved again");
    let events = watch.events();
    assert!(matches!(events[..], [(_, CheckpointEvent::Solved { .. })]), "{events:?}");
}

/// The checkpoint of a build that was stopped after some moves of its material's only attack.
fn checkpoint(moves: usize) -> (Place, PathBuf, Vec<u8>) {
    let place = Place::new();
    place.stop(BARE, moves, &options());
    let path = place.path("KRvK.dtm.unfinished");
    let bytes = fs::read(&path).expect("the checkpoint");
    (place, path, bytes)
}

#[test]
fn a_torn_end_is_cut_off() {
    let expected = undisturbed(BARE);
    let (place, path, bytes) = checkpoint(4);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut lengths = vec![0, 1, 8, 20, 120, 150, 170, bytes.len() - 1, bytes.len()];
    lengths.extend((0..4).map(|_| rng.usize(..bytes.len())));
    let mut resumed = 0;
    for len in lengths {
        let mut torn = bytes[..len].to_vec();
        // The disk has room for the rest, and has not written it.
        if rng.bool() && len > 200 {
            torn.resize(bytes.len(), 0);
        }
        fs::write(&path, &torn).expect("the checkpoint");
        fs::remove_file(place.path("KRvK.dtm")).ok();
        fs::remove_file(place.path("KRvK.category")).ok();
        let events = place.finish(BARE, &options(), &expected).events();
        resumed += usize::from(matches!(events.last(), Some((_, CheckpointEvent::Resumed { .. }))));
    }
    assert!(resumed > 4, "{resumed}");
}

#[test]
fn a_flipped_bit_is_found() {
    let expected = undisturbed(BARE);
    let (place, path, bytes) = checkpoint(4);
    let header = bytes.windows(8).position(|bytes| bytes == b"words 1\n").expect("the header's last line") + 12;
    let mut rng = fastrand::Rng::with_seed(2);
    let mut places: Vec<usize> = (0..2).map(|_| rng.usize(8..header)).collect();
    // In the heads of the first two records, in what follows, and in the last record.
    places.extend([0, 5, 8, 41, 45, 52, 60].map(|after| header + after));
    places.push(bytes.len() - 60);
    places.extend((0..2).map(|_| rng.usize(header..bytes.len())));
    for at in places {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << rng.u8(..8);
        fs::write(&path, &flipped).expect("the checkpoint");
        fs::remove_file(place.path("KRvK.dtm")).ok();
        fs::remove_file(place.path("KRvK.category")).ok();
        let events = place.finish(BARE, &options(), &expected).events();
        match &events[..] {
            [(_, CheckpointEvent::Refused { path: found, .. })] => assert!(at < header && *found == path, "{at}"),
            // A length may say that the record goes on after the end of the file.
            [rest @ .., (_, CheckpointEvent::Resumed { .. })] | rest => assert!(
                at >= header && (rest.is_empty() || matches!(rest, [(_, CheckpointEvent::Damaged { .. })])),
                "{at}: {events:?}"
            ),
        }
    }
}

#[test]
fn a_checkpoint_of_another_table_rules_or_program_is_refused() {
    let (other, _, bytes) = checkpoint(4);
    let refused = |place: &Place, name: &str, options: &Options, problem: &str| {
        let watch = Watch::default();
        build(&place.folder, [material(name)], options, &watch).expect("a build");
        let events = watch.events();
        let [(table, event)] = &events[..] else { panic!("{events:?}") };
        let sentence = event.sentence(*table);
        let path = place.path(&format!("{table}.unfinished"));
        let expected = format!("{}: {problem}; {table} is solved from the start", path.display());
        assert_eq!(sentence, expected);
    };
    let place = Place::new();
    fs::write(place.path("KSvK.dtm.unfinished"), &bytes).expect("a checkpoint");
    refused(&place, "KSvK", &options(), "expected table KSvK.dtm, found table KRvK.dtm");
    assert_eq!(place.files(), undisturbed("KSvK"));

    let ouk = Options { rules: CountingRules::OUK, ..options() };
    refused(&other, BARE, &ouk, "expected rules ouk, found rules makruk");
    assert_eq!(other.files().len(), 2);
}

/// Whatever has the name of a checkpoint and is not one stays as it is, and so does what it points at.
#[test]
fn what_is_not_a_checkpoint_is_not_overwritten() {
    let place = Place::new();
    let (checkpoint, victim) = (place.path("KRvK.dtm.unfinished"), place.path("notes"));
    let refuses = |problem: &str| {
        let error = build(&place.folder, [material(BARE)], &options(), &Silent).expect_err("no checkpoint").to_string();
        let expected = format!("{}: {problem}; move it elsewhere", checkpoint.display());
        assert!(error.starts_with(&expected), "{error}");
    };
    fs::write(&checkpoint, "precious").expect("a file");
    refuses("expected a checkpoint, found \"precious\" at its beginning");
    assert_eq!(fs::read(&checkpoint).expect("the file"), b"precious");
    #[cfg(unix)]
    for target in [victim.clone(), place.path("nothing")] {
        fs::remove_file(&checkpoint).expect("removed");
        fs::write(&victim, "").expect("a file");
        std::os::unix::fs::symlink(&target, &checkpoint).expect("a link");
        refuses("expected a file, found a link or another thing");
        assert!(fs::read(&victim).expect("the file").is_empty() && !place.path("nothing").exists());
    }
    fs::remove_file(&checkpoint).expect("removed");
    fs::create_dir(&checkpoint).expect("a folder");
    refuses("expected a file, found a link or another thing");
}

#[test]
fn a_checkpoint_stays_as_long_as_it_is_of_use() {
    let (place, path, bytes) = checkpoint(4);
    // Another build of the folder leaves it there.
    build(&place.folder, [material("KSvK")], &options(), &Silent).expect("a build");
    assert_eq!(fs::read(&path).expect("the checkpoint"), bytes);
    place.finish(BARE, &options(), &{
        let mut all = undisturbed(BARE);
        all.extend(undisturbed("KSvK"));
        all
    });
    // Left by a build that was killed after its last table was written.
    for names in [["KSvK"], ["KRvK"]] {
        fs::write(&path, &bytes).expect("a checkpoint");
        fs::write(place.path("KNNvKMM.dtz.unfinished"), &bytes).expect("a checkpoint");
        assert!(build(&place.folder, names.map(material), &options(), &Silent).expect("a build").is_empty());
        assert!(!path.exists(), "{names:?}");
        assert_eq!(unfinished(&place.folder).expect("the folder").len(), 1, "{names:?}");
    }
}

#[test]
fn a_checkpoint_that_another_build_uses_is_left_alone() {
    let expected = undisturbed(BARE);
    let (place, path, bytes) = checkpoint(4);
    let other = fs::File::open(&path).expect("the checkpoint");
    other.try_lock().expect("a lock");
    let watch = Watch::default();
    build(&place.folder, [material(BARE)], &options(), &watch).expect("a build");
    assert_eq!(watch.events(), [(table("KRvK.dtm"), CheckpointEvent::InUse { path: path.clone() })]);
    assert_eq!(fs::read(&path).expect("the checkpoint"), bytes);
    drop(other);
    fs::remove_file(&path).expect("the checkpoint");
    assert_eq!(place.files(), expected);
}
