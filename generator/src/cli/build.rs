//! `makruk-gen build`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{BuildError, Console, DEFAULT_LEVEL, Options, Summary, build};
use makruk_tables::format::TableFolder;

use super::signals::Signals;
use super::{Folder, Memory, Sets, Threads, say};

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
    /// zstd's level, 1 to 22. At another level than the default, tables are not the same bytes as others'.
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
}

pub(super) fn run(args: &BuildArgs) -> Result<ExitCode> {
    let sets = args.sets.in_build_order()?;
    // Without a bound, the machine's.
    let memory = Some(args.memory.bytes()?.unwrap_or_else(installed_memory));
    let options = Options { threads: args.threads.number(), memory, level: args.level, ..Options::default() };
    let folder = TableFolder::create(args.folder.path())?;
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

/// This machine's memory in bytes; no bound where the system does not tell.
fn installed_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    match system.total_memory() {
        0 => u64::MAX,
        bytes => bytes,
    }
}
