//! Probing built tables: random positions, warm page cache, one thread.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use makruk_benches::{POSITIONS, material, positions};
use makruk_generator::{Options, Silent, build};
use makruk_probe::{Category, Prober, Tablebase};
use makruk_tables::format::TableFolder;
use makruk_tables::rules::Fen;

/// The positions of [`positions`] that are won within the count, by the tables that the reference solver agrees with.
/// Of all legal positions of KRvKR 21.8% are.
const WON: usize = 233;

fn probe(c: &mut Criterion) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    build(&folder, [material("KRvKR")], &Options::default(), &Silent).expect("the tables of KRvKR");
    let fens = positions("KRvKR");
    let mut group = c.benchmark_group("probe");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    // A table whose blocks all fit into the cache, and a cache that holds almost no block.
    for (name, cache_bytes) in [("KRvKR cached", 64 << 20), ("KRvKR decoded", 0)] {
        let prober = Prober::new(Tablebase::builder().folder(place.path()).cache_bytes(cache_bytes).build());
        let verdicts = |fens: &[Fen]| {
            let wins =
                fens.iter().filter(|fen| prober.probe(fen).expect("a verdict").category == Category::Win).count();
            assert_eq!(wins, WON);
        };
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| &fens, |fens| verdicts(fens), BatchSize::SmallInput)
        });
    }
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
