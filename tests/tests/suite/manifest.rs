//! The committed list of tables: complete, and what a build makes.

use makruk_generator::Manifest;
use makruk_tables::material::Material;
use makruk_tables::value::Metric;

const MANIFEST: &str = include_str!("../../../tables/MANIFEST.tsv");
const SEARCH: &str = include_str!("../../../tables/MANIFEST-search.tsv");

/// All materials of three to five men, children first.
fn listed_materials() -> impl Iterator<Item = Material> {
    Material::with_descendants((3..=5).flat_map(Material::all)).into_iter()
}

#[test]
fn all_tables_of_the_listed_materials_are_there() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let listed = |manifest: &Manifest| -> Vec<_> {
        manifest.tables.iter().map(|line| (line.id.material, line.id.metric)).collect()
    };
    let expected: Vec<_> = listed_materials()
        .flat_map(|material| material.table_metrics().iter().map(move |&metric| (material, metric)))
        .collect();
    assert_eq!(listed(&manifest), expected);
    let search = Manifest::parse(SEARCH).expect("a manifest");
    assert_eq!(listed(&search), listed_materials().map(|material| (material, Metric::Search)).collect::<Vec<_>>());
}

/// The same material gives the same bytes everywhere.
#[test]
fn small_tables_are_those_that_are_listed() {
    let mut manifest = Manifest::parse(MANIFEST).expect("a manifest");
    manifest.tables.retain(|line| line.id.material.men() <= 4);
    assert_eq!(manifest.differences(&test_tables::small()), Vec::<String>::new());
    let mut search = Manifest::parse(SEARCH).expect("a manifest");
    search.tables.retain(|line| line.id.material.men() <= 4);
    let folder = test_tables::with_search((3..=4).flat_map(Material::all));
    assert_eq!(search.differences(&folder), Vec::<String>::new());
}
