//! `makruk-probe`: what a Makruk position is worth under the count.

mod analyse;
mod board;
#[cfg(feature = "build")]
mod build;
mod phrase;
mod play;
mod query;
mod report;
mod research;
#[cfg(feature = "serve")]
mod serve;
mod setup;
mod text;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// All is well.
const SUCCESS: u8 = 0;
/// A position, or a game, failed.
const FAILURE: u8 = 1;
/// The command line makes no sense; clap exits with it too.
const MISUSE: u8 = 2;

/// What a Makruk position is worth under the count, from endgame tables.
#[derive(Parser, Debug)]
#[command(name = "makruk-probe", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Query(query::Query),
    Analyse(analyse::Analyse),
    Uci(play::Uci),
    Xboard(play::Xboard),
    Research(research::Research),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Serve>),
}

/// Runs the command line.
fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Query(query) => query.run(),
        Command::Analyse(analyse) => analyse.run(),
        Command::Uci(uci) => uci.run(),
        Command::Xboard(xboard) => xboard.run(),
        Command::Research(research) => research.run(),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve.run(),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        // Whoever reads our output has had enough of it.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(SUCCESS),
        Err(error) => {
            eprintln!("makruk-probe: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(|io: &io::Error| io.kind() == io::ErrorKind::BrokenPipe)
}
