//! The answers for a search, whichever tables there are.

use std::fs;

use makruk_tables::format::{Codecs, TableWriter, ValueList};
use makruk_tables::rules::ByColor;
use makruk_tables::value::{Bounds, Score};

use super::*;

/// Black takes the knight, or loses otherwise.
const CAPTURE: &str = "8/8/8/8/4K3/8/1kN5/R7 b - - 0 1";
const FLAGS: [u32; 4] = [0, MAKRUK_IN_MEMORY, MAKRUK_SEARCH_ONLY, MAKRUK_IN_MEMORY | MAKRUK_SEARCH_ONLY];

/// A folder of these tables of another.
fn folder_of(tables: &[&str], from: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for table in tables {
        fs::copy(from.join(table), folder.path().join(table)).unwrap();
    }
    folder
}

/// The answers for a search in a folder whose tables are in memory, by flags.
fn answers(folder: &Path, fen: &str) -> [i32; 4] {
    let tables = open(folder).unwrap();
    let position = position(fen);
    // SAFETY: open tables, a position and nulls; then the tables are not used any more.
    unsafe {
        assert_eq!(makruk_preload(tables, std::ptr::null(), None, std::ptr::null_mut()), MAKRUK_OK);
        let found = FLAGS.map(|flags| makruk_probe_search(tables, &position, flags, std::ptr::null_mut()));
        makruk_free(tables);
        found
    }
}

fn krnvk() -> tempfile::TempDir {
    let material = test_tables::materials(&["KRNvK"]);
    test_tables::own(&test_tables::with_search(material.clone()), material)
}

#[test]
fn a_wdl_table_answers_where_a_search_table_needs_one_that_is_missing() {
    let all = krnvk();
    for fen in [CAPTURE, "8/8/8/8/4K3/8/1kN5/R7 b - 32 5 1"] {
        let folder = folder_of(&["KRNvK.search", "KRNvK.wdl"], all.path());
        assert_eq!(answers(folder.path(), fen), [MAKRUK_LOSS; 4]);
        fs::remove_file(folder.path().join("KRNvK.wdl")).unwrap();
        let undecided = MAKRUK_COUNT_UNDECIDED;
        let expected = [MAKRUK_MISSING_TABLE, MAKRUK_MISSING_TABLE, undecided, undecided];
        assert_eq!(answers(folder.path(), fen), expected);
    }
}

#[test]
fn a_wdl_table_answers_where_a_capture_leaves_a_wide_range() {
    let all = krnvk();
    let folder = folder_of(&["KRNvK.search", "KRNvK.wdl", "KRvK.search"], all.path());
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_LOSS; 4]);
    // A table that knows no more than that White to move wins in at most 31 plies.
    let of_krvk =
        TableFolder::open_existing(folder.path()).unwrap().open::<Bounds>("KRvK.search".parse().unwrap()).unwrap();
    let mut spec = of_krvk.spec().clone();
    let won: u64 =
        spec.values.white.entries().iter().filter(|(class, _)| class.best > Score::Draw).map(|entry| entry.1).sum();
    let list = ValueList::of_classes(&[(Score::Win(31), won)]).unwrap();
    spec.values = ByColor { white: list, black: spec.values.black };
    TableWriter::create(folder.path(), spec, Codecs::default()).unwrap().finish().unwrap();
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_LOSS; 4]);
    // Some counts leave too little for a WDL table, and too much for the range.
    let later = |ply| answers(folder.path(), &format!("8/8/8/8/4K3/8/1kN5/R7 b - 32 {ply} 1"));
    assert!((9..33).any(|ply| later(ply) == [MAKRUK_COUNT_UNDECIDED; 4]));
    fs::remove_file(folder.path().join("KRNvK.wdl")).unwrap();
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_COUNT_UNDECIDED; 4]);
}

#[test]
fn distances_are_not_read_for_a_search_that_excludes_them() {
    let all = krnvk();
    let folder = folder_of(&["KRNvK.dtm"], all.path());
    let undecided = MAKRUK_COUNT_UNDECIDED;
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_LOSS, MAKRUK_LOSS, undecided, undecided]);
}

#[test]
fn damage_is_not_hidden_by_a_search_that_excludes_distances() {
    let all = krnvk();
    let folder = folder_of(&["KRNvK.search", "KRNvK.dtm", "KRvK.search"], all.path());
    let damaged = folder.path().join("KRvK.search");
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[20] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let corrupt = MAKRUK_CORRUPT_TABLE;
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_LOSS, MAKRUK_LOSS, corrupt, corrupt]);
    fs::remove_file(folder.path().join("KRNvK.dtm")).unwrap();
    assert_eq!(answers(folder.path(), CAPTURE), [corrupt; 4]);
    fs::copy(all.path().join("KRNvK.wdl"), folder.path().join("KRNvK.wdl")).unwrap();
    assert_eq!(answers(folder.path(), CAPTURE), [MAKRUK_LOSS; 4]);
}
