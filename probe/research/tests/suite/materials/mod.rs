//! Saves, statistics and pictures of whole materials, against the prober's answer for every position.

mod brute;
mod kinds;
mod lists;
mod pictures;
mod saves;
mod statistics;

use std::path::PathBuf;
use std::sync::OnceLock;

use makruk_probe::{Prober, Tablebase};
use makruk_tables::material::Material;

/// Any error.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Materials with saves by sacrifice.
const ARMED: [&str; 3] = ["KRvKM", "KRvKN", "KRvKR"];
/// More of them, with a khon, and with a bare king and two khons. They take half of the time that all would take to be
/// built, and only ignored tests ask for them.
const WITH_KHONS: [&str; 2] = ["KRvKS", "KSSvK"];
/// Materials with a bare king.
const BARE: [&str; 3] = ["KRvK", "KSvK", "KRRvK"];
/// A material in which promoting too early throws wins away.
const WITH_PAWN: &str = "KRPvK";

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// Their tables, with Black to move omitted where both sides are armed, so that tests derive that side.
fn folder(armed: &[&str], others: &[&str]) -> PathBuf {
    let (armed, others) = (test_tables::materials(armed), test_tables::materials(others));
    let home = test_tables::alone(&test_tables::usual(others.clone()), others);
    test_tables::link(&test_tables::one_sided(armed.clone()), Material::with_descendants(armed), &home);
    home
}

/// A prober of these tables.
fn prober() -> Prober {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    Prober::new(Tablebase::new(FOLDER.get_or_init(|| folder(&ARMED, &[&BARE[..], &[WITH_PAWN]].concat()))))
}

/// The same with [`WITH_KHONS`].
fn prober_with_khons() -> Prober {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let [armed, bare] = WITH_KHONS;
    let folder = || folder(&[&ARMED[..], &[armed]].concat(), &[&BARE[..], &[WITH_PAWN, bare]].concat());
    Prober::new(Tablebase::new(FOLDER.get_or_init(folder)))
}
