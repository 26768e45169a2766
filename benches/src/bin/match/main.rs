//! `makruk-match`: plays matches between two UCI engines, judged by the rules of Makruk alone, and chooses their
//! starting
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
//! A match that was stopped continues with the same command. An illegal move, an engine that ends and an engine that
//! does not answer in time are errors that name the game; the exit status is 1.

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use fastrand::Rng;
use makruk_benches::matches::positions::{self, Choice, Edge};
use makruk_benches::matches::{
    Conversions, DecidedShares, EngineCommand, MatchPlan, Results, Sprt, UciEngine, mistakes, run,
};
use makruk_probe::{Category, Inventory, Prober, Tablebase};
use makruk_tables::rules::Fen;

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
        /// Only the games from the positions of this file
        #[arg(long)]
        among: Option<PathBuf>,
        /// Print how often each engine won as the side to move, with intervals by starting position
        #[arg(long)]
        conversions: bool,
        /// Print the likelihood ratio of these two differences in Elo, as `play --sprt`
        #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
        sprt: Option<Sprt>,
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
    /// Let an engine play games against itself from random openings. Print the first position of each game with this
    /// number of men, and the first of those without pawns; or every position with at most this number of men
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
        /// Print every position with at most this number of men, to the end of each game, and an empty line after the
        /// game
        #[arg(long)]
        every: bool,
        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the positions of some files that meet the conditions, each once, in random order
    Choose(Choose),
    /// Let an engine search the positions of some files, and keep those that are open and those that are proven wins
    Look(Look),
    /// Print the share of games' positions that one look-up in the category tables decides. It is the share of those
    /// won or lost without the count: all together, by kind, and by material
    Decided {
        /// Files of `harvest --every`
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The folder of the tables
        #[arg(long)]
        tables: PathBuf,
    },
    /// Print random positions at the edge of the count, in which the winner needs at least six moves
    Sample {
        /// The number of positions
        count: usize,
        /// The folder of the tables
        #[arg(long)]
        tables: PathBuf,
        /// Print positions that the count saves by at most three moves, instead of wins with at most three moves to
        /// spare
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
    /// The number of times to play all positions
    #[arg(long, default_value_t = 1)]
    runs: usize,
    /// The largest percentage by which the numbers after `go` vary at random from move to move, for both engines alike
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..100))]
    vary: u8,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of games at a time
    #[arg(long, default_value_t = 1)]
    at_a_time: usize,
    /// Begin no pair after this number of minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// End the match when its pairs accept one of these two differences in Elo, with errors of 5% (SPRT)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
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
    /// The number of men of the side that has fewer, its king included
    #[arg(long)]
    smaller_side: Option<u32>,
    /// The plies that a running count leaves, such as 20-60
    #[arg(long, value_name = "FROM-TO", value_parser = range)]
    plies_left: Option<RangeInclusive<u32>>,
    /// One position of each game, for files of `harvest --every`
    #[arg(long)]
    one_a_game: bool,
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

#[derive(Args)]
struct Look {
    /// Files of positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The engine
    #[arg(long)]
    engine: String,
    /// An option of the engine
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// The words after `go`
    #[arg(long, default_value = "nodes 250000")]
    go: String,
    /// The file of the positions whose score is not proven, and beyond a pawn for either side
    #[arg(long)]
    open: PathBuf,
    /// The file of the positions that are proven wins of the side to move: by mate, or by the tables
    #[arg(long)]
    won: PathBuf,
}

fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let ends = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    ends.map(|(from, to)| from..=to).ok_or_else(|| "expected FROM-TO".to_owned())
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
        variation: 0.0,
    }
}

fn main() -> Result<()> {
    match Options::parse().command {
        Command::Play(options) => play(options),
        Command::Report { results, names, tables, among, conversions, sprt } => {
            let mut results = Results::open(&results)?;
            if let Some(file) = among {
                let fens: HashSet<String> = positions::read(&file)?.iter().map(Fen::to_string).collect();
                results.keep(|game| fens.contains(&game.fen));
            }
            print!("{}", results.summary([&names[0], &names[1]]));
            if let Some(test) = sprt {
                println!("{}", test.verdict(&results.share()));
            }
            if conversions {
                println!("{}", Conversions::of(&results));
            }
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
                if every && !found.is_empty() {
                    println!();
                }
            }
            Ok(())
        }
        Command::Choose(options) => choose(&options),
        Command::Look(options) => look(options),
        Command::Decided { files, tables } => {
            let (prober, inventory) = (Prober::new(Tablebase::new(&tables)), Inventory::of([&tables]));
            let mut shares = DecidedShares::default();
            for game in read_games(&files)? {
                shares.add(&game, &prober, &inventory)?;
            }
            print!("{}", shares.report());
            Ok(())
        }
        Command::Sample { count, tables, saved, men, seed } => {
            let edge = if saved { Edge::Saved(3) } else { Edge::Won(3) };
            let prober = Prober::new(Tablebase::new(tables));
            let fens = positions::sample(edge, men, count, &prober, &mut Rng::with_seed(seed))?;
            fens.iter().for_each(|fen| println!("{fen}"));
            Ok(())
        }
    }
}

fn read_games(files: &[PathBuf]) -> Result<Vec<Vec<Fen>>> {
    let mut games = Vec::new();
    for file in files {
        games.extend(positions::read_games(file)?);
    }
    Ok(games)
}

fn play(options: Play) -> Result<()> {
    let mut positions = positions::read(&options.positions)?;
    positions.truncate(options.pairs.unwrap_or(usize::MAX));
    let engine = |name, program, engine_options| EngineCommand {
        variation: f64::from(options.vary) / 100.0,
        ..engine(name, program, engine_options, &options.go, options.move_seconds)
    };
    let first = engine("first", options.first, options.first_option);
    let second = engine("second", options.second, options.second_option);
    let plan = MatchPlan {
        engines: [first, second],
        positions: vec![positions; options.runs].concat(),
        seed: options.seed,
        games_at_a_time: options.at_a_time,
        deadline: options.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes)),
        sprt: options.sprt,
    };
    let results = run(&plan, Results::open(&options.results)?)?;
    print!("{}", results.summary(["first", "second"]));
    if let Some(test) = options.sprt {
        let verdict = test.verdict(&results.share());
        println!("{verdict}");
        if verdict.accepted.is_none() {
            let end = if plan.is_complete(&results) { "All positions are played" } else { "The time is over" };
            println!("{end}; neither hypothesis is accepted.");
        }
    }
    Ok(())
}

fn look(options: Look) -> Result<()> {
    let mut engine = UciEngine::start(&engine("the engine", options.engine, options.option, &options.go, 60))?;
    let create = |path: &PathBuf| File::create(path).with_context(|| format!("cannot create {}", path.display()));
    let (mut open, mut won) = (create(&options.open)?, create(&options.won)?);
    for fen in read_games(&options.files)?.concat() {
        match positions::Look::at(&fen, &mut engine)? {
            positions::Look::Open => writeln!(open, "{fen}")?,
            positions::Look::Won => writeln!(won, "{fen}")?,
            positions::Look::Other => {}
        }
    }
    Ok(())
}

fn choose(options: &Choose) -> Result<()> {
    let choice = Choice {
        men: options.men,
        pawns: options.pawns,
        category: options.category,
        armed: options.armed,
        smaller_side: options.smaller_side,
        plies_left: options.plies_left.clone(),
    };
    let prober = options.tables.as_ref().map(|folder| Prober::new(Tablebase::new(folder)));
    let mut random = Rng::with_seed(options.seed);
    let mut games = read_games(&options.files)?;
    if options.one_a_game {
        games = vec![positions::one_a_game(games, &choice, prober.as_ref(), &mut random)?];
    }
    let chosen =
        positions::choose(games.concat(), &choice, prober.as_ref(), &mut random).context("cannot read a category")?;
    chosen.iter().take(options.count.unwrap_or(usize::MAX)).for_each(|fen| println!("{fen}"));
    Ok(())
}
