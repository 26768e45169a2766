//! Fingerprints of pieces of a chunk. A checksum of so few bytes would take longer than the copy that it checks.

/// The bytes of a piece: few, since every read takes whole pieces, and enough that the fingerprints of a file take a
/// sixty-fourth of its length. Chunks have a multiple of it.
pub(super) const PIECE_BYTES: usize = 256;

const WORDS: usize = PIECE_BYTES / size_of::<u64>();

/// A number for each word of a piece: the outputs of SplitMix64.
static KEYS: [u64; WORDS] = {
    let (mut keys, mut state, mut at) = ([0; WORDS], 0u64, 0);
    while at < WORDS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[at] = mixed ^ mixed >> 31;
        at += 1;
    }
    keys
};

/// The fingerprint of a piece: the sum of the products of both halves of each word, to which its key was added without
/// carries. Every processor multiplies halves in vectors. A change by chance leaves it as it was once in four billion
/// times; somebody who knows the keys can make one that does.
#[inline]
pub(super) fn fingerprint(piece: &[u8]) -> u32 {
    let sum = match piece.try_into() {
        Ok(piece) => sum_of(piece),
        Err(_) => sum_of(&padded(piece)),
    };
    (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[inline]
#[allow(unsafe_code)]
fn sum_of(piece: &[u8; PIECE_BYTES]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: this processor has AVX2.
        return unsafe { sum_in_long_vectors(piece) };
    }
    sum(piece)
}

/// The same, compiled for vectors twice as long as every processor has.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_in_long_vectors(piece: &[u8; PIECE_BYTES]) -> u64 {
    sum(piece)
}

#[inline(always)]
fn sum(piece: &[u8; PIECE_BYTES]) -> u64 {
    let words = piece.as_chunks().0.iter().zip(&KEYS).map(|(word, key)| u64::from_le_bytes(*word) ^ key);
    words.fold(0, |sum, word| sum.wrapping_add((word & u64::from(u32::MAX)) * (word >> 32)))
}

/// The last piece of a file, and zeros after it.
#[cold]
fn padded(piece: &[u8]) -> [u8; PIECE_BYTES] {
    std::array::from_fn(|at| piece.get(at).copied().unwrap_or_default())
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
                assert_eq!(sum(&padded(&piece)), sum_of(&padded(&piece)));
                piece[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
