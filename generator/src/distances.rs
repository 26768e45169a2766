//! Distances while they are found: bit planes, one set for each side to move of a slab.

/// The distances in moves of a slab's decided positions, binary, a plane for each bit. As many planes as the longest
/// distance of the slab needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    planes: Vec<Vec<u64>>,
}

impl Planes {
    /// Forgets all distances, and keeps the room for new ones.
    pub(crate) fn clear(&mut self) {
        self.planes.iter_mut().for_each(|plane| plane.fill(0));
    }

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
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> [u16; 64] {
        let plane = |bit: usize| self.planes.get(bit).map_or(0, |plane| plane[at]);
        let low = transpose(std::array::from_fn(plane));
        let mut moves = low.map(u16::from);
        if self.planes.len() > 8 {
            let high = transpose(std::array::from_fn(|bit| plane(bit + 8)));
            for (moves, high) in moves.iter_mut().zip(high) {
                *moves |= u16::from(high) << 8;
            }
        }
        moves
    }
}

/// From eight words, a bit of each number in each, to 64 numbers.
#[inline(always)]
pub(crate) fn transpose(planes: [u64; 8]) -> [u8; 64] {
    let mut numbers = [0; 64];
    for (byte, numbers) in numbers.chunks_exact_mut(8).enumerate() {
        // An 8 x 8 matrix of bits: row i is a byte of plane i.
        let rows: [u8; 8] = std::array::from_fn(|bit| (planes[bit] >> (8 * byte)) as u8);
        let mut x = u64::from_le_bytes(rows);
        let mut swap = (x ^ x >> 7) & 0x00aa_00aa_00aa_00aa;
        x ^= swap ^ swap << 7;
        swap = (x ^ x >> 14) & 0x0000_cccc_0000_cccc;
        x ^= swap ^ swap << 14;
        swap = (x ^ x >> 28) & 0x0000_0000_f0f0_f0f0;
        x ^= swap ^ swap << 28;
        numbers.copy_from_slice(&x.to_le_bytes());
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_distances_read_back() {
        let distances: Vec<u16> = (0..128).map(|n| if n % 3 == 0 { n * 5 } else { n }).collect();
        let mut planes = Planes::default();
        for (n, &moves) in distances.iter().enumerate() {
            let mut row = [0; 2];
            row[n / 64] = 1 << (n % 64);
            planes.record(moves, 0, &row, 2);
        }
        assert!(planes.planes.len() > 8, "a distance needs more than a byte");
        assert_eq!([planes.word(0), planes.word(1)].concat(), distances);
    }
}
