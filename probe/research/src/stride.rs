//! Sampling strides.

use makruk_format::index::Layout;

/// The distance between sampled cells, or slabs, of a table. It is 1, which samples all, or a prime of at least 3 that
/// divides neither the length of a slab nor the number of slabs. Such a stride is coprime to every axis of the index,
/// so that a sample meets every square of every piece, and every pair of kings, equally often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stride(u64);

impl Stride {
    /// The shortest stride that samples at most about `wanted` of `population`; with 0 wanted, at most one.
    pub fn new(layout: &Layout, population: u64, wanted: u64) -> Stride {
        let least = population.div_ceil(wanted.max(1));
        if least <= 1 {
            return Stride(1);
        }
        let is_prime = |n: u64| (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
        let is_coprime = |n: u64| !layout.slab_len().is_multiple_of(n) && !(layout.slabs() as u64).is_multiple_of(n);
        Stride((least.max(3)..).find(|&n| is_prime(n) && is_coprime(n)).unwrap_or(least))
    }

    /// Whether a number is sampled.
    pub const fn takes(self, number: u64) -> bool {
        number.is_multiple_of(self.0)
    }

    /// The distance between two sampled numbers.
    pub const fn get(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use makruk_rules::{Color, Role};
    use makruk_tables::material::Material;

    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(name.parse().unwrap())
    }

    const fn divisor(mut a: u64, mut b: u64) -> u64 {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }

    #[test]
    fn strides_sample_about_as_many_as_are_wanted() {
        let layout = layout("KRvKS");
        let stride = |population, wanted| Stride::new(&layout, population, wanted).get();
        assert_eq!(stride(1000, 1000), 1);
        assert_eq!(stride(10, 1000), 1);
        assert_eq!(stride(0, 0), 1);
        assert_eq!(stride(1000, 100), 11);
        let stride = Stride::new(&layout, 77_000_000, 200_000);
        assert_eq!(stride.get(), 389);
        assert_eq!((0..77_000).filter(|&n| stride.takes(n)).count(), 198);
    }

    #[test]
    fn strides_are_coprime_to_every_axis_and_to_the_slabs() {
        for layout in (3..=6).flat_map(Material::all).map(Layout::new) {
            for least in 2..200 {
                let stride = Stride::new(&layout, 1_000 * least, 1_000).get();
                assert!(stride >= least && stride <= least + 40, "{}: {stride}", layout.material());
                for length in [2, 64, layout.slab_len(), layout.slabs() as u64] {
                    assert_eq!(divisor(stride, length), 1, "{}: {stride} and {length}", layout.material());
                }
            }
        }
    }

    /// With a stride of 2 the khon of K+R v K+S would stand on every other file only.
    #[test]
    fn samples_meet_every_square_of_every_piece() {
        for (name, white, black) in [("KRvKS", Role::Rook, Role::Khon), ("KRvKN", Role::Rook, Role::Knight)] {
            let layout = layout(name);
            let cells = layout.positions().white;
            for wanted in [cells / 2, cells / 3, cells / 64] {
                let stride = Stride::new(&layout, cells, wanted);
                let mut seen = [[0u64; 64]; 2];
                for number in (0..cells).filter(|&number| stride.takes(number)) {
                    let Some(position) = layout.position_at(Color::White, number) else { continue };
                    for (color, role) in [(Color::White, white), (Color::Black, black)] {
                        let piece = makruk_rules::Piece::new(color, role);
                        let square = position.board().by_piece(piece).first().unwrap();
                        seen[color as usize][square.index()] += 1;
                    }
                }
                for squares in seen {
                    let (least, most) = (squares.iter().min().unwrap(), squares.iter().max().unwrap());
                    // Some squares are less often legal, none half as often.
                    assert!(2 * least > *most, "{name}, every {}th cell: {squares:?}", stride.get());
                }
            }
        }
    }
}
