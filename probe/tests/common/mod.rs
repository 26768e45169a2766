//! Tables for tests: those of up to four men that they use, built once per test binary into a folder of their own.
#![allow(dead_code, missing_docs, unreachable_pub)] // not every test binary uses all of it

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use makruk_generator::{Options, Silent, build};
use makruk_probe::{Prober, Tablebase};
use makruk_tables::format::TableFolder;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Piece, Position, Square};

/// Materials with every kind of man, like men, both sides armed, and one that equals its colour-flipped form.
pub const SETS: [&str; 7] = ["KRvKS", "KRvKR", "KRvKN", "KNMvK", "KSSvK", "KSvKM", "KRMvK"];

/// The beginning of the folders' names.
const PREFIX: &str = "probe-tables-";
/// A folder of this age belongs to no running test.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

/// A folder with the tables of [`SETS`] and their children.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // A static is never dropped, so each run removes the folders of earlier runs.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let is_old = |path: &Path| {
            path.metadata()
                .and_then(|meta| meta.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LEFT_BEHIND))
        };
        for entry in std::fs::read_dir(target).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_old(&entry.path()) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(target).unwrap().keep();
        let folder = TableFolder::create(&path).unwrap();
        let sets = SETS.map(|name| name.parse::<Material>().unwrap());
        build(&folder, sets, &Options { threads: Some(2), ..Options::default() }, &Silent).unwrap();
        path
    })
}

/// A prober over these tables.
pub fn prober() -> Prober {
    Prober::new(Tablebase::new(folder()))
}

/// Numbers that look random, the same every time (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    /// A legal position of a material, in either orientation.
    pub fn position(&mut self, set: Material) -> Position {
        loop {
            let mut board = makruk_tables::rules::Board::empty();
            let kings = Color::ALL.map(|color| Piece::new(color, makruk_tables::rules::Role::King));
            for piece in kings.into_iter().chain(set.pieces()) {
                board.set(Square::new(self.below(64) as u8), piece);
            }
            if self.below(2) == 1 {
                board = board.color_flipped();
            }
            let turn = Color::ALL[self.below(2) as usize];
            if board.men() as usize == set.men()
                && let Ok(position) = Position::new(board, turn)
            {
                return position;
            }
        }
    }
}

/// A FEN that can be read.
pub fn fen(text: &str) -> Fen {
    text.parse().unwrap()
}
