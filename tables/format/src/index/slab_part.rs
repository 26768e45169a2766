//! A part of a slab: what a reader of promotions needs of it.

use std::ops::Range;

use super::Layout;
use makruk_rules::Bitboard;

/// The positions of a slab in which a man of one axis stands on one of some squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlabPart {
    /// The axis, by its number in the layout.
    pub axis: usize,
    /// The squares.
    pub squares: Bitboard,
}

impl SlabPart {
    /// Whether men of the axis on these squares are in the part.
    #[inline]
    pub fn holds(&self, men: Bitboard) -> bool {
        self.squares.intersects(men)
    }

    /// The digits of the axis that are in the part, ascending.
    fn digits(&self, layout: &Layout) -> Vec<u32> {
        let axis = &layout.axes()[self.axis];
        (0..)
            .zip(axis.region.all_sets(axis.count))
            .filter(|&(_, men)| self.holds(men))
            .map(|(digit, _)| digit)
            .collect()
    }

    /// The offsets of the part in a slab, ascending.
    pub fn offsets(&self, layout: &Layout) -> Vec<Range<usize>> {
        let stride = layout.stride(self.axis) as usize;
        let digits = self.digits(layout);
        let whole = stride * layout.axes()[self.axis].sets() as usize;
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for start in (0..layout.slab_len() as usize).step_by(whole) {
            for &digit in &digits {
                let first = start + digit as usize * stride;
                match ranges.last_mut() {
                    Some(last) if last.end == first => last.end += stride,
                    _ => ranges.push(first..first + stride),
                }
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn offsets_are_those_with_a_man_on_the_squares() {
        for name in ["KRMvKS", "KMMvKS", "KSMMvK", "KMPvK"] {
            let layout = Layout::new(name.parse::<Material>().unwrap());
            for axis in 0..layout.axes().len() {
                let start: usize = layout.axes()[..axis].iter().map(|axis| axis.count).sum();
                for squares in [0xff << 40, 0x0404_0404_0404_0404, 1 << 63, 0] {
                    let part = SlabPart { axis, squares: Bitboard(squares) };
                    let ranges = part.offsets(&layout);
                    assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{name} {part:?}");
                    let mut found = vec![false; layout.slab_len() as usize];
                    ranges.into_iter().flatten().for_each(|offset| found[offset] = true);
                    for (offset, found) in found.into_iter().enumerate().step_by(7) {
                        let men = layout.squares_at(offset as u64);
                        let expected =
                            part.holds(men[start..start + layout.axes()[axis].count].iter().copied().collect());
                        assert_eq!(found, expected, "{name} {part:?} {offset}");
                    }
                }
            }
        }
    }
}
