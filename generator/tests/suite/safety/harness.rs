//! A build as a process, and the state of its folder.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use makruk_format::{AnyValue, TableFolder, TableId};
use tempfile::TempDir;

/// The program.
pub(crate) const GENERATOR: &str = env!("CARGO_BIN_EXE_makruk-gen");

/// More than a test ever lets a build finish, on any machine: no material of five men is ever begun.
pub(crate) const FIVE_MEN: [&str; 6] = ["--men", "5", "--threads", "1", "--memory", "64"];

/// The bytes of a table from an undisturbed build of its material, which has been verified. A material is built once
/// for all tests.
fn expected(name: &str) -> Vec<u8> {
    static PLACE: Mutex<Option<TempDir>> = Mutex::new(None);
    let mut place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = place.get_or_insert_with(|| tempfile::tempdir().unwrap()).path();
    let id: TableId = name.parse().unwrap();
    if !folder.join(name).exists() {
        let verified = tables(folder);
        let ended = Build::start(folder, &[&id.material.to_string()]).end();
        assert!(ended.status.success(), "{}", ended.log);
        let built = TableFolder::open_existing(folder).unwrap();
        for id in built.list().unwrap() {
            if !verified.contains(&id.to_string()) {
                built.open::<AnyValue>(id).unwrap().verify().unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    fs::read(folder.join(name)).unwrap()
}

/// A build in a folder, started by another program if one is given, such as a shell that first sets limits.
pub(crate) fn through(starter: &[&str], folder: &Path, materials: &[&str]) -> Command {
    let mut words = starter.iter().copied().chain([GENERATOR]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).arg("build").args(materials).arg("--tables").arg(folder);
    command
}

/// Ends a test that this machine cannot run. Every test has to run if `CI` is set.
pub(crate) fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "CI is set, and a test cannot run: {reason}");
    println!("skipped: {reason}");
}

/// A build that runs.
pub(crate) struct Build {
    child: Child,
}

/// A build that has ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Its standard error.
    pub(crate) log: String,
}

impl Build {
    /// Starts a build.
    pub(crate) fn start(folder: &Path, materials: &[&str]) -> Build {
        Build::run(&mut through(&[], folder, materials))
    }

    /// Starts a command that becomes a build. Its standard output is a few lines, which a pipe holds unread.
    pub(crate) fn run(command: &mut Command) -> Build {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Build { child: command.spawn().unwrap() }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until something is seen in the folder; `false` if the build ended first.
    pub(crate) fn runs_until(&mut self, mut seen: impl FnMut() -> bool) -> bool {
        while !seen() {
            if !self.is_running() {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Sends a signal, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let words = [format!("-{name}"), self.child.id().to_string()];
        assert!(Command::new("kill").args(words).status().unwrap().success());
    }

    /// SIGSTOP, and waits until every thread stands still or the process has ended.
    pub(crate) fn pause(&self) {
        self.signal("STOP");
        let tasks = format!("/proc/{}/task", self.child.id());
        // The state is the first field after the name, which is in parentheses.
        let still = |stat: String| {
            let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
            matches!(state, Some('T' | 'Z' | 'X'))
        };
        while fs::read_dir(&tasks)
            .into_iter()
            .flatten()
            .flatten()
            .any(|task| fs::read_to_string(task.path().join("stat")).is_ok_and(|stat| !still(stat)))
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Closes the pipes that its output goes to.
    pub(crate) fn hang_up(&mut self) {
        drop(self.child.stdout.take());
        drop(self.child.stderr.take());
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ended {
        let mut log = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut log).unwrap();
        }
        Ended { status: self.child.wait().unwrap(), log }
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// It failed as a program should: with status 1, and one line that contains all of these parts, and no panic.
    pub(crate) fn assert_failed(&self, parts: &[&str]) {
        assert_eq!(self.status.code(), Some(1), "{:?}: {}", self.status, self.log);
        assert!(!self.log.contains("panicked"), "{}", self.log);
        let error = self.log.lines().last().unwrap_or_default();
        assert!(error.starts_with("makruk-gen: "), "{}", self.log);
        for words in parts {
            assert!(error.contains(words), "{words:?} is not in: {error}");
        }
    }
}

/// The names of all that is in a folder, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The names in a folder that are tables'.
pub(crate) fn tables(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.parse::<TableId>().is_ok()).collect()
}

/// The names in a folder that are temporaries', of tables being written.
pub(crate) fn temporaries(folder: &Path) -> Vec<String> {
    names(folder).into_iter().filter(|name| name.starts_with('.') && name.ends_with(".tmp")).collect()
}

/// Every table has the bytes of an undisturbed build, which were verified; apart from tables there are only
/// temporaries, whose number is returned.
pub(crate) fn check(folder: &Path) -> usize {
    for name in tables(folder) {
        assert!(fs::read(folder.join(&name)).unwrap() == expected(&name), "{name} has other bytes");
    }
    let temporaries = temporaries(folder).len();
    assert_eq!(names(folder).len(), tables(folder).len() + temporaries, "{:?}", names(folder));
    temporaries
}

/// The folder holds these materials' tables as an undisturbed build makes them, and nothing else.
pub(crate) fn assert_complete(folder: &Path, materials: &[&str]) {
    assert_eq!(check(folder), 0, "{:?}", temporaries(folder));
    let here = tables(folder);
    for material in materials {
        assert!(here.contains(&format!("{material}.dtm")), "{material} is missing: {here:?}");
    }
}
