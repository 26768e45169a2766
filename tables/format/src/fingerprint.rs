//! Fingerprints of pieces of a chunk. A checksum of so few bytes would take longer than the copy that it checks.

/// The bytes of a piece: few, since every read takes whole pieces, and enough that the fingerprints of a file take a
/// sixty-fourth of its length. Chunks have a multiple of it.
pub(super) const PIECE_BYTES: usize = 256;

/// A number to add to each word of a piece: the outputs of SplitMix64.
const KEYS: [u64; PIECE_BYTES / size_of::<u64>()] = {
    let (mut keys, mut state, mut at) = ([0; PIECE_BYTES / size_of::<u64>()], 0u64, 0);
    while at < keys.len() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[at] = mixed ^ mixed >> 31;
        at += 1;
    }
    keys
};

/// The fingerprint of a piece, by the hash NH of UMAC: the sum of the products of both halves of each word, with keys
/// added. Every processor multiplies halves in vectors. A change by chance leaves it as it was once in four billion
/// times; somebody who knows the keys can make one that does.
#[inline]
pub(super) fn fingerprint(piece: &[u8]) -> u32 {
    let product = |(&word, key): (&[u8; size_of::<u64>()], u64)| {
        let word = u64::from_le_bytes(word);
        let (low, high) =
            ((word as u32).wrapping_add(key as u32), ((word >> 32) as u32).wrapping_add((key >> 32) as u32));
        u64::from(low) * u64::from(high)
    };
    let (words, rest) = piece.as_chunks();
    let mut sum = words.iter().zip(KEYS).map(product).fold(0, u64::wrapping_add);
    if !rest.is_empty() {
        let mut last = [0; size_of::<u64>()];
        last[..rest.len()].copy_from_slice(rest);
        sum = sum.wrapping_add(product((&last, KEYS[words.len()])));
    }
    (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
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
