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
/// Materials with a bare king.
const BARE: [&str; 3] = ["KRvK", "KSvK", "KRRvK"];
/// A material in which promoting too early throws wins away.
const WITH_PAWN: &str = "KRPvK";

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// A prober of their tables, with Black to move omitted where both sides are armed, so that tests derive that side.
fn prober() -> Prober {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = || {
        let (armed, others) =
            (test_tables::materials(&ARMED), test_tables::materials(&[&BARE[..], &[WITH_PAWN]].concat()));
        let home = test_tables::alone(others);
        test_tables::link(&test_tables::one_sided(armed.clone()), Material::with_descendants(armed), &home);
        home
    };
    Prober::new(Tablebase::new(FOLDER.get_or_init(folder)))
}
