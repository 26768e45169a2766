//! Builds with little memory, on the paths that large materials take: the same bytes.

use makruk_generator::{Budget, Options};
use makruk_tables::material::Material;

use super::{built_with, materials};

/// Both symmetries, both sides armed, a bare king, and five men with omitted sides among the values that solving asks
/// for.
const LARGE: [&str; 4] = ["KRvKS", "KRvKR", "KSMvK", "KMMvKM"];
/// Like men that are told apart within rows of 64 words, and less in rows of one. They are of either side, of one kind
/// and of two, with either symmetry, with moves that are listed and others.
const LIKE: [&str; 4] = ["KMMMvK", "KNNvKN", "KRRvKR", "KMPPvK"];

#[test]
fn little_memory_makes_the_same_bytes() {
    same_bytes(&["KSvK"], 4);
    // Both sides armed.
    same_bytes(&["KMvKM"], 2);
}

#[test]
#[ignore = "builds larger materials many times: two minutes"]
fn little_memory_makes_the_same_bytes_of_larger_materials() {
    same_bytes(&LARGE, 2);
}

#[test]
fn rows_of_one_word_make_the_same_bytes() {
    same_bytes_in_rows_of_one_word(&["KMMvK"], &[false, true]);
    // Both sides armed.
    same_bytes_in_rows_of_one_word(&["KMvKM"], &[true]);
}

#[test]
#[ignore = "builds five men twice and more: a minute"]
fn rows_of_one_word_make_the_same_bytes_of_like_men() {
    same_bytes_in_rows_of_one_word(&LIKE, &[false]);
    same_bytes_in_rows_of_one_word(&["KMMvKM"], &[true]);
}

/// Compares a usual build of the materials with builds in which like men are told apart as little as in materials of
/// seven men. All sets are in memory there, or planes are packed.
fn same_bytes_in_rows_of_one_word(names: &[&str], packed: &[bool]) {
    let usual = built_with(names, &Options::default());
    let budget = Budget { one_word_saving: 1, ..Budget::default() };
    let files = Budget { men_in_memory: 2, group_bytes: 1, waiting_positions: 1, ..budget.clone() };
    let least = Some(most(names, |material| files.least_memory_bytes(material, 2)));
    for &packed in packed {
        let options = if packed {
            Options { memory: least, threads: Some(2), budget: files.clone(), ..Options::default() }
        } else {
            Options { budget: budget.clone(), ..Options::default() }
        };
        let files = built_with(names, &options);
        assert!(usual.keys().eq(files.keys()), "{:?}", files.keys());
        for (file, bytes) in &files {
            assert!(usual[file] == *bytes, "{file} has other bytes with {options:?}");
        }
    }
}

/// The most bytes that one of the materials, or of those below them, takes.
fn most(names: &[&str], bytes: impl Fn(Material) -> u64) -> u64 {
    Material::with_descendants(materials(names)).into_iter().map(bytes).max().expect("materials")
}

/// Compares a usual build of the materials with builds in the first `ways` of four ways.
fn same_bytes(names: &[&str], ways: usize) {
    let usual = built_with(names, &Options::default());
    // As with six men: decisions and capture seeds in files alone, DTM read back for DTZ and categories. A group of
    // slabs to each call of `progress`, a slab to each batch that is written.
    let none = Budget { men_in_memory: 2, group_bytes: 1, waiting_positions: 1, ..Budget::default() };
    // Decisions fill the memory that they have, and go on in a file.
    let some = Budget { decision_bytes_per_word: 1, group_bytes: 10 << 15, ..Budget::default() };
    // Sets of positions, too, are packed: all in a file, or those that have no room.
    let threads = 2;
    let least = most(names, |material| none.least_memory_bytes(material, threads));
    let whole = most(names, |material| none.memory_bytes(material, threads));
    let within =
        |memory| Options { memory: Some(memory), threads: Some(threads), budget: none.clone(), ..Options::default() };
    let options = [
        ("some decisions", Options { budget: some, ..Options::default() }),
        ("the least", within(least)),
        ("half of the rest", within(least.midpoint(whole))),
        ("no decisions", Options { budget: none.clone(), ..Options::default() }),
    ];
    for (name, options) in options.into_iter().take(ways) {
        let files = built_with(names, &options);
        assert!(usual.keys().eq(files.keys()), "{name} in memory: {:?}", files.keys());
        for (file, bytes) in &files {
            assert!(usual[file] == *bytes, "{file} has other bytes with {name} in memory");
        }
    }
}
