//! Code that the benchmarks share.

pub mod torture;

use makruk_tables::index::Layout;
use makruk_tables::material::Material;
use makruk_tables::rules::{Color, Fen};

/// The material of a name.
///
/// # Panics
///
/// If there is none.
pub fn material(name: &str) -> Material {
    name.parse().expect("the name of a material")
}

/// The number of positions of a material that are asked for at a time.
pub const POSITIONS: usize = 1000;

/// So many random legal positions of a material, either side to move, no count running; the same every time.
///
/// # Panics
///
/// If there is no such material.
pub fn positions(name: &str) -> Vec<Fen> {
    let layout = Layout::new(material(name));
    let mut random = fastrand::Rng::with_seed(1);
    let mut found = Vec::new();
    while found.len() < POSITIONS {
        let side = Color::ALL[random.usize(0..2)];
        let number = random.u64(0..layout.positions()[side]);
        if let Some(position) = layout.position_at(side, number) {
            found.push(Fen { position, count: None, fullmove: 1 });
        }
    }
    found
}
