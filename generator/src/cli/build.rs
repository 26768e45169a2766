//! `makruk-gen build`.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{BuildError, Console, Options, build, default_threads, plan};
use makruk_tables::format::{Summary, TableFolder};
use makruk_tables::material::Material;

use super::signals::Signals;
use super::{Folder, Memory, Sets, Threads, access, gib, say};

/// What `makruk-gen build --help` says of interruptions.
pub(super) const AFTER_HELP: &str = "\
A table appears under its name when it is whole and on disk, so a build may be stopped in any way: the same command goes on \
from the tables that are complete, and clears away what a killed build left behind (.KRRvKR.dtm.123-0.tmp). Several builds may \
run in one folder at once.

Exit status: 0 all tables are there; 1 the build failed, standard error says why and what to do; 2 misuse; 130, 143 or 129 \
stopped by Ctrl-C, SIGTERM or SIGHUP (a second signal stops at once).";

#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    sets: Sets,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
}

pub(super) fn run(args: &BuildArgs) -> Result<ExitCode> {
    let sets = args.sets.in_build_order()?;
    // Without a bound, the machine's.
    let memory = Some(args.memory.bytes()?.unwrap_or_else(installed_memory));
    let options = Options { threads: args.threads.number(), memory, ..Options::default() };
    let folder = TableFolder::create(args.folder.path())?.with_access(access());
    warn_of_disk(&folder, &sets, &options);
    let signals = Signals::watch()?;
    let built = match build(&folder, sets, &options, &Console::new(signals.stop())) {
        Err(error @ BuildError::Stopped) => {
            say(&format!("makruk-gen: {error}"));
            return Ok(signals.exit_code());
        }
        outcome => outcome?,
    };
    if built.is_empty() {
        say(&format!("nothing to do: all tables are in {}", folder.path().display()));
        return Ok(ExitCode::SUCCESS);
    }
    // What is built is built, whether or not anybody reads of it.
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "{:<9} {:>5} {:>5} {:>13} {:>13} {:>13} {:>13} {:>12} {:>8}",
        "set", "mate", "event", "White wins", "Black wins", "draws", "in the count", "bytes", "seconds"
    );
    let (mut bytes, mut seconds) = (0, 0.0);
    for done in &built {
        let line = Summary::read(&folder, done.set, &options.rules)?;
        let _ = writeln!(
            out,
            "{:<9} {:>5} {:>5} {:>13} {:>13} {:>13} {:>13} {:>12} {:>8.1}",
            done.set.to_string(),
            line.longest_mate,
            line.longest_event,
            line.white,
            line.black,
            line.drawn,
            line.within_count,
            line.bytes,
            done.seconds,
        );
        bytes += line.bytes;
        seconds += done.seconds;
    }
    let _ = writeln!(out, "{} sets, {bytes} bytes in {}, {seconds:.1} s", built.len(), folder.path().display());
    Ok(ExitCode::SUCCESS)
}

/// Says so if the plan foresees more disk than there is. It is no reason to stop: the plan is a guess on the large side,
/// and a full disk costs no table that is done.
fn warn_of_disk(folder: &TableFolder, sets: &[Material], options: &Options) {
    let threads = options.threads.unwrap_or_else(default_threads);
    let (mut tables, mut working) = (0, 0);
    for plan in sets.iter().map(|&set| plan(set, Some(folder), threads)).filter(|plan| !plan.built) {
        working = working.max(plan.working_bytes);
        tables += plan.disk_bytes;
    }
    match free_disk(folder.path()) {
        Some(free) if tables + working > free => say(&format!(
            "makruk-gen: {} has {:.1} GiB free, and the plan foresees up to {:.1} GiB of tables and {:.1} GiB of working files",
            folder.path().display(),
            gib(free),
            gib(tables),
            gib(working),
        )),
        _ => {}
    }
}

/// What the disk with a folder has free, in bytes; `None` where the system does not tell.
fn free_disk(folder: &Path) -> Option<u64> {
    let folder = folder.canonicalize().ok()?;
    let disks = sysinfo::Disks::new_with_refreshed_list();
    let holds = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
    holds.max_by_key(|disk| disk.mount_point().as_os_str().len()).map(sysinfo::Disk::available_space)
}

/// This machine's memory in bytes; no bound where the system does not tell.
fn installed_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    match system.total_memory() {
        0 => u64::MAX,
        bytes => bytes,
    }
}
