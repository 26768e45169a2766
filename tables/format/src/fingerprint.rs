//! Fingerprints of pieces of a chunk. A checksum of so few bytes would take longer than the copy that it checks.

/// The bytes of a piece: few, since every read takes whole pieces, and enough that the fingerprints of a file take a
/// sixty-fourth of its length. Chunks have a multiple of it.
pub(super) const PIECE_BYTES: usize = 256;

/// Odd factors, one for each word of a piece: the outputs of SplitMix64.
const FACTORS: [u64; PIECE_BYTES / size_of::<u64>()] = {
    let (mut factors, mut state, mut at) = ([0; PIECE_BYTES / size_of::<u64>()], 0u64, 0);
    while at < factors.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        factors[at] = (mixed ^ mixed >> 31) | 1;
        at += 1;
    }
    factors
};

/// The fingerprint of a piece, by multilinear hashing: the upper half of the sum of the words times their factors. A
/// change of one word almost never leaves it as it was, and one of several words by one chance in four billion.
#[inline]
pub(super) fn fingerprint(piece: &[u8]) -> u32 {
    let (words, rest) = piece.as_chunks();
    let mut last = [0; size_of::<u64>()];
    last[..rest.len()].copy_from_slice(rest);
    let products = words.iter().chain([&last]).zip(FACTORS);
    let sum =
        products.fold(0u64, |sum, (&word, factor)| sum.wrapping_add(u64::from_le_bytes(word).wrapping_mul(factor)));
    (sum >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_is_another_fingerprint() {
        for len in (0..PIECE_BYTES).step_by(13).chain([PIECE_BYTES]) {
            let mut piece: Vec<u8> = (0..len).map(|at| (at * at + len) as u8).collect();
            let before = fingerprint(&piece);
            for bit in 0..8 * len {
                piece[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(fingerprint(&piece), before, "bit {bit} of {len} bytes");
                piece[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
