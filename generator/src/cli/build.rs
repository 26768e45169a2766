//! `makruk-gen build`.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use makruk_generator::{Console, DEFAULT_LEVEL, Options, build};
use makruk_tables::format::TableFolder;

use super::{Folder, Memory, Sets};

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
    let memory = args.memory.bytes()?;
    let options = Options { threads: args.threads.map(usize::from), memory, level: args.level, ..Options::default() };
    let folder = TableFolder::create(args.folder.path())?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // The second time, the user means now: unfinished files are swept by the next build.
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; press Ctrl-C again to stop at once");
    })
    .context("Ctrl-C could not be watched for")?;
    let built = build(&folder, sets, &options, &Console::new(stop))?;
    if built.is_empty() {
        eprintln!("nothing to do: all tables are in {}", folder.path().display());
    } else {
        let bytes: u64 = built.iter().flat_map(|set| &set.tables).map(|table| table.bytes).sum();
        let seconds: f64 = built.iter().map(|set| set.seconds).sum();
        eprintln!("{} sets, {bytes} bytes in {}, {seconds:.1} s", built.len(), folder.path().display());
    }
    Ok(ExitCode::SUCCESS)
}
