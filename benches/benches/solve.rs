//! Solving materials, every metric and both attackers, without files.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use makruk_benches::material;
use makruk_generator::{MemoryTables, Silent, solve_in_memory, solve_totals};
use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;
use makruk_tables::tablebase::TableId;
use makruk_tables::value::Value;

/// A material and the moves of its longest win under its last metric.
const MATERIALS: [(&str, u16); 5] = [("KRvK", 16), ("KNMvK", 36), ("KSMvK", 57), ("KRvKN", 30), ("KRNvKR", 33)];

/// The tables that captures lead to from a material, in memory.
fn children_of(parent: Material) -> MemoryTables {
    let mut tables = MemoryTables::default();
    for child in Material::with_descendants([parent]).into_iter().filter(|&child| child != parent) {
        let solved = solve_in_memory(child, &CountingRules::MAKRUK, &tables, &Silent).expect("a solved material");
        solved.into_iter().for_each(|(metric, table)| tables.insert(TableId { material: child, metric }, table));
    }
    tables
}

fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(10));
    for (name, longest) in MATERIALS {
        let material = material(name);
        let children = children_of(material);
        group.throughput(Throughput::Elements(Layout::new(material).positions().iter().sum()));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let solved =
                    solve_totals(material, &CountingRules::MAKRUK, &children, &Silent).expect("a solved material");
                let (_, totals) = solved.last().expect("at least DTM");
                let wins = totals.iter().flatten().map(|&(value, _)| match value {
                    Value::Win(_) => value.moves().unwrap_or(0),
                    Value::Draw | Value::Loss(_) => 0,
                });
                assert_eq!(wins.max(), Some(longest));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
