//! What the benchmarks share.

use makruk_generator::{MemoryTables, Silent, solve_in_memory};
use makruk_tables::material::Material;
use makruk_tables::rules::CountingRules;

/// The set of a name.
///
/// # Panics
///
/// If there is none.
pub fn set(name: &str) -> Material {
    name.parse().expect("the name of a set")
}

/// The tables that captures lead to from a set, in memory.
///
/// # Panics
///
/// If they cannot be solved.
pub fn children_of(parent: Material) -> MemoryTables {
    let mut tables = MemoryTables::default();
    for child in Material::with_descendants([parent]).into_iter().filter(|&child| child != parent) {
        let solved = solve_in_memory(child, &CountingRules::MAKRUK, &tables, &Silent).expect("a solved set");
        solved.into_iter().for_each(|(metric, table)| tables.insert(child, metric, table));
    }
    tables
}
