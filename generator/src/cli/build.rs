//! `makruk-gen build`.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use makruk_generator::{BuildError, Console, DEFAULT_LEVEL, Options, build};
use makruk_tables::format::TableFolder;

use super::signals::Signals;
use super::{Folder, Sets, say};

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
    /// Threads; all cores if not given.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory that a set may take, in GiB; a set that needs more is refused before it is begun.
    #[arg(long, value_name = "GIB")]
    memory: Option<f64>,
    /// zstd's level, 1 to 22. At another level than the default, tables are not the same bytes as others'.
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
}

pub(super) fn run(args: &BuildArgs) -> Result<ExitCode> {
    let sets = args.sets.in_build_order()?;
    let memory = match args.memory {
        Some(gib) if gib.is_finite() && gib > 0.0 => Some((gib * f64::from(1 << 30)) as u64),
        Some(gib) => anyhow::bail!("--memory is {gib}: expected a number of GiB above 0, such as 4"),
        None => None,
    };
    let options = Options { threads: args.threads.map(usize::from), memory, level: args.level, ..Options::default() };
    let folder = TableFolder::create(args.folder.path())?;
    let signals = Signals::watch().context("signals could not be watched for")?;
    let built = match build(&folder, sets, &options, &Console::new(signals.stop())) {
        Err(error @ BuildError::Stopped) => {
            say(&format!("makruk-gen: {error}"));
            return Ok(signals.exit_code());
        }
        outcome => outcome?,
    };
    if built.is_empty() {
        say(&format!("nothing to do: all tables are in {}", folder.path().display()));
    } else {
        let bytes: u64 = built.iter().flat_map(|set| &set.tables).map(|table| table.bytes).sum();
        let seconds: f64 = built.iter().map(|set| set.seconds).sum();
        say(&format!("{} sets, {bytes} bytes in {}, {seconds:.1} s", built.len(), folder.path().display()));
    }
    Ok(ExitCode::SUCCESS)
}
