//! The same material gives the same bytes, however it is built.

use makruk_format::TableFolder;
use makruk_generator::{Options, Silent, build};
use makruk_tables::material::Material;

use super::{Files, files, materials};

/// Materials that are solved in no time, of one armed side and of two.
const MATERIALS: [&str; 2] = ["KRvK", "KMvKM"];

fn built_twice(threads: usize) -> Files {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    let options = Options { threads: Some(threads), ..Options::default() };
    let built = build(&folder, materials(&MATERIALS), &options, &Silent).expect("a build");
    assert_eq!(built.len(), Material::with_descendants(materials(&MATERIALS)).len());
    files(place.path())
}

#[test]
fn any_number_of_threads() {
    let one = built_twice(1);
    assert_eq!(one.len(), 7, "two tables of a material, three where both sides are armed");
    assert!(one == built_twice(3), "three threads write other bytes than one");
}

#[test]
fn broken_and_missing_tables_are_built_again() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    let material: Material = "KRvK".parse().expect("a material");
    build(&folder, [material], &Options::default(), &Silent).expect("a build");
    let before = files(place.path());
    let path = folder.path_of("KRvK.dtm".parse().expect("a table"));
    let mut bytes = std::fs::read(&path).expect("the table");
    bytes.truncate(100);
    std::fs::write(&path, &bytes).expect("a truncated table");
    assert_eq!(build(&folder, [material], &Options::default(), &Silent).expect("a build").len(), 1);
    assert_eq!(files(place.path()), before);
}
