//! Builds with little memory, on the paths that large materials take: the same bytes.

use std::collections::BTreeMap;
use std::path::Path;

use makruk_generator::{Budget, Options, Silent, build};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;

/// Both symmetries, both sides armed.
const SMALL: [&str; 2] = ["KRvKS", "KRvKR"];
/// A bare king, and five men with omitted sides among the values that solving asks for.
const LARGE: [&str; 2] = ["KSMvK", "KMMvKM"];

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

fn built_with(names: &[&str], budget: Budget) -> BTreeMap<String, Vec<u8>> {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    let materials: Vec<Material> = names.iter().map(|name| name.parse().expect("a material")).collect();
    build(&folder, materials, &Options { budget, ..Options::default() }, &Silent).expect("a build");
    files(place.path())
}

#[test]
fn little_memory_makes_the_same_bytes() {
    same_bytes(&SMALL);
}

#[test]
#[ignore = "exhaustive: .ci/run runs it"]
fn little_memory_makes_the_same_bytes_of_larger_materials() {
    same_bytes(&LARGE);
}

fn same_bytes(names: &[&str]) {
    let usual = built_with(names, Budget::default());
    // As with six men: decisions and capture seeds in files alone, DTM read back for DTZ and WDL. A group of slabs to each
    // call of `progress`, a slab to each batch that is written.
    let none = Budget { men_in_memory: 2, group_bytes: 1, batch_positions: 1, ..Budget::default() };
    // Decisions fill the memory that they have, and go on in a file.
    let some = Budget { decision_bytes_per_word: 1, group_bytes: 10 << 15, ..Budget::default() };
    for (name, budget) in [("none", none), ("some", some)] {
        let files = built_with(names, budget);
        assert!(usual.keys().eq(files.keys()), "{name} in memory: {:?}", files.keys());
        for (file, bytes) in &files {
            assert!(usual[file] == *bytes, "{file} has other bytes with {name} of the decisions in memory");
        }
    }
}
