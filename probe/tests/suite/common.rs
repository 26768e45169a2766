//! The tables of the tests, and random positions.
// Not every test program uses all of it, and clippy lets tests unwrap, but not the functions that they share.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use makruk_probe::{Prober, Tablebase};
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen, Piece, Position, Square};

/// Materials with every kind of man, like men, both sides armed, and one that equals its colour-flipped form.
pub const MATERIALS: [&str; 7] = ["KRvKS", "KRvKR", "KRvKN", "KNMvK", "KRRvK", "KSvKM", "KRMvK"];

/// A material in which promoting too early throws wins away.
pub const WITH_PAWN: &str = "KRPvK";

/// A folder with the tables of [`MATERIALS`] and [`WITH_PAWN`] and their children alone.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let materials = test_tables::materials(&[&MATERIALS[..], &[WITH_PAWN]].concat());
        test_tables::alone(&test_tables::usual(materials.clone()), materials)
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
    pub fn position(&mut self, material: Material) -> Position {
        loop {
            let mut board = makruk_tables::rules::Board::empty();
            let kings = Color::ALL.map(|color| Piece::new(color, makruk_tables::rules::Role::King));
            for piece in kings.into_iter().chain(material.pieces()) {
                board.set(Square::new(self.below(64) as u8), piece);
            }
            if self.below(2) == 1 {
                board = board.color_flipped();
            }
            let turn = Color::ALL[self.below(2) as usize];
            if board.men() as usize == material.men()
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
