//! Statistics, studies and pictures of whole sets, against the prober asked about every position of them.
#![allow(clippy::unwrap_used)]

mod brute;
#[cfg(feature = "plot")]
mod pictures;
mod statistics;
mod studies;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_generator::{Options, Silent, StoredSides, build};
use makruk_probe::{Prober, Tablebase};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;

/// What everything may fail with.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Sets with saves by sacrifice, with a khon and without.
const ARMED: [&str; 4] = ["KRvKM", "KRvKS", "KRvKN", "KRvKR"];
/// Sets with a bare king.
const BARE: [&str; 2] = ["KRvK", "KSSvK"];

fn set(name: &str) -> Material {
    name.parse().unwrap()
}

/// A folder of their tables, and of those that captures lead to. Old ones are cleared away by other tests.
fn built(stored: StoredSides) -> PathBuf {
    let home = tempfile::Builder::new().prefix("probe-tables-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
    let folder = TableFolder::create(&home).unwrap();
    let options = Options { threads: Some(2), ..Options::default() };
    build(&folder, BARE.map(set), &options, &Silent).unwrap();
    build(&folder, ARMED.map(set), &Options { stored, ..options }, &Silent).unwrap();
    home
}

/// Their tables, in which Black to move is left out: what is found then goes through all there is.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built(StoredSides::White))
}

/// A prober over these tables.
fn prober() -> Prober {
    Prober::new(Tablebase::new(folder()))
}
