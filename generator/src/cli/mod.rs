//! The command line of `makruk-gen`.

mod allowed_memory;
mod arguments;
mod build;
mod fetch;
mod info;
mod manifest;
mod manuals;
mod plan;
mod print;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use makruk_console::{sentence, warn};
use makruk_generator::remedy;

/// Endgame tablebase of Makruk (Thai chess): build, check and describe its tables.
#[derive(Parser)]
#[command(name = "makruk-gen", version, after_long_help = manuals::PROGRAM)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the missing tables of materials and of all materials that captures lead to.
    #[command(after_long_help = manuals::BUILD)]
    Build(build::BuildArgs),
    /// Fetch the missing tables of materials, and of all that captures lead to, from a mirror: any web server.
    #[command(after_long_help = manuals::FETCH)]
    Fetch(fetch::FetchArgs),
    /// Check tables: every checksum, and every value against its successors.
    #[command(after_long_help = manuals::VERIFY)]
    Verify(verify::VerifyArgs),
    /// The tables that are there; or totals of a material: won, drawn and lost positions, the longest wins, bytes.
    #[command(after_long_help = manuals::INFO)]
    Info(info::InfoArgs),
    /// Length and checksums of each table, for comparison with the tables of others.
    #[command(after_long_help = manuals::MANIFEST)]
    Manifest(manifest::ManifestArgs),
    /// The cost of a build: positions, memory, disk and work of each material, in build order.
    #[command(after_long_help = manuals::PLAN)]
    Plan(plan::PlanArgs),
    /// Write manual pages and shell completions to a folder.
    #[command(hide = true)]
    Manuals(manuals::ManualsArgs),
}

/// Runs the command.
pub(crate) fn run() -> ExitCode {
    let command = makruk_console::arguments::<Cli>("makruk-gen").command;
    let outcome = match command {
        Command::Build(args) => build::run(&args),
        Command::Fetch(args) => fetch::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Manifest(args) => manifest::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Manuals(args) => manuals::run(&args, &Cli::command()),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            warn(&format!("makruk-gen: {}", sentence(error.as_ref(), remedy)));
            ExitCode::FAILURE
        }
    }
}
