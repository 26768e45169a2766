//! Solving and building whole materials, with yardsticks: positions per second for each metric, and how the time grows
//! with the number of men.
//!
//! ```sh
//! cargo bench -p makruk-benches --bench materials -- --tables DIR --men 5
//! cargo bench -p makruk-benches --bench materials -- --tables DIR --files KRNvKR KRRvKR
//! ```
//!
//! The folder holds the tables of the materials and of all that captures lead to from them. Each material is solved
//! from its children's tables. Its totals have to be those of its own table.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use makruk_format::index::Layout;
use makruk_format::{TableFolder, TableId};
use makruk_generator::{Options, Progress, Silent, build_material, solve_totals, stored_tables};
use makruk_rules::{ByColor, Color, CountingRules};
use makruk_tables::material::Material;
use makruk_tables::value::{Metric, Value};

/// The times of rtbgen for DTZ on the same kind of machine (2 cores of an AMD EPYC, Zen 4), in seconds: solving alone,
/// and with compression and files. The pieces of these materials move as in chess.
const RTBGEN: [(&str, f64, f64); 2] = [("KRNvKR", 5.9, 33.0), ("KRRvKR", 11.7, 49.0)];

#[derive(Parser)]
struct Args {
    /// The table folder.
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// All materials of N men, or of 3 to 5 if neither this nor materials are given.
    #[arg(long)]
    men: Option<usize>,
    /// Write tables too, into a folder that is deleted.
    #[arg(long)]
    files: bool,
    /// Materials.
    materials: Vec<Material>,
    /// An argument that cargo passes to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The time at which each metric began.
#[derive(Default)]
struct Stopwatch(Mutex<BTreeMap<Metric, Instant>>);

impl Progress for Stopwatch {
    fn exits(&self, metric: Metric, _: Color, _: u64, _: u64) {
        self.0.lock().expect("no thread panicked").entry(metric).or_insert_with(Instant::now);
    }
}

impl Stopwatch {
    /// The time of each metric; the last one ends now.
    fn read(self) -> Vec<(Metric, Duration)> {
        let begun: Vec<_> = self.0.into_inner().expect("no thread panicked").into_iter().collect();
        let ends = begun.iter().skip(1).map(|&(_, next)| next).chain([Instant::now()]);
        begun.iter().zip(ends).map(|(&(metric, start), end)| (metric, end - start)).collect()
    }
}

/// Solves a material, compares its totals with those of its table, and returns the time of each metric.
fn solve(folder: &TableFolder, material: Material) -> Result<Vec<(Metric, Duration)>> {
    let children = stored_tables(folder, &makruk_rules::CountingRules::MAKRUK);
    let stopwatch = Stopwatch::default();
    let solved = solve_totals(material, &CountingRules::MAKRUK, &children, &stopwatch)?;
    let times = stopwatch.read();
    for (metric, totals) in solved {
        let table = folder.open::<Value>(TableId { material, metric })?;
        let stored = ByColor::from_fn(|side| table.spec().values[side].entries().to_vec());
        ensure!(totals == stored, "{material}.{metric}: the totals are not the table's");
    }
    Ok(times)
}

/// Solves a material and writes its tables, which have to be as long as those of the folder.
fn build(folder: &TableFolder, material: Material) -> Result<Duration> {
    let made = tempfile::tempdir_in(folder.path())?;
    let made = TableFolder::create(made.path())?;
    let start = Instant::now();
    let tables = build_material(
        &made,
        material,
        material.distance_metrics(),
        &stored_tables(folder, &makruk_rules::CountingRules::MAKRUK),
        &Options::default(),
        &Silent,
    )?;
    let time = start.elapsed();
    for table in tables {
        let path = folder.path_of(TableId { material, metric: table.metric });
        ensure!(table.bytes == std::fs::metadata(&path)?.len(), "{}: not as long as a new one", path.display());
    }
    Ok(time)
}

fn main() -> Result<()> {
    let args = Args::parse();
    let folder = TableFolder::open_existing(&args.tables).context("--tables: `makruk-gen build` makes them")?;
    let materials = match (args.men, args.materials.is_empty()) {
        (Some(men), _) => Material::all(men),
        (None, true) => (3..=5).flat_map(Material::all).collect(),
        (None, false) => args.materials,
    };
    println!("{:<9} {:>7} {:>9} {:>14} {:>11}", "material", "metric", "seconds", "positions", "positions/s");
    let mut by_men: BTreeMap<usize, (u64, f64)> = BTreeMap::new();
    for material in materials {
        let positions: u64 = Layout::new(material).positions().iter().sum();
        let mut all = 0.0;
        for (metric, time) in solve(&folder, material)? {
            let seconds = time.as_secs_f64();
            let rate = positions as f64 / seconds / 1e6;
            println!("{:<9} {metric:>7} {seconds:>9.3} {positions:>14} {rate:>9.1} M", material.to_string());
            all += seconds;
            let (done, taken) = by_men.entry(material.men()).or_default();
            *done += positions;
            *taken += seconds;
        }
        let written = if args.files { Some(build(&folder, material)?.as_secs_f64()) } else { None };
        if let Some(seconds) = written {
            println!("{:<9} {:>7} {seconds:>9.3}", material.to_string(), "files");
        }
        if let Some((_, solved, files)) = RTBGEN.into_iter().find(|&(name, ..)| name == material.to_string()) {
            println!(
                "{material}: rtbgen solves its DTZ in {solved} s, {:.1} times as long as all metrics here",
                solved / all
            );
            if let Some(written) = written {
                println!("{material}: rtbgen with files takes {files} s, {:.1} times as long", files / written);
            }
        }
    }
    for (men, (positions, seconds)) in by_men {
        let billion = seconds / positions as f64 * 1e9;
        println!(
            "{men} men: {positions} positions in {seconds:.1} s, {billion:.1} s for a billion, each metric counted"
        );
    }
    Ok(())
}
