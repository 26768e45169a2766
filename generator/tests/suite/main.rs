//! The generator from outside: the bytes and the memory of builds, and the program `makruk-gen`.

mod budget;
mod bytes;
#[cfg(feature = "cli")]
mod fetch;
#[cfg(feature = "cli")]
mod manuals;
mod memory;
#[cfg(feature = "cli")]
mod remedies;
mod resume;
#[cfg(feature = "cli")]
mod safety;

use std::collections::BTreeMap;
use std::path::Path;

use makruk_format::TableFolder;
use makruk_generator::{Options, Silent, build};
use makruk_tables::material::Material;

/// Files by their names.
type Files = BTreeMap<String, Vec<u8>>;

fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().expect("a material")).collect()
}

/// All that is in a folder.
fn files(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

/// The files of a build from nothing.
fn built_with(names: &[&str], options: &Options) -> Files {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = TableFolder::create(place.path()).expect("a table folder");
    build(&folder, materials(names), options, &Silent).expect("a build");
    files(place.path())
}
