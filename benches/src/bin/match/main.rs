//! `makruk-match`: plays matches between two UCI engines, judged by the rules of Makruk alone, and chooses their starting
//! positions.
//!
//! ```sh
//! makruk-match openings 500 > openings.fen
//! makruk-match harvest 500 --engine ./stockfish --go "nodes 2000" > six.fen
//! makruk-match choose six.fen --men 6 --pawns false > six-armed.fen
//! makruk-match play six-armed.fen --results six.tsv --go "movetime 50" \
//!     --first ./with-tables --first-option MakrukPath=TABLES --second ./plain
//! makruk-match report six.tsv
//! ```
//!
//! A match that was stopped continues with the same command. An illegal move, an engine that ends and an engine that does not
//! answer in time are errors that name the game; the exit status is 1.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use fastrand::Rng;
use makruk_benches::matches::positions::{self, Choice, Edge};
use makruk_benches::matches::{EngineCommand, MatchPlan, Results, mistakes, run};
use makruk_probe::{Category, Inventory, Prober, Tablebase};

/// Play matches between UCI engines, judged by the rules of Makruk alone
#[derive(Parser)]
#[command(name = "makruk-match", version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play every position twice, with colours exchanged
    Play(Play),
    /// Print the summary of a file of results
    Report {
        /// The file
        results: PathBuf,
        /// The names of the engines
        #[arg(long, num_args = 2, default_values = ["first", "second"])]
        names: Vec<String>,
        /// Count the moves that gave a win or a draw away, by the tables of this folder
        #[arg(long)]
        tables: Option<PathBuf>,
    },
    /// Print random openings
    Openings {
        /// The number of openings
        count: usize,
        /// The number of random plies
        #[arg(long, default_value_t = 8)]
        plies: usize,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Let an engine play games against itself from random openings, and print the first position of each game with this number
    /// of men, and the first of those without pawns; or every position with at most this number of men
    Harvest {
        /// The number of games
        count: usize,
        /// The engine
        #[arg(long)]
        engine: String,
        /// The words after `go`
        #[arg(long, default_value = "nodes 2000")]
        go: String,
        /// The number of men
        #[arg(long, default_value_t = 6)]
        men: u32,
        /// Print every position with at most this number of men, to the end of each game
        #[arg(long)]
        every: bool,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the positions of some files that meet the conditions, each once, in random order
    Choose(Choose),
    /// Print random positions at the edge of the count, in which the winner needs at least six moves
    Sample {
        /// The number of positions
        count: usize,
        /// The folder of the tables
        #[arg(long)]
        tables: PathBuf,
        /// Print positions that the count saves by at most three moves, instead of wins with at most three moves to spare
        #[arg(long)]
        saved: bool,
        /// The number of men
        #[arg(long, default_value_t = 5)]
        men: usize,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Args)]
struct Play {
    /// A file of starting positions
    positions: PathBuf,
    /// The file of results, which is created or continued
    #[arg(long)]
    results: PathBuf,
    /// The first engine
    #[arg(long)]
    first: String,
    /// An option of the first engine
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    first_option: Vec<(String, String)>,
    /// The second engine
    #[arg(long)]
    second: String,
    /// An option of the second engine
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    second_option: Vec<(String, String)>,
    /// The words after `go`, such as "movetime 50" or "nodes 20000"
    #[arg(long, default_value = "movetime 50")]
    go: String,
    /// The number of positions to play, from the first of the file on
    #[arg(long)]
    pairs: Option<usize>,
    /// The number of games at a time
    #[arg(long, default_value_t = 1)]
    at_a_time: usize,
    /// Begin no pair after this number of minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// The most seconds that a move may take, by the clock
    #[arg(long, default_value_t = 60)]
    move_seconds: u64,
}

#[derive(Args)]
struct Choose {
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The number of men
    #[arg(long)]
    men: Option<u32>,
    /// true: only positions with unpromoted pawns; false: only positions without
    #[arg(long)]
    pawns: Option<bool>,
    /// Only positions in which neither king is bare
    #[arg(long)]
    armed: bool,
    /// The category of the side to move under the count: win, cursed-win, draw, blessed-loss or loss
    #[arg(long, requires = "tables")]
    category: Option<Category>,
    /// The folder of the tables
    #[arg(long)]
    tables: Option<PathBuf>,
    /// The greatest number of positions
    #[arg(long)]
    count: Option<usize>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn engine(name: &str, program: String, options: Vec<(String, String)>, go: &str, move_seconds: u64) -> EngineCommand {
    EngineCommand {
        name: name.to_owned(),
        program,
        options,
        go: go.to_owned(),
        move_limit: Duration::from_secs(move_seconds),
    }
}

fn main() -> Result<()> {
    match Options::parse().command {
        Command::Play(options) => play(options),
        Command::Report { results, names, tables } => {
            let results = Results::open(&results)?;
            print!("{}", results.summary([&names[0], &names[1]]));
            if let Some(folder) = tables {
                let prober = Prober::new(Tablebase::new(&folder));
                let found = mistakes(&results, &prober, &Inventory::of([&folder]))?;
                names.iter().zip(found).for_each(|(name, found)| println!("{name}: {found}"));
            }
            Ok(())
        }
        Command::Openings { count, plies, seed } => {
            let mut random = Rng::with_seed(seed);
            (0..count).for_each(|_| println!("{}", positions::random_opening(plies, &mut random)));
            Ok(())
        }
        Command::Harvest { count, engine: program, go, men, every, seed } => {
            let mut engines = positions::start_both(&engine("the engine", program, Vec::new(), &go, 60))?;
            let mut random = Rng::with_seed(seed);
            for _ in 0..count {
                let found = match every {
                    true => positions::harvest_every(&mut engines, men, &mut random)?,
                    false => positions::harvest(&mut engines, men, &mut random)?,
                };
                found.iter().for_each(|fen| println!("{fen}"));
            }
            Ok(())
        }
        Command::Choose(options) => choose(&options),
        Command::Sample { count, tables, saved, men, seed } => {
            let edge = if saved { Edge::Saved(3) } else { Edge::Won(3) };
            let prober = Prober::new(Tablebase::new(tables));
            let fens = positions::sample(edge, men, count, &prober, &mut Rng::with_seed(seed))?;
            fens.iter().for_each(|fen| println!("{fen}"));
            Ok(())
        }
    }
}

fn play(options: Play) -> Result<()> {
    let mut positions = positions::read(&options.positions)?;
    positions.truncate(options.pairs.unwrap_or(usize::MAX));
    let first = engine("first", options.first, options.first_option, &options.go, options.move_seconds);
    let second = engine("second", options.second, options.second_option, &options.go, options.move_seconds);
    let plan = MatchPlan {
        engines: [first, second],
        positions,
        games_at_a_time: options.at_a_time,
        deadline: options.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes)),
    };
    let results = run(&plan, Results::open(&options.results)?)?;
    print!("{}", results.summary(["first", "second"]));
    Ok(())
}

fn choose(options: &Choose) -> Result<()> {
    let mut fens = Vec::new();
    for file in &options.files {
        fens.extend(positions::read(file)?);
    }
    let choice = Choice { men: options.men, pawns: options.pawns, category: options.category, armed: options.armed };
    let prober = options.tables.as_ref().map(|folder| Prober::new(Tablebase::new(folder)));
    let chosen = positions::choose(fens, &choice, prober.as_ref(), &mut Rng::with_seed(options.seed))
        .context("cannot read a category")?;
    chosen.iter().take(options.count.unwrap_or(usize::MAX)).for_each(|fen| println!("{fen}"));
    Ok(())
}
