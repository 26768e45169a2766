//! Builds that keep WDL and search tables alone, or search tables.

use std::collections::BTreeSet;

use makruk_generator::{Built, Options, Silent, build, plan};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;

fn names(folder: &TableFolder) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// An empty table folder, which is removed with its first part.
fn empty_folder() -> (tempfile::TempDir, TableFolder) {
    let place = tempfile::tempdir().expect("a folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    (place, folder)
}

#[test]
fn distances_that_no_other_material_needs_are_removed() {
    let [(_whole, whole), (_place, folder)] = [empty_folder(), empty_folder()];
    let materials: Vec<Material> = ["KPvK", "KMvK"].map(|name| name.parse().expect("a material")).into();
    let everything = Options { search: true, ..Options::default() };
    let options = Options { keeps_distances: false, ..everything.clone() };
    build(&whole, materials.clone(), &everything, &Silent).expect("a build");
    let built = build(&folder, materials.clone(), &options, &Silent).expect("a build");

    let expected: BTreeSet<String> =
        names(&whole).into_iter().filter(|name| !["KPvK.dtm", "KPvK.dtz"].contains(&name.as_str())).collect();
    assert_eq!(names(&folder), expected);
    for name in &expected {
        let read = |folder: &TableFolder| std::fs::read(folder.path().join(name)).expect("a file");
        assert!(read(&whole) == read(&folder), "{name} has other bytes");
    }
    // The material that is built last is the one that is not kept whole.
    let [.., last] = built.as_slice() else { panic!("nothing is built") };
    let of = |built: &Built| (built.removed_bytes, built.tables.len());
    assert!(last.removed_bytes == last.totals.bytes && last.removed_bytes > 0 && last.tables.len() == 2);
    assert!(built.iter().rev().skip(1).all(|built| of(built) == (0, 3)));

    // It is built: once more there is nothing to do, and the plan says so.
    assert!(build(&folder, materials.clone(), &options, &Silent).expect("a build").is_empty());
    let planned = plan(materials[0], Some(&folder), &options);
    assert!(planned.built && planned.files == ["KPvK.wdl", "KPvK.search"], "{planned:?}");
    // A build that keeps distances adds them. A later one without distances leaves them there.
    build(&folder, materials.clone(), &everything, &Silent).expect("a build");
    assert_eq!(names(&folder), names(&whole));
    assert!(build(&folder, materials, &options, &Silent).expect("a build").is_empty());
    assert_eq!(names(&folder), names(&whole));
}

#[test]
fn search_tables_alone_need_no_wdl_tables() {
    let [(_whole, whole), (_place, folder)] = [empty_folder(), empty_folder()];
    let materials: Vec<Material> = ["KRvKM", "KMvK"].map(|name| name.parse().expect("a material")).into();
    let everything = Options { search: true, ..Options::default() };
    let options = Options { wdl: false, keeps_distances: false, ..everything.clone() };
    build(&whole, materials.clone(), &everything, &Silent).expect("a build");
    build(&folder, materials.clone(), &options, &Silent).expect("a build");

    let expected = ["KMvK.dtm", "KMvK.search", "KRvK.dtm", "KRvK.search", "KRvKM.search"];
    assert_eq!(names(&folder), expected.map(str::to_owned).into());
    for name in expected {
        let read = |folder: &TableFolder| std::fs::read(folder.path().join(name)).expect("a file");
        assert!(read(&whole) == read(&folder), "{name} has other bytes");
    }
    assert!(build(&folder, materials.clone(), &options, &Silent).expect("a build").is_empty());
    let planned = plan(materials[0], Some(&folder), &options);
    assert!(planned.built && planned.files == ["KRvKM.search"], "{planned:?}");
}
