//! `makruk-gen build`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use makruk_generator::{Console, DEFAULT_LEVEL, Options, Summary, build};
use makruk_tables::format::TableFolder;

use super::{Folder, Memory, Sets, stop_on_signal};

#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    sets: Sets,
    #[command(flatten)]
    folder: Folder,
    /// Threads; all cores if not given.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
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
    let options = Options { threads: args.threads.map(usize::from), memory, level: args.level, ..Options::default() };
    let folder = TableFolder::create(args.folder.path())?;
    let built = build(&folder, sets, &options, &Console::new(stop_on_signal()?))?;
    if built.is_empty() {
        eprintln!("nothing to do: all tables are in {}", folder.path().display());
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{:<9} {:>5} {:>5} {:>13} {:>13} {:>13} {:>13} {:>12} {:>8}",
        "set", "mate", "event", "White wins", "Black wins", "draws", "in the count", "bytes", "seconds"
    );
    let (mut bytes, mut seconds) = (0, 0.0);
    for done in &built {
        let line = Summary::read(&folder, done.set, &options.rules)?;
        println!(
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
    println!("{} sets, {bytes} bytes in {}, {seconds:.1} s", built.len(), folder.path().display());
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
