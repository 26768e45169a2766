//! How many positions a second the prober answers: a file of positions, one a line, board and side to move.
//!
//! `probe-rate TABLES POSITIONS [--threads N] [--rounds N] [--cache MIB] [--positional] [--children]`
//!
//! Every position is judged with DTM, DTZ and category. With `--children` each line's legal moves are played and the
//! positions after them asked for, as an engine does. The first round is reported as cold, the best of the others as warm.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use makruk_probe::{Access, Prober, Tables};
use makruk_tables::rules::Fen;

struct Options {
    tables: String,
    positions: String,
    threads: usize,
    rounds: usize,
    cache_bytes: usize,
    access: Access,
    children: bool,
}

fn options() -> Option<Options> {
    let mut args = std::env::args().skip(1);
    let mut options = Options {
        tables: args.next()?,
        positions: args.next()?,
        threads: 1,
        rounds: 5,
        cache_bytes: makruk_probe::DEFAULT_CACHE_BYTES,
        access: Access::Mapped,
        children: false,
    };
    while let Some(arg) = args.next() {
        let mut number = || args.next()?.parse::<usize>().ok();
        match arg.as_str() {
            "--threads" => options.threads = number().filter(|&threads| threads > 0)?,
            "--rounds" => options.rounds = number().filter(|&rounds| rounds > 1)?,
            "--cache" => options.cache_bytes = number()? << 20,
            "--positional" => options.access = Access::Positional,
            "--children" => options.children = true,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!(
            "usage: probe-rate TABLES POSITIONS [--threads N] [--rounds N] [--cache MIB] [--positional] [--children]"
        );
        return ExitCode::from(2);
    };
    let text = std::fs::read_to_string(&options.positions).expect("the positions");
    let roots: Vec<Fen> = text.lines().map(|line| line.parse().expect("a position")).collect();
    let fens: Vec<Fen> = if options.children {
        let after = |root: &Fen| {
            let position = root.position.clone();
            let moves = position.legal_moves();
            moves.into_iter().map(move |mv| Fen { position: position.play(mv), count: None, fullmove: 1 })
        };
        roots.iter().flat_map(after).collect()
    } else {
        roots
    };
    let prober = Prober::new(Tables::with_access(&options.tables, options.cache_bytes, options.access));
    let mut best = 0.0f64;
    for round in 0..options.rounds {
        let start = Instant::now();
        let categories: Vec<[usize; 5]> = std::thread::scope(|scope| {
            let count = || {
                let mut found = [0; 5];
                for fen in &fens {
                    let verdict = black_box(prober.probe(fen)).expect("a verdict");
                    found[verdict.category as usize] += 1;
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
    ExitCode::SUCCESS
}
