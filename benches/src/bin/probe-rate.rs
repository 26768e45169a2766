//! How many positions a second the prober answers: a file of positions, one a line, board and side to move.
//!
//! `probe-rate TABLES POSITIONS [--threads N] [--rounds N] [--cache MIB] [--positional] [--plies N] [--light] [--open]`
//!
//! Every position is judged with DTM, DTZ and category; with `--light`, by category alone. With `--plies N` the positions asked
//! for are those at the leaves of each line's tree of N plies, in the order of a search, up to a million in all. The first
//! round is reported as cold, the best of the others as warm. With `--open` all tables of the folder are opened first, which is
//! timed.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use makruk_probe::{Access, Prober, Tablebase};
use makruk_tables::format::TableFolder;
use makruk_tables::rules::{Fen, Position};

struct Options {
    tables: String,
    positions: String,
    threads: usize,
    rounds: usize,
    cache_bytes: usize,
    access: Access,
    plies: usize,
    light: bool,
    open: bool,
}

fn options() -> Option<Options> {
    let mut args = std::env::args().skip(1);
    let mut options = Options {
        tables: args.next()?,
        positions: args.next()?,
        threads: 1,
        rounds: 5,
        cache_bytes: makruk_probe::DEFAULT_CACHE_BYTES,
        access: mapped(),
        plies: 0,
        light: false,
        open: false,
    };
    while let Some(arg) = args.next() {
        let mut number = || args.next()?.parse::<usize>().ok();
        match arg.as_str() {
            "--threads" => options.threads = number().filter(|&threads| threads > 0)?,
            "--rounds" => options.rounds = number().filter(|&rounds| rounds > 1)?,
            "--cache" => options.cache_bytes = number()? << 20,
            "--positional" => options.access = Access::positional(),
            "--plies" => options.plies = number()?,
            "--light" => options.light = true,
            "--open" => options.open = true,
            _ => return None,
        }
    }
    Some(options)
}

#[allow(unsafe_code)]
fn mapped() -> Access {
    // SAFETY: the tables of a benchmark are not modified while it runs.
    unsafe { Access::mapped() }
}

/// The most positions asked for in a round, but for the last tree's.
const MOST_LEAVES: usize = 1_000_000;

/// The positions so many plies on.
fn leaves(position: Position, plies: usize, found: &mut Vec<Fen>) {
    if plies == 0 {
        found.push(Fen { position, count: None, fullmove: 1 });
        return;
    }
    for mv in position.legal_moves() {
        leaves(position.play(mv), plies - 1, found);
    }
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!(
            "usage: probe-rate TABLES POSITIONS [--threads N] [--rounds N] [--cache MIB] [--positional] [--plies N] [--light] [--open]"
        );
        return ExitCode::from(2);
    };
    let text = std::fs::read_to_string(&options.positions).expect("the positions");
    let roots: Vec<Fen> = text.lines().map(|line| line.parse().expect("a position")).collect();
    let mut fens = Vec::new();
    for root in &roots {
        leaves(root.position.clone(), options.plies, &mut fens);
        if fens.len() >= MOST_LEAVES {
            break;
        }
    }
    if options.open {
        let start = Instant::now();
        let folder = TableFolder::open_existing(&options.tables).expect("the folder");
        let names = folder.list().expect("its list");
        let open: Vec<_> =
            names.iter().map(|name| folder.open(&name.material, name.metric).expect("a sound table")).collect();
        println!("{} tables opened in {:.1} ms", open.len(), start.elapsed().as_secs_f64() * 1e3);
    }
    let tables = Tablebase::builder().folder(&options.tables).cache_bytes(options.cache_bytes);
    let prober = Prober::new(tables.access(options.access).build());
    let mut best = 0.0f64;
    for round in 0..options.rounds {
        let start = Instant::now();
        let categories: Vec<[usize; 5]> = std::thread::scope(|scope| {
            let count = || {
                let mut found = [0; 5];
                for fen in &fens {
                    let category = match options.light {
                        true => black_box(prober.light(fen)).expect("a category").expect("no count runs"),
                        false => black_box(prober.probe(fen)).expect("a verdict").category,
                    };
                    found[category as usize] += 1;
                }
                found
            };
            let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(count)).collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread")).collect()
        });
        let rate = (options.threads * fens.len()) as f64 / start.elapsed().as_secs_f64();
        if round == 0 {
            println!("{} positions, categories from loss to win {:?}", fens.len(), categories[0]);
            println!("cold: {:.3} million a second", rate / 1e6);
        } else {
            best = best.max(rate);
        }
    }
    println!("warm: {:.3} million a second", best / 1e6);
    let cache = prober.source().cache_counts();
    if cache.hits + cache.misses > 0 {
        let share = 100.0 * cache.hits as f64 / (cache.hits + cache.misses) as f64;
        println!("boards found in the cache: {share:.1}%; it holds {} MiB", cache.bytes >> 20);
    }
    ExitCode::SUCCESS
}
