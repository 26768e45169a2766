//! The command line of `makruk-probe`: positions, games, research, players and the service.
//!
//! This is a library so that the tests of the workspace can ask for its features; its only item is [`main`].

mod analyse;
mod diagram;
mod exit_status;
mod game_file;
mod game_report;
mod manuals;
mod map;
#[cfg(feature = "serve")]
mod open;
mod play;
mod query;
mod remedy;
mod render;
#[cfg(feature = "research")]
mod research;
mod sentences;
#[cfg(feature = "serve")]
mod serve;
mod session;
#[cfg(feature = "serve")]
mod site;
#[cfg(feature = "build")]
mod table_builder;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::exit_status::{FAILURE, SUCCESS};
use makruk_console::warn;

/// Endgame tablebase of Makruk (Thai chess): exact results, with the count, for positions and games
#[derive(Parser, Debug)]
#[command(name = "makruk-probe", version, after_long_help = manuals::PROGRAM)]
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
    #[cfg(feature = "research")]
    Research(research::Research),
    /// Scan whole materials; needs a program built with the feature `research`
    #[cfg(not(feature = "research"))]
    Research(AnyArguments),
    #[cfg(feature = "serve")]
    Open(open::Open),
    /// Show the page in the browser; needs a program built with the feature `serve`
    #[cfg(not(feature = "serve"))]
    Open(AnyArguments),
    #[cfg(feature = "serve")]
    Serve(Box<serve::Serve>),
    /// Answer over gRPC and HTTP, with a page for browsers; needs a program built with the feature `serve`
    #[cfg(not(feature = "serve"))]
    Serve(AnyArguments),
    #[cfg(feature = "serve")]
    Site(site::Site),
    /// Write the page and the tables as files for any static host; needs a program built with the feature `serve`
    #[cfg(not(feature = "serve"))]
    Site(AnyArguments),
    #[command(hide = true)]
    Manuals(manuals::Manuals),
}

/// The arguments of a command that this program was built without, whatever they are.
#[cfg(not(all(feature = "research", feature = "serve")))]
#[derive(clap::Args, Debug)]
struct AnyArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _arguments: Vec<std::ffi::OsString>,
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    #[cfg(all(windows, feature = "serve"))]
    if open::is_double_click() {
        return open::of_double_click(end);
    }
    let command = makruk_console::arguments::<Arguments>("makruk-probe").command;
    let result = match command {
        Command::Query(query) => query.run(),
        Command::Analyse(analyse) => analyse.run(),
        Command::Uci(uci) => uci.run(),
        Command::Xboard(xboard) => xboard.run(),
        #[cfg(feature = "research")]
        Command::Research(research) => research.run(),
        #[cfg(not(feature = "research"))]
        Command::Research(_) => Ok(lacks_feature("research", "research")),
        #[cfg(feature = "serve")]
        Command::Open(open) => open.run(),
        #[cfg(not(feature = "serve"))]
        Command::Open(_) => Ok(lacks_feature("open", "serve")),
        #[cfg(feature = "serve")]
        Command::Serve(serve) => serve.run(),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Ok(lacks_feature("serve", "serve")),
        #[cfg(feature = "serve")]
        Command::Site(site) => site.run(),
        #[cfg(not(feature = "serve"))]
        Command::Site(_) => Ok(lacks_feature("site", "serve")),
        Command::Manuals(manuals) => manuals.run(&Arguments::command()),
    };
    end(result)
}

/// The exit status of a command; prints its error.
fn end(result: anyhow::Result<u8>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        // The reader of the output, such as `head`, has read enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(SUCCESS),
        Err(error) => {
            warn(&format!("makruk-probe: {}", remedy::sentence(error.as_ref())));
            ExitCode::from(FAILURE)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(|io: &io::Error| io.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints how to build a program that has the command; returns the exit status.
#[cfg(not(all(feature = "research", feature = "serve")))]
fn lacks_feature(command: &str, feature: &str) -> u8 {
    warn(&format!(
        "makruk-probe {command}: this program was built without the feature `{feature}`; \
         `cargo build --release --features {feature}` builds one that has it"
    ));
    exit_status::MISUSE
}
