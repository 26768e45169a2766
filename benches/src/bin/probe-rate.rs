//! The rate at which the prober judges positions.
//!
//! Every position is judged with DTM, DTZ and category; with `--category`, by its category alone, under the count that
//! runs there or else begins, if the category tables decide it. The first round is reported as cold, the best of the
//! others as warm. Each thread of each round has to find the categories of the first thread of the first round.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;
use makruk_format::{AnyValue, TableFolder, survive_truncated_tables};
use makruk_probe::{Access, Category, Prober, Tablebase};
use makruk_rules::{CountingRules, Fen};
use makruk_tables::material::{Material, Oriented};

/// Measures how many positions a second the prober judges.
#[derive(Parser)]
struct Args {
    /// The table folder.
    tables: PathBuf,
    /// A file of positions, one a line: board and side to move.
    positions: PathBuf,
    /// Threads that judge all positions each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Rounds, the cold one included.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..))]
    rounds: u32,
    /// The block cache in MiB.
    #[arg(long, value_name = "MIB")]
    cache: Option<usize>,
    /// Reads tables by position instead of mapping them.
    #[arg(long)]
    positional: bool,
    /// Reads tables as the service does: through watched maps.
    #[arg(long, conflicts_with = "positional")]
    watched: bool,
    /// Judges the leaves of each position's tree of this depth in plies, in the order of a search, up to a million in
    /// all.
    #[arg(long, value_name = "N", default_value_t = 0)]
    plies: usize,
    /// Reads the category tables alone, and reports the share of decided positions. Leaves carry their root's count.
    #[arg(long)]
    category: bool,
    /// Opens all tables of the folder first, and reports the time this takes.
    #[arg(long)]
    open: bool,
}

#[allow(unsafe_code)]
fn mapped() -> Access {
    // SAFETY: the tables of a benchmark are not modified while it runs.
    unsafe { Access::mapped() }
}

/// Positions judged in a round; the last tree may exceed it.
const MOST_LEAVES: usize = 1_000_000;

/// The number of positions of each category, from loss to win, and of those that no category table decides.
type Categories = [usize; 6];

/// Appends the positions that are `plies` plies later.
fn leaves(fen: Fen, plies: usize, found: &mut Vec<Fen>) {
    if plies == 0 {
        found.push(fen);
        return;
    }
    for mv in fen.position.legal_moves() {
        leaves(fen.play(&CountingRules::MAKRUK, mv), plies - 1, found);
    }
}

/// The positions to judge.
fn positions(path: &Path, plies: usize, counts: bool) -> Result<Vec<Fen>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.is_empty()) {
        let root: Fen = text.parse().with_context(|| format!("{}, line {}", path.display(), line + 1))?;
        let first = found.len();
        leaves(root, plies, &mut found);
        if !counts {
            found[first..].iter_mut().for_each(|leaf| leaf.count = None);
        }
        if found.len() >= MOST_LEAVES {
            break;
        }
    }
    Ok(found)
}

/// Opens every table of a folder and prints the time.
fn open_all(tables: &Path) -> Result<()> {
    let start = Instant::now();
    let folder = TableFolder::open_existing(tables)?;
    let mut open = Vec::new();
    for id in folder.list()? {
        open.push(folder.open::<AnyValue>(id)?);
    }
    println!("{} tables opened in {:.1} ms", open.len(), start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// Judges every position once.
fn judge(prober: &Prober, fens: &[Fen], args: &Args) -> Result<Categories> {
    let mut categories = Categories::default();
    for fen in fens {
        let category = if args.category {
            let Some((category, _)) = black_box(prober.decided_category(fen))? else {
                categories[5] += 1;
                continue;
            };
            category
        } else {
            black_box(prober.probe(fen))?.category
        };
        categories[category as usize] += 1;
    }
    Ok(categories)
}

/// Judges every position once in each thread; returns the results of each thread.
fn round(prober: &Prober, fens: &[Fen], args: &Args) -> Result<Vec<Categories>> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.threads).map(|_| scope.spawn(|| judge(prober, fens, args))).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?).collect()
    })
}

/// Prints the ten materials with the most undecided positions, and for each how many of its positions are not drawn.
fn print_undecided(prober: &Prober, fens: &[Fen]) -> Result<()> {
    let mut found: BTreeMap<Material, (usize, usize)> = BTreeMap::new();
    for fen in fens {
        let Ok(Oriented { material, .. }) = Material::of(fen.position.board()) else { continue };
        let (undecided, all) = found.entry(material).or_default();
        match prober.decided_category(fen)? {
            Some((Category::Draw, _)) => (),
            Some(_) => *all += 1,
            None => (*all, *undecided) = (*all + 1, *undecided + 1),
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|&(material, (undecided, _))| (Reverse(undecided), material));
    for (material, (undecided, all)) in found.into_iter().take(10).filter(|found| found.1.0 > 0) {
        println!("    {material}: {undecided} of {all}");
    }
    Ok(())
}

fn main() -> Result<()> {
    let args = Args::parse();
    let fens = positions(&args.positions, args.plies, args.category)?;
    if args.open {
        open_all(&args.tables)?;
    }
    let cache_bytes = args.cache.map_or(makruk_probe::DEFAULT_CACHE_BYTES, |mebibytes| mebibytes << 20);
    let access = match (args.positional, args.watched) {
        (true, _) => Access::positional(),
        (_, true) => Access::watched(Some(survive_truncated_tables()?)),
        _ => mapped(),
    };
    let tables = Tablebase::builder().folders([&args.tables]).cache_bytes(cache_bytes).access(access);
    let prober = Prober::new(tables.build());
    let mut first = None;
    let mut best = 0.0f64;
    for _ in 0..args.rounds {
        let start = Instant::now();
        let found = round(&prober, &fens, &args)?;
        let rate = (found.len() * fens.len()) as f64 / start.elapsed().as_secs_f64();
        match first {
            None => {
                println!("{} positions, categories from loss to win {:?}", fens.len(), &found[0][..5]);
                if args.category {
                    let [.., draws, _, _, undecided] = found[0];
                    let share = undecided as f64 / (fens.len() - draws).max(1) as f64;
                    println!("undecided: {undecided}, {:.2}% of those that are not drawn", 100.0 * share);
                    print_undecided(&prober, &fens)?;
                }
                println!("cold: {:.3} million a second", rate / 1e6);
            }
            Some(_) => best = best.max(rate),
        }
        let expected = *first.get_or_insert(found[0]);
        ensure!(found.iter().all(|&found| found == expected), "the categories are not those of the first: {found:?}");
    }
    println!("warm: {:.3} million a second", best / 1e6);
    let cache = prober.source().cache_counts();
    if cache.hits + cache.misses > 0 {
        let share = 100.0 * cache.hits as f64 / (cache.hits + cache.misses) as f64;
        println!("stripes found in the cache: {share:.1}%; it holds {} MiB", cache.bytes >> 20);
    }
    Ok(())
}
