//! The tables of the tests.
// Not every test program uses all of it, and clippy lets tests unwrap, but not the functions that they share.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_probe::{Prober, Tablebase};
use makruk_rules::{Fen, Reading};

/// Materials with every kind of man, like men, both sides armed, and one that equals its colour-flipped form.
pub const MATERIALS: [&str; 7] = ["KRvKS", "KRvKR", "KRvKN", "KNMvK", "KRRvK", "KSvKM", "KRMvK"];

/// A material in which promoting too early throws wins away.
pub const WITH_PAWN: &str = "KRPvK";

/// A folder with the tables of [`MATERIALS`] and [`WITH_PAWN`] and their children alone.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| test_tables::alone(test_tables::materials(&[&MATERIALS[..], &[WITH_PAWN]].concat())))
}

/// A prober over these tables.
pub fn prober() -> Prober {
    Prober::new(Tablebase::new(folder()))
}

/// A FEN that can be read.
pub fn fen(text: &str) -> Fen {
    Reading::parse(text).unwrap().fen
}
