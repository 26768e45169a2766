//! The time of probes whose tables are not in memory.
//!
//! For each position, the tables of its material and of the materials that captures lead to are opened and dropped from
//! the system's cache. Then the position is probed with its moves, as a server does for its first visitor.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use makruk_benches::{material, positions};
use makruk_probe::{Access, Prober, RankedMove, TableError, Tablebase, ValueSource};
use makruk_tables::material::Material;
use makruk_tables::rules::{CountingRules, Fen, Position};
use makruk_tables::tablebase::TableId;
use makruk_tables::value::{Distances, Metric, Value};

/// Measures the time of probes with moves whose tables are not in memory.
#[derive(Parser)]
struct Args {
    /// The table folder.
    tables: PathBuf,
    /// The materials of the positions.
    #[arg(required = true)]
    materials: Vec<String>,
    /// Positions of each material, at most 1,000.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=1000))]
    positions: u16,
}

/// A tablebase that reads the tables of one move after the other.
struct OneByOne<'a>(&'a Tablebase);

impl ValueSource for OneByOne<'_> {
    fn rules(&self) -> &CountingRules {
        self.0.rules()
    }

    fn value(&self, position: &Position, metric: Metric) -> Result<Value, TableError> {
        self.0.value(position, metric)
    }

    fn distances(&self, position: &Position) -> Result<Distances, TableError> {
        self.0.distances(position)
    }
}

#[allow(unsafe_code)]
fn mapped() -> Access {
    // SAFETY: the tables of a benchmark are not modified while it runs.
    unsafe { Access::mapped() }
}

/// Drops a file from the system's cache, except the pages that a process has touched.
#[allow(unsafe_code)]
fn evict(file: &Path) -> io::Result<()> {
    let file = File::open(file)?;
    // SAFETY: the call takes an open descriptor and no pointers.
    match unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

fn ids(material: Material) -> Vec<TableId> {
    let materials = Material::with_descendants([material]).into_iter();
    let metrics = |material: Material| if material.has_dtz() { &Metric::DISTANCES[..] } else { &[Metric::Dtm] };
    materials.flat_map(|material| metrics(material).iter().map(move |&metric| TableId { material, metric })).collect()
}

/// The moves of a position, from tables that were dropped from memory, and the time that they took.
fn cold(tables: &Path, ids: &[TableId], fen: &Fen, is_together: bool) -> Result<(Vec<RankedMove>, Duration)> {
    let tablebase = Tablebase::builder().folder(tables).access(mapped()).build();
    ids.iter().try_for_each(|&id| tablebase.open(id).map(drop))?;
    for id in ids {
        let file = tables.join(id.to_string());
        evict(&file).with_context(|| format!("cannot drop {} from memory", file.display()))?;
    }
    let begun = Instant::now();
    let moves = match is_together {
        true => Prober::new(&tablebase).probe(fen).and_then(|_| Prober::new(&tablebase).moves(fen))?,
        false => {
            let prober = Prober::new(OneByOne(&tablebase));
            prober.probe(fen).and_then(|_| prober.moves(fen))?
        }
    };
    Ok((moves, begun.elapsed()))
}

fn main() -> Result<()> {
    let args = Args::parse();
    println!("material  reads        p50 ms   p99 ms   max ms");
    for name in &args.materials {
        let ids = ids(material(name));
        let mut times = [Vec::new(), Vec::new()];
        for fen in positions(name).iter().take(args.positions.into()) {
            let [apart, together] = [false, true].map(|is_together| cold(&args.tables, &ids, fen, is_together));
            let ((moves, apart), (others, together)) = (apart?, together?);
            ensure!(moves == others, "{fen}: the answers differ");
            times[0].push(apart);
            times[1].push(together);
        }
        for (reads, times) in ["one by one", "together"].into_iter().zip(&mut times) {
            times.sort_unstable();
            let ms = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
            println!("{name:9} {reads:11} {:7.2}  {:7.2}  {:7.2}", ms(50), ms(99), ms(100));
        }
    }
    Ok(())
}
