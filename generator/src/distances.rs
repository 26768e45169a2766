//! Distances while they are found: bit planes, one set for each side to move of a slab.

/// The distances in moves of a slab's decided positions, binary, a plane for each bit. As many planes as the longest
/// distance of the slab needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    planes: Vec<Vec<u64>>,
}

impl Planes {
    /// Writes a distance down for the positions of a row that starts at `start` in the slab.
    #[inline(always)]
    pub(crate) fn record(&mut self, moves: u16, start: usize, row: &[u64], slab_words: usize) {
        for bit in 0..16 - moves.leading_zeros() as usize {
            if self.planes.len() <= bit {
                self.planes.push(vec![0; slab_words]);
            }
            if moves >> bit & 1 != 0 {
                for (plane, &new) in self.planes[bit][start..].iter_mut().zip(row) {
                    *plane |= new;
                }
            }
        }
    }

    /// The distances of the 64 positions of a word.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> [u16; 64] {
        let mut moves = [0u16; 64];
        for (bit, plane) in self.planes.iter().enumerate() {
            let word = plane[at];
            if word != 0 {
                for (n, moves) in moves.iter_mut().enumerate() {
                    *moves |= ((word >> n & 1) as u16) << bit;
                }
            }
        }
        moves
    }
}
