//! Saves, statistics, studies and pictures of whole materials, against the prober's answer for every position.

mod brute;
mod kinds;
mod lists;
#[cfg(feature = "plot")]
mod pictures;
mod saves;
mod statistics;
mod studies;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_probe::{Prober, Tablebase};
use makruk_tables::material::Material;

/// Any error.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Materials with saves by sacrifice, with a khon and without.
const ARMED: [&str; 4] = ["KRvKM", "KRvKS", "KRvKN", "KRvKR"];
/// Materials with a bare king.
const BARE: [&str; 2] = ["KRvK", "KSSvK"];
/// A material in which promoting too early throws wins away.
const WITH_PAWN: &str = "KRPvK";

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// Their tables, with Black to move omitted, so that tests derive that side.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let (armed, others) =
            (test_tables::materials(&ARMED), test_tables::materials(&[&BARE[..], &[WITH_PAWN]].concat()));
        let home = test_tables::alone(&test_tables::usual(others.clone()), others);
        test_tables::link(&test_tables::one_sided(armed.clone()), Material::with_descendants(armed), &home);
        home
    })
}

/// A prober of these tables.
fn prober() -> Prober {
    Prober::new(Tablebase::new(folder()))
}
