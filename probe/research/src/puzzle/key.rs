//! The identity of positions that are images of each other.

use std::fmt;

use makruk_format::index::Layout;
use makruk_rules::{Color, Position};
use makruk_tables::material::Material;

use crate::order::Cursor;
use crate::position::LocatedPosition;

/// The cell of a position; of the cells of all its images the first, so that images have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PuzzleKey(Cursor);

impl PuzzleKey {
    /// The key of a position; `None` for materials that no table can have, and for two bare kings.
    pub fn of(position: &Position) -> Option<PuzzleKey> {
        let material = Material::of(position.board()).ok()?.material;
        if material == Material::BARE_KINGS {
            return None;
        }
        let layout = Layout::new(material);
        let first = |position: &Position| {
            let (side, number) = layout.number(position)?;
            let located = LocatedPosition::at(&layout, side, number)?;
            let numbers = located.images().into_iter().filter_map(|image| Some(layout.number(&image.position)?.1));
            Some(Cursor { material, side, number: numbers.min().unwrap_or(number) })
        };
        let key = first(position)?;
        // With the same men on both sides, the colours may be exchanged as well.
        let flipped = if material.is_color_symmetric() { first(&position.color_flipped()) } else { None };
        let smaller = flipped
            .filter(|flipped| (flipped.number, flipped.side == Color::Black) < (key.number, key.side == Color::Black));
        Some(PuzzleKey(smaller.unwrap_or(key)))
    }

    /// The material.
    pub const fn material(&self) -> Material {
        self.0.material
    }

    /// Side to move, in the colours of the material's name, and number.
    pub(super) const fn place(&self) -> (Color, u64) {
        (self.0.side, self.0.number)
    }

    /// Eight letters and digits that are the same in every run.
    pub fn short(&self) -> String {
        // FNV-1a.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.0.to_string().bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let digit = |at: u32| b"0123456789abcdefghijklmnopqrstuvwxyz"[(hash / 36_u64.pow(at) % 36) as usize];
        (0..8).map(|at| char::from(digit(at))).collect()
    }
}

impl fmt::Display for PuzzleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_one_key_and_other_positions_another() {
        for name in ["KRvKN", "KSvKR", "KRPvK", "KMvKM"] {
            let layout = Layout::new(name.parse().unwrap());
            for side in Color::ALL {
                for number in (0..layout.positions()[side]).step_by(4999) {
                    let Some(located) = LocatedPosition::at(&layout, side, number) else { continue };
                    let key = PuzzleKey::of(&located.position).unwrap();
                    for image in located.images() {
                        assert_eq!(PuzzleKey::of(&image.position), Some(key), "{}", image.fen());
                        assert_eq!(PuzzleKey::of(&image.position.color_flipped()), Some(key), "{}", image.fen());
                    }
                    let (side, number) = key.place();
                    assert_eq!(PuzzleKey::of(&layout.position_at(side, number).unwrap()), Some(key));
                    assert_eq!(key.short().len(), 8);
                }
            }
        }
    }
}
