//! The committed list of tables: complete, and what a build makes.

use std::collections::BTreeSet;

use makruk_generator::Manifest;
use makruk_tables::MANIFEST;
use makruk_tables::material::Material;
use test_tables::FEW;

const README: &str = include_str!("../../../README.md");
const DATASET: &str = include_str!("../../../tables/DATASET.md");

/// All materials of three to five men, children first.
fn listed_materials() -> impl Iterator<Item = Material> {
    Material::with_descendants((3..=5).flat_map(Material::all)).into_iter()
}

#[test]
fn all_tables_of_the_listed_materials_are_there() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let listed: Vec<_> = manifest.tables.iter().map(|line| (line.id.material, line.id.metric)).collect();
    let expected: Vec<_> = listed_materials()
        .flat_map(|material| material.table_metrics().iter().map(move |&metric| (material, metric)))
        .collect();
    assert_eq!(listed, expected);
}

#[test]
fn the_readme_has_the_numbers_of_the_list() {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    for (men, most) in [("3 and 4", 4), ("up to 5", 5)] {
        let of_these = || manifest.tables.iter().filter(|line| line.id.material.men() <= most);
        let materials: BTreeSet<Material> = of_these().map(|line| line.id.material).collect();
        let row = format!("| {men} | {} | {} | ", materials.len(), size(most));
        let time = README.split_once(&row).and_then(|(_, rest)| rest.split_once(" |"));
        let (time, _) = time.unwrap_or_else(|| panic!("README.md lacks the row {row}"));
        // The time is that of the data set's description.
        let line = DATASET.lines().find(|line| line.starts_with(&format!("| {men} | {} |", materials.len())));
        assert!(line.is_some_and(|line| line.contains(time)), "{time}: {line:?}");
    }
    // The tables of the first command, and the toolchain.
    let first = Material::with_descendants(["KRRvKR".parse().expect("a material")]);
    let bytes: u64 =
        manifest.tables.iter().filter(|line| first.contains(&line.id.material)).map(|line| line.bytes).sum();
    let size = format!("(about {} MB, ", (bytes as f64 / 1e7).round() * 10.0);
    assert!(README.contains(&size), "README.md lacks {size}");
    let rust = include_str!("../../../Cargo.toml").lines().find_map(|line| line.strip_prefix("rust-version = "));
    let rust = format!("a Rust toolchain ({} or later)", rust.expect("the workspace's").trim_matches('"'));
    assert!(README.contains(&rust), "README.md lacks {rust}");
}

/// The size of the tables of up to `most` men, as documents have it.
fn size(most: usize) -> String {
    let manifest = Manifest::parse(MANIFEST).expect("a manifest");
    let of_these = manifest.tables.iter().filter(|line| line.id.material.men() <= most);
    let megabytes = of_these.map(|line| line.bytes).sum::<u64>() as f64 / 1e6;
    if megabytes < 1000.0 { format!("{megabytes:.0} MB") } else { format!("{:.1} GB", megabytes / 1000.0) }
}

#[test]
fn documents_agree_on_the_size_of_the_tables() {
    for (text, men) in [
        (DATASET, &[5][..]),
        (include_str!("../../../tables/FINDINGS.md"), &[5]),
        (include_str!("../../../RELEASING.md"), &[4]),
        (include_str!("../../../probe/python/README.md"), &[4]),
        (include_str!("../../../probe/service/OPERATING.md"), &[4, 5]),
        (include_str!("../../../probe/wasm/README.md"), &[4, 5]),
        (include_str!("../../../probe/wasm/npm/README.md"), &[4]),
        (include_str!("../../../probe/web/README.th.md"), &[5]),
    ] {
        for &men in men {
            let title = text.lines().next().unwrap_or_default();
            assert!(text.contains(&size(men)), "{title}: {} is missing", size(men));
        }
    }
}

#[test]
fn tables_are_those_that_are_listed() {
    // Other tests build these, too.
    compare(test_tables::materials(&FEW).into_iter().chain(test_tables::materials(&["KRNvK"])).chain(Material::all(3)));
}

#[test]
#[ignore = "builds all tables of three and four men: half a minute"]
fn small_tables_are_those_that_are_listed() {
    compare((3..=4).flat_map(Material::all));
}

/// The same material gives the same bytes everywhere.
fn compare(materials: impl Iterator<Item = Material>) {
    let materials = Material::with_descendants(materials);
    let mut manifest = Manifest::parse(MANIFEST).expect("a manifest");
    manifest.tables.retain(|line| materials.contains(&line.id.material));
    assert!(manifest.tables.len() > 2 * materials.len(), "{}", manifest.tables.len());
    assert_eq!(manifest.differences(&test_tables::usual(materials)), Vec::<String>::new());
}
