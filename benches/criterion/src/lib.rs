//! Code that the benchmarks by criterion share.

use makruk_generator::{MemoryTables, Silent, solve_in_memory};
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;
use makruk_tables::tablebase::TableId;

/// The tables that captures lead to from a material, in memory.
///
/// # Panics
///
/// If they cannot be solved.
pub fn children_of(parent: Material) -> MemoryTables {
    let mut tables = MemoryTables::default();
    for child in Material::with_descendants([parent]).into_iter().filter(|&child| child != parent) {
        let solved = solve_in_memory(child, &CountingRules::MAKRUK, &tables, &Silent).expect("a solved material");
        solved.into_iter().for_each(|(metric, table)| tables.insert(TableId { material: child, metric }, table));
    }
    tables
}
