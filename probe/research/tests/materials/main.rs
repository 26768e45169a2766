//! Saves, statistics, studies and pictures of whole materials, against the prober's answer for every position.
#![allow(clippy::unwrap_used)]

mod brute;
#[path = "../../../tests/common/mod.rs"]
mod common;
mod kinds;
mod lists;
#[cfg(feature = "plot")]
mod pictures;
mod saves;
mod statistics;
mod studies;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_generator::{Options, Silent, StoredSides, build};
use makruk_probe::{Prober, Tablebase};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;

/// Any error.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Materials with saves by sacrifice, with a khon and without.
const ARMED: [&str; 4] = ["KRvKM", "KRvKS", "KRvKN", "KRvKR"];
/// Materials with a bare king.
const BARE: [&str; 2] = ["KRvK", "KSSvK"];

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// A folder of their tables, and of those that captures lead to. [`common::folder`] removes old folders.
fn built(stored: StoredSides) -> PathBuf {
    let home = tempfile::Builder::new().prefix("probe-tables-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap().keep();
    let folder = TableFolder::create(&home).unwrap();
    let options = Options { threads: Some(2), ..Options::default() };
    build(&folder, BARE.map(material), &options, &Silent).unwrap();
    build(&folder, ARMED.map(material), &Options { stored, ..options }, &Silent).unwrap();
    home
}

/// Their tables, with Black to move omitted, so that tests derive that side.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built(StoredSides::White))
}

/// A prober of these tables.
fn prober() -> Prober {
    Prober::new(Tablebase::new(folder()))
}
